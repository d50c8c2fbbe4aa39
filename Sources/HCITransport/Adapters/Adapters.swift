import CHCI
import Glibc
import Wire

/// The Bluetooth adapters of this machine.
public enum Adapters {
    /// All adapters, by index. Needs no privilege.
    ///
    /// - Throws: `TransportError.noBluetooth` when the kernel has no Bluetooth, `.system`.
    public static func list() throws(TransportError) -> [Adapter] {
        try AdapterInventory.system.list()
    }

    /// What runs that were killed have left to do, of adapters that are there and down.
    public static func pendingRestorations() throws(TransportError) -> [Restoration] {
        try list().compactMap(\.restoration)
    }

    /// Puts an adapter up again that a killed run has left down.
    ///
    /// - Throws: `TransportError.notPermitted`, `.blocked`, `.noSuchAdapter`, `.system`; `.cannotWrite` when the adapter is up and
    ///   only the note that it was down could not be removed.
    public static func restore(_ restoration: Restoration) throws(TransportError) {
        let adapters = try list().filter { $0.address == restoration.address }
        guard let adapter = adapters.first else { throw .noSuchAdapter(.address(restoration.address)) }
        try AdapterControl().putUp(adapter)
        try AdapterLease.clear(restoration)
    }
}

/// Where the facts about adapters come from. A test gives folders of its own.
struct AdapterInventory: Sendable {
    /// Where sysfs and procfs are; empty for the machine's own.
    var root = ""
    /// Where lock files may lie.
    var leaseFolders: [String]

    static var system: AdapterInventory { AdapterInventory(leaseFolders: AdapterLease.folders()) }

    func list() throws(TransportError) -> [Adapter] {
        let control = try AdapterControl()
        let managed = (try? ManagementChannel())?.indices()
        let isManaged = isBluetoothDaemonRunning
        var adapters: [Adapter] = []
        for index in try control.indices() {
            // One that goes away just now is left out.
            guard var adapter = control.information(index) else { continue }
            adapter.connections = control.connections(index)
            adapter.isManaged = isManaged
            adapter.block = block(adapter.name)
            let isKnown = managed?.contains(index)
            adapter.isHeld = isKnown.map { !$0 && adapter.isUp }
            adapter.isSettingUp = adapter.isSettingUp || (isKnown == false && !adapter.isUp)
            readLease(of: &adapter)
            adapters.append(adapter)
        }
        return adapters
    }

    /// What rfkill has against the adapter.
    func block(_ name: String) -> Adapter.Block? {
        let folder = root + "/sys/class/rfkill"
        for entry in Files.names(in: folder) where Files.line("\(folder)/\(entry)/name") == name {
            if Files.line("\(folder)/\(entry)/hard") == "1" { return .hard }
            if Files.line("\(folder)/\(entry)/soft") == "1" { return .soft }
        }
        return nil
    }

    /// Whether bluetoothd runs.
    var isBluetoothDaemonRunning: Bool {
        Files.names(in: root + "/proc").contains { name in
            name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && Files.line("\(root)/proc/\(name)/comm") == "bluetoothd"
        }
    }

    /// Adds what the adapter's lock files say.
    func readLease(of adapter: inout Adapter) {
        for folder in leaseFolders {
            guard let lease = AdapterLease.read(adapter.index, in: folder) else { continue }
            if lease.isHeld {
                adapter.holder = lease.holder
            } else if lease.wasUp, !adapter.isUp, let address = adapter.address, address == lease.address {
                adapter.restoration = Restoration(
                    index: adapter.index, address: address, holder: lease.holder, path: lease.path)
            }
        }
    }
}
