public import HCI
import HCITransport
public import Host
public import SMP
public import Wire

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
            let place = folder.folder(name).file("info")
            guard let address = Address(name), let octets = read(place, &findings) else { continue }
            switch Self.finding(inInfo: octets, of: address, on: adapter) {
            case .bond(var bond):
                if let ownKey, ownKey == findings.ownKey { bond.ownIdentity = adapter }
                findings.take(bond)
            case .nothing(let reason):
                if let reason { findings.passedOver.append("\(address): \(reason)") }
            case .fault(let line, let reason):
                findings.faults.append(Self.text(place.path, line, reason))
            }
        }
    }

    /// The adapter's own identity resolving key, which there is once it has had privacy.
    private func ownKey(_ folder: StateFolder, _ findings: inout Findings) -> SecretKey? {
        let place = folder.file("identity")
        guard let octets = read(place, &findings) else { return nil }
        do throws(KeyFile.Fault) {
            return try Bond.resolvingKey(KeyFile(octets), "General", "IdentityResolvingKey")
        } catch {
            findings.faults.append(Self.text(place.path, error.line, error.reason))
            return nil
        }
    }

    /// `nil` where there is no such file, and where it cannot be read, which is told of.
    private func read(_ place: StateFile, _ findings: inout Findings) -> [UInt8]? {
        do throws(StateFile.Obstacle) {
            return try place.content()?.octets
        } catch {
            findings.faults.append(BondStoreError(reading: error, at: place.path).reason)
            return nil
        }
    }

    private static func text(_ path: String, _ line: Int?, _ reason: String) -> String {
        "\(path)\(line.map { ", line \($0)" } ?? ""): \(reason)"
    }
}

// MARK: One device

extension BlueZStorage {
    /// What one file tells.
    public enum Finding: Hashable, Sendable {
        case bond(Bond)
        /// No bond, though nothing is wrong; `nil` where there is nothing to be said about it.
        case nothing(String?)
        /// It cannot be read: in which line, from 1, where it is one, and why. It says no value.
        case fault(line: Int?, reason: String)
    }

    /// Reads a device's file `info`.
    ///
    /// - Parameters:
    ///   - octets: its content
    ///   - device: the name of the folder that it lies in
    ///   - adapter: the name of the folder above
    public static func finding(inInfo octets: [UInt8], of device: Address, on adapter: DeviceAddress) -> Finding {
        do throws(KeyFile.Fault) {
            switch try Bond.read(KeyFile(octets), of: device, adapter: adapter) {
            case .success(let bond): return .bond(bond)
            case .failure(let absence): return .nothing(absence.text)
            }
        } catch {
            return .fault(line: error.line, reason: error.reason)
        }
    }
}

extension BlueZStorage.Findings {
    fileprivate mutating func take(_ bond: Bond) {
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
