import HCITransport
import Wire

extension Failure {
    /// Why the way to a controller could not be opened, and what to do.
    init(_ error: TransportError) {
        switch error {
        case .noBluetooth:
            self.init(.unavailable, "this kernel has no Bluetooth", remedy: Self.simulatorHint)
        case .noAdapter:
            self.init(.unavailable, "there is no Bluetooth adapter", remedy: Self.simulatorHint)
        case .noSuchAdapter(let selector):
            self.init(
                .unavailable, "there is no adapter \(selector.description)",
                remedy: "hr-raw adapters lists those there are. " + Self.simulatorHint)
        case .lacksLowEnergy(let index):
            self.init(
                .unavailable, "hci\(index) has no Bluetooth LE", remedy: "Use another: hr-raw adapters lists them.")
        case .notPermitted(let operation):
            self.init(
                .noPermission, "not permitted: \(operation)",
                remedy: "Run it with sudo, or once: sudo setcap cap_net_admin,cap_net_raw+ep $(command -v hr-raw)")
        case .busy(let index):
            self.init(
                .busy, "hci\(index) is in use by another program",
                remedy: "End that program, or wait until the adapter is set up.")
        case .held(let index, let holder?):
            self.init(
                .busy, "hci\(index) is in use by \(holder.program) (process \(holder.process))",
                remedy: "End it, or use another adapter.")
        case .held(let index, nil):
            self.init(.busy, "hci\(index) is in use by another program", remedy: "End it, or use another adapter.")
        case .liveConnections(let index, let peers):
            let list = peers.map(\.description).joined(separator: ", ")
            self.init(
                .busy, "hci\(index) carries connections of other programs: \(list)",
                remedy: "--take-over uses it all the same, and ends them.")
        case .blocked(_, hard: true):
            self.init(.busy, "Bluetooth is switched off by a switch of this machine", remedy: "Switch it on.")
        case .blocked(let index, hard: false):
            self.init(.busy, "hci\(index) is blocked by rfkill", remedy: "rfkill unblock bluetooth")
        case .down(let index):
            self.init(.unavailable, "hci\(index) went down while it was being opened", remedy: "Try again.")
        case .wrongChannel(let operation):
            self.init(.failure, "\(operation): the socket is bound to another channel")
        case .doesNotStart(let index, let errno):
            self.init(
                .unavailable, "hci\(index) does not start: \(SystemError(code: errno).text)",
                remedy: "Unplug it and plug it in again.")
        case .unknownHost(let host, let reason):
            self.init(.unavailable, "\(host) has no address: \(reason)")
        case .cannotConnect(let host, let port, let errno):
            self.init(
                .unavailable, "no controller at \(host):\(port): \(SystemError(code: errno).text)",
                remedy: "Is the program that serves it running?")
        case .cannotListen(let port, let errno):
            self.init(
                .unavailable, "cannot listen at port \(port): \(SystemError(code: errno).text)",
                remedy: "--tcp 0 takes any port that is free.")
        case .fileNotPermitted(let path):
            self.init(.noPermission, "not permitted: open \(path)", remedy: Self.permission(for: path))
        case .cannotCreate(let path, let errno):
            self.init(.failure, "\(path) cannot be made: \(SystemError(code: errno).text)")
        case .portInUse(let path):
            self.init(.busy, "\(path) is in use by another program", remedy: "End it, or use another port.")
        case .cannotOpen(let path, let errno):
            self.init(.unavailable, "\(path): \(SystemError(code: errno).text)")
        case .cannotWrite(let path, let errno):
            self.init(.failure, "\(path) cannot be written: \(SystemError(code: errno).text)")
        case .inUse(let path):
            self.init(.failure, "another process is using \(path)", remedy: "Try again when it is done.")
        case .notATerminal(let path):
            self.init(.unavailable, "\(path) is no serial port")
        case .unsupportedSpeed(let path, let baud):
            self.init(
                .usage, "\(path) has no speed of \(baud) bit/s",
                remedy: "115200, 921600, 1000000 and 3000000 are usual.")
        case .cancelled:
            self.init(.failure, "given up")
        case .system(let errno, let operation):
            self.init(.failure, "\(operation): \(SystemError(code: errno).text)")
        }
    }

    /// Serial ports belong to a group that users can be in; other devices are root's.
    private static func permission(for path: String) -> String {
        path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial/")
            ? "Add yourself to the port's group and log in again: sudo usermod -aG dialout $USER" : "Run it with sudo."
    }

    /// Nothing is simulated unless asked for; whoever has no adapter should know that it can be.
    private static let simulatorHint = "--adapter sim tries everything on simulated straps."
}
