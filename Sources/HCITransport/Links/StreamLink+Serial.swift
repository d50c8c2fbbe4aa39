import CHCI
import Glibc
import HCI

extension StreamLink {
    /// Opens a controller on a serial line or a pty (UART transport layer, Core Vol 4, Part A).
    ///
    /// - Parameters:
    ///   - path: the device, `/dev/ttyUSB0` or `/dev/pts/5`
    ///   - baud: the speed in bits a second; `nil` leaves the line as it is. With a speed, RTS and CTS control the flow.
    ///   - loop: where the link will live
    /// - Throws: `TransportError.cannotOpen`, `.notPermitted`, `.notATerminal`, `.unsupportedSpeed`.
    public static func open(
        serial path: String, baud: UInt32? = nil, on loop: EventLoop
    ) throws(TransportError) -> StreamLink {
        let descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        guard isatty(descriptor.number) == 1 else { throw .notATerminal(path: path) }
        if let baud, chci_speed(baud) == 0 { throw .unsupportedSpeed(path: path, baud: baud) }
        let result = chci_terminal_raw(descriptor.number, baud ?? 0, baud == nil ? 0 : 1)
        guard result >= 0 else { throw .cannotOpen(path: path, errno: -result) }
        return StreamLink(on: loop, descriptor)
    }
}

extension OwnedDescriptor {
    /// - Throws: `TransportError.notPermitted` or `.cannotOpen`.
    init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(TransportError) {
        let result = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
        guard result >= 0 else {
            let number = errno
            if number == EACCES || number == EPERM { throw .notPermitted(operation: "open \(path)") }
            throw .cannotOpen(path: path, errno: number)
        }
        self.init(result)
    }
}
