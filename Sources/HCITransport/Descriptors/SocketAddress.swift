import CHCI
import Glibc

/// An address of the Internet protocols, as octets that only the system reads.
struct SocketAddress: Sendable {
    private let family: Int32
    private let octets: [UInt8]

    /// The addresses of a host, given in digits or by name.
    ///
    /// - Throws: `TransportError.unknownHost`.
    static func resolve(_ host: String, port: UInt16) throws(TransportError) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        // Without this each address comes once for every kind of socket.
        unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else {
            throw .unknownHost(host: host, reason: unsafe String(cString: gai_strerror(result)))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe addresses.append(SocketAddress(entry.pointee))
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private init(_ entry: addrinfo) {
        family = unsafe entry.ai_family
        octets = unsafe [UInt8](UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
    }

    /// A TCP socket for this address, in non-blocking mode.
    func makeSocket() throws(TransportError) -> OwnedDescriptor {
        try OwnedDescriptor(checked: chci_tcp_socket(family), "socket")
    }

    /// Answers the error number: 0 when connected, EINPROGRESS when it takes a while.
    func connect(_ descriptor: Int32) -> Int32 {
        -(unsafe chci_connect(descriptor, octets, socklen_t(octets.count)))
    }

    /// Binds and listens; answers the error number.
    func listen(_ descriptor: Int32) -> Int32 {
        -(unsafe chci_listen(descriptor, octets, socklen_t(octets.count)))
    }
}
