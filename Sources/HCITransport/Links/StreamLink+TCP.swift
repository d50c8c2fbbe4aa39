import CHCI
import Glibc
import HCI
import Wire

extension StreamLink {
    /// Connects to a controller that speaks H4 over TCP.
    ///
    /// Every address of the host is tried in turn. Looking the name up blocks the calling thread; an address in digits does not.
    ///
    /// - Parameters:
    ///   - timeout: for all addresses together
    ///   - loop: where the link will live
    /// - Throws: `TransportError.unknownHost`, `.cannotConnect`, `.cancelled`, `.system`.
    public static func connect(
        to host: String, port: UInt16, within timeout: Duration = .seconds(5), on loop: EventLoop
    ) async throws(TransportError) -> StreamLink {
        let deadline = loop.now + timeout
        var lastError = ETIMEDOUT
        for address in try SocketAddress.resolve(host, port: port) {
            let socket = try address.makeSocket()
            lastError = try await connect(socket.number, to: address, until: deadline, on: loop)
            if lastError == 0 { return StreamLink(on: loop, socket) }
        }
        throw .cannotConnect(host: host, port: port, errno: lastError)
    }

    /// Answers the error number, 0 when connected.
    private static func connect(
        _ socket: Int32, to address: SocketAddress, until deadline: Moment, on loop: EventLoop
    ) async throws(TransportError) -> Int32 {
        let result = address.connect(socket)
        guard result == EINPROGRESS else { return result }
        guard try await loop.readiness(of: socket, for: .writable, until: deadline) != nil else { return ETIMEDOUT }
        return -chci_pending_error(socket)
    }
}
