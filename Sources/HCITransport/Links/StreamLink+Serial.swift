import CHCI
import Glibc
import HCI

extension StreamLink {
    /// Opens a controller on a serial line or a pty (UART transport layer, Core Vol 4, Part A).
    ///
    /// The line is locked against other programs that ask (flock(2)), and gets its settings back when the link is shut
    /// down. A run that is killed leaves it raw: `stty sane -F PATH`.
    ///
    /// - Parameters:
    ///   - path: the device, `/dev/ttyUSB0` or `/dev/pts/5`
    ///   - baud: the speed in bits a second; `nil` leaves the line as it is. With a speed, RTS and CTS control the flow.
    ///   - loop: where the link will live
    /// - Throws: `TransportError.cannotOpen`, `.fileNotPermitted`, `.notATerminal`, `.portInUse`, `.unsupportedSpeed`.
    public static func open(
        serial path: String, baud: UInt32? = nil, on loop: EventLoop
    ) throws(TransportError) -> StreamLink {
        let descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        guard isatty(descriptor.number) == 1 else { throw .notATerminal(path: path) }
        if let baud, chci_speed(baud) == 0 { throw .unsupportedSpeed(path: path, baud: baud) }
        // Not TIOCEXCL: on a pty that would outlive a killed run.
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { throw .portInUse(path: path) }
        let settings = LineSettings(of: descriptor.number)
        let result = chci_terminal_raw(descriptor.number, baud ?? 0, baud == nil ? 0 : 1)
        guard result >= 0 else { throw .cannotOpen(path: path, errno: -result) }
        return StreamLink(on: loop, descriptor) { number in settings?.restore(to: number) }
    }
}

/// How a serial line was set before it was used.
private struct LineSettings: Sendable {
    private let settings: termios

    init?(of descriptor: Int32) {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.settings = settings
    }

    /// What the controller has still sent is no input for whoever comes next. Fails when the line is gone, and then there is
    /// nothing to restore.
    func restore(to descriptor: Int32) {
        var settings = settings
        tcflush(descriptor, TCIFLUSH)
        _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
    }
}

extension OwnedDescriptor {
    /// - Throws: `TransportError.fileNotPermitted` or `.cannotOpen`.
    init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(TransportError) {
        let result = OwnedDescriptor.opened(path, flags, mode: mode)
        switch -result {
        case EACCES, EPERM: throw .fileNotPermitted(path: path)
        case 1...: throw .cannotOpen(path: path, errno: -result)
        default: self.init(result)
        }
    }

    /// Opens a file; answers as a call of `CHCI`.
    static func opened(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
        let result = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
        return result < 0 ? -errno : result
    }
}
