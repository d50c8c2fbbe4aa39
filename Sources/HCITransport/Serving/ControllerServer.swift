import CHCI
import Glibc
public import HCI
import Wire

/// Serves a virtual controller to other programs, or to this machine's kernel.
public final class ControllerServer: Sendable {
    /// What a host that comes is served with.
    public typealias MakeController = @Sendable () -> any VirtualController

    /// Where the host finds the controller.
    public enum Place: Hashable, Sendable {
        /// H4 over TCP on this machine's loopback.
        case tcp(port: UInt16)
        /// H4 over a pseudo-terminal.
        case pty(path: String)
        /// An adapter of this machine's kernel.
        case adapter(index: UInt16)
    }

    /// Where the host finds the controller.
    public let place: Place
    private let loop: EventLoop
    private let makeController: MakeController
    private let backend: Backend

    private enum Backend {
        case listener(Listener)
        case link(any ControllerLink)
    }

    private init(_ place: Place, _ backend: Backend, on loop: EventLoop, _ makeController: @escaping MakeController) {
        self.place = place
        self.backend = backend
        self.loop = loop
        self.makeController = makeController
    }

    /// Serves hosts until the task is cancelled; an adapter, until the kernel lets go of it.
    ///
    /// Over TCP one host is served at a time; each finds a fresh controller, and one that comes meanwhile waits for its turn.
    ///
    /// - Throws: `TransportError.system`.
    public func run() async throws(TransportError) {
        switch backend {
        case .link(let link):
            _ = await ControllerSession(makeController(), over: link).run()
        case .listener(let listener):
            while let link = try await listener.accept(on: loop) {
                _ = await ControllerSession(makeController(), over: link).run()
            }
        }
    }
}

extension ControllerServer {
    /// Serves H4 over TCP on 127.0.0.1.
    ///
    /// - Parameter port: 0 takes any that is free; `place` tells which
    /// - Throws: `TransportError.cannotListen`, `.system`.
    public static func tcp(
        port: UInt16, on loop: EventLoop, serving makeController: @escaping MakeController
    ) throws(TransportError) -> ControllerServer {
        let listener = try Listener(port: port)
        return ControllerServer(.tcp(port: listener.port), .listener(listener), on: loop, makeController)
    }

    /// Serves H4 over a new pseudo-terminal.
    ///
    /// - Throws: `TransportError.system`.
    public static func pty(
        on loop: EventLoop, serving makeController: @escaping MakeController
    ) throws(TransportError) -> ControllerServer {
        var terminal: Int32 = 0
        var path = [UInt8](repeating: 0, count: 128)
        let primary = try OwnedDescriptor(
            checked: unsafe chci_pty_create(&terminal, &path, path.count), "posix_openpt")
        let link = StreamLink(on: loop, primary, from: .host, keeping: OwnedDescriptor(terminal))
        return ControllerServer(
            .pty(path: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)), .link(link), on: loop, makeController)
    }

    /// Adds an adapter to this machine's kernel, which leaves again with the server. Needs root and the module `hci_vhci`.
    ///
    /// - Throws: `TransportError.cannotOpen`, `.fileNotPermitted`, `.system`.
    public static func adapter(
        on loop: EventLoop, serving makeController: @escaping MakeController
    ) throws(TransportError) -> ControllerServer {
        let device = try OwnedDescriptor(opening: "/dev/vhci", O_RDWR | O_NONBLOCK)
        let index = try createAdapter(device.number)
        let link = PacketLink(on: loop, device)
        return ControllerServer(.adapter(index: index), .link(link), on: loop, makeController)
    }

    /// Asks the driver for an adapter; it answers with the adapter's index.
    private static func createAdapter(_ device: Int32) throws(TransportError) -> UInt16 {
        let vendorPacket: UInt8 = 0xFF
        let create: UInt8 = 0x00
        try check(unsafe chci_write(device, [vendorPacket, create], 2), "write to /dev/vhci")
        var waiting = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waiting, 1, 1000)
        var answer = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(device, &answer, answer.count)
        guard count == 4, answer[0] == vendorPacket else {
            throw .system(errno: count < 0 ? errno : EIO, operation: "read from /dev/vhci")
        }
        return UInt16(answer[2]) | UInt16(answer[3]) << 8
    }
}

/// A listening TCP socket.
private final class Listener: Sendable {
    private let socket: OwnedDescriptor
    let port: UInt16

    init(port: UInt16) throws(TransportError) {
        guard let address = try SocketAddress.resolve("127.0.0.1", port: port).first else {
            throw .unknownHost(host: "127.0.0.1", reason: "no address")
        }
        let socket = try address.makeSocket()
        let number = address.listen(socket.number)
        guard number == 0 else { throw .cannotListen(port: port, errno: number) }
        self.port = chci_local_port(socket.number)
        self.socket = socket
    }

    /// The next host; `nil` when the task was cancelled.
    func accept(on loop: EventLoop) async throws(TransportError) -> StreamLink? {
        while !Task.isCancelled {
            do throws(TransportError) {
                _ = try await loop.readiness(of: socket.number, for: .readable)
            } catch .cancelled {
                break
            }
            let result = chci_accept(socket.number)
            if result >= 0 { return StreamLink(on: loop, OwnedDescriptor(result), from: .host) }
            // The host has left again already, or the call was disturbed.
            guard [EAGAIN, EINTR, ECONNABORTED].contains(-result) else {
                throw .system(errno: -result, operation: "accept")
            }
        }
        return nil
    }
}
