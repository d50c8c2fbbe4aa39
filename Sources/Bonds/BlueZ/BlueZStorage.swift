import HCI
import HCITransport
public import Host
public import SMP
import Wire

/// The folder in which BlueZ keeps what it knows of devices: one folder an adapter, in it one a device.
public struct BlueZStorage: Sendable {
    /// Where it usually is.
    public static let usualPath = "/var/lib/bluetooth"

    /// What is there.
    public struct Findings: Hashable, Sendable {
        /// Bonds over Bluetooth LE, the adapters in the order of their addresses.
        public var bonds: [Bond] = []
        /// The identity resolving key that peers were told where the adapter had privacy; of several adapters the first one's.
        public var ownKey: SecretKey?
        /// Files that cannot be read, with the line where there is one, and what is wrong.
        public var faults: [String] = []
        /// Devices whose keys are of no use here, and why.
        public var passedOver: [String] = []
        /// Whether there is a folder of an adapter at all.
        public var hasAdapters = false
    }

    private let folder: StateFolder
    /// More than anybody has.
    private static let mostAdapters = 64
    private static let mostDevices = 4096

    public init(path: String = BlueZStorage.usualPath) { folder = StateFolder(path) }

    /// Reads all of it. A file that cannot be read is told of, and the others are read all the same.
    ///
    /// - Throws: `.notPermitted` where the folder may not be read: it is root's; `.system` where it is none
    public func read() throws(BondStoreError) -> Findings {
        var findings = Findings()
        for name in try names(in: folder, atMost: Self.mostAdapters) {
            guard let address = Address(name) else { continue }
            findings.hasAdapters = true
            try readAdapter(DeviceAddress(.public, address), folder.folder(name), into: &findings)
        }
        return findings
    }

    private func names(in folder: StateFolder, atMost limit: Int) throws(BondStoreError) -> [String] {
        do throws(StateFile.Obstacle) {
            guard let names = try folder.names(atMost: limit) else {
                throw StateFile.Obstacle.system(errno: SystemText.noSuchFile)
            }
            return names
        } catch {
            throw BondStoreError(reading: error, at: folder.path)
        }
    }

    private func readAdapter(
        _ adapter: DeviceAddress, _ folder: StateFolder, into findings: inout Findings
    ) throws(BondStoreError) {
        let ownKey = ownKey(folder, &findings)
        // One key is this host's. Peers of an adapter that had another know it by its address.
        if findings.ownKey == nil { findings.ownKey = ownKey }
        for name in try names(in: folder, atMost: Self.mostDevices) {
            guard let address = Address(name), let file = read(folder.folder(name).file("info"), &findings) else {
                continue
            }
            let path = folder.folder(name).file("info").path
            do throws(KeyFile.Fault) {
                switch try Bond.read(file, of: address, adapter: adapter) {
                case .success(var bond):
                    if let ownKey, ownKey == findings.ownKey { bond.ownIdentity = adapter }
                    findings.take(bond, path)
                case .failure(let absence):
                    if let text = absence.text { findings.passedOver.append("\(address): \(text)") }
                }
            } catch {
                findings.faults.append(error.text(in: path))
            }
        }
    }

    /// The adapter's own identity resolving key, which there is once it has had privacy.
    private func ownKey(_ folder: StateFolder, _ findings: inout Findings) -> SecretKey? {
        let place = folder.file("identity")
        guard let file = read(place, &findings) else { return nil }
        do throws(KeyFile.Fault) {
            return try Bond.resolvingKey(file, "General", "IdentityResolvingKey")
        } catch {
            findings.faults.append(error.text(in: place.path))
            return nil
        }
    }

    /// `nil` where there is no such file, and where it cannot be read, which is told of.
    private func read(_ place: StateFile, _ findings: inout Findings) -> KeyFile? {
        do throws(StateFile.Obstacle) {
            guard let content = try place.content() else { return nil }
            do throws(KeyFile.Fault) {
                return try KeyFile(content.octets)
            } catch {
                findings.faults.append(error.text(in: place.path))
            }
        } catch {
            findings.faults.append(BondStoreError(reading: error, at: place.path).reason)
        }
        return nil
    }
}

extension BlueZStorage.Findings {
    fileprivate mutating func take(_ bond: Bond, _ path: String) {
        if bonds.contains(where: { $0.identity == bond.identity }) {
            passedOver.append("\(bond.identity.address): another adapter has a bond with it, too; that one is taken")
        } else {
            bonds.append(bond)
        }
    }
}

extension Bond.Absence {
    /// In words; `nil` where there is nothing to be said.
    fileprivate var text: String? {
        switch self {
        case .none: nil
        case .peripheralOnly: "its key is for the case that it connects to this machine"
        case .debugKey: "its key was made with the debug key, which everybody knows"
        case .privateAddress: "its address is a private one"
        }
    }
}

extension KeyFile.Fault {
    fileprivate func text(in path: String) -> String { "\(path)\(line.map { ", line \($0)" } ?? ""): \(reason)" }
}
