import CHCI
import Glibc
import Wire

/// The adapter ioctls of the kernel. Reading takes no privilege; changing takes CAP_NET_ADMIN.
struct AdapterControl: ~Copyable {
    private let socket: HCISocket

    /// - Throws: `TransportError.noBluetooth`, `.system`.
    init() throws(TransportError) { socket = try HCISocket() }

    /// The indices of all adapters, sorted.
    borrowing func indices() throws(TransportError) -> [UInt16] {
        var indices = [UInt16](repeating: 0, count: Int(CHCI_MAXIMUM_ADAPTERS))
        let count = try check(unsafe chci_device_list(socket.number, &indices), "HCIGETDEVLIST")
        return indices[..<Int(count)].sorted()
    }

    /// What the kernel says of one adapter; `nil` when it is gone, or no LE controller by its kind.
    borrowing func information(_ index: UInt16) -> Adapter? {
        let device = chci_device_info(socket.number, index)
        // Alternate MAC/PHY controllers carry no links of their own.
        guard device.result == 0, device.kind == 0 else { return nil }
        let isUp = chci_is_up(device.flags) == 1
        return Adapter(
            index: index,
            address: device.address == 0 ? nil : Address(rawValue: device.address),
            bus: Adapter.Bus(rawValue: device.bus),
            isUp: isUp,
            isSettingUp: chci_is_initialising(device.flags) == 1,
            supportsLowEnergy: AdapterControl.supportsLowEnergy(device.features),
            isPermitted: Privileges.mayControlAdapters)
    }

    /// LE Supported (Controller): bit 38 of the LMP features (Core Vol 2, Part C, 3.3); none at all means not read yet.
    private static func supportsLowEnergy(_ features: UInt64) -> Bool? {
        features == 0 ? nil : features >> 38 & 1 == 1
    }

    /// The peers of an adapter's connections.
    borrowing func connections(_ index: UInt16) -> [Address] {
        var peers = [UInt64](repeating: 0, count: Int(CHCI_MAXIMUM_CONNECTIONS))
        let count = unsafe chci_connection_list(socket.number, index, &peers)
        return count > 0 ? peers[..<Int(count)].map { Address(rawValue: $0) } : []
    }

    /// Powers an adapter; one that is powered already stays so.
    borrowing func putUp(_ adapter: Adapter) throws(TransportError) {
        let result = chci_device_up(socket.number, adapter.index)
        guard result < 0, result != -EALREADY else { return }
        throw TransportError(adapter: adapter, errno: -result, operation: "HCIDEVUP")
    }

    /// Takes an adapter down, and with it all its connections.
    borrowing func takeDown(_ adapter: Adapter) throws(TransportError) {
        let result = chci_device_down(socket.number, adapter.index)
        guard result < 0 else { return }
        throw TransportError(adapter: adapter, errno: -result, operation: "HCIDEVDOWN")
    }
}

extension TransportError {
    /// What an error number means when it comes from an adapter.
    init(adapter: Adapter, errno number: Int32, operation: String) {
        self =
            switch number {
            case EPERM, EACCES: .notPermitted(operation: operation)
            case EBUSY: .busy(adapter: adapter.index)
            case EUSERS: .held(adapter: adapter.index, by: adapter.holder)
            case ERFKILL: .blocked(adapter: adapter.index, hard: adapter.block == .hard)
            case ENODEV: .noSuchAdapter(.index(adapter.index))
            case ENETDOWN: .down(adapter: adapter.index)
            case EBADFD: .wrongChannel(operation: operation)
            case EAFNOSUPPORT: .noBluetooth
            case ETIMEDOUT, EIO, EILSEQ: .doesNotStart(adapter: adapter.index, errno: number)
            default: .system(errno: number, operation: operation)
            }
    }
}
