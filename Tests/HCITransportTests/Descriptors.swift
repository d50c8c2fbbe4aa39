import CHCI
import Glibc

@testable import HCITransport

/// The test's own end of a pair, closed at the latest with the test.
final class FarEnd {
    let number: Int32
    private var isOpen = true

    init(_ number: Int32) { self.number = number }

    func close() {
        if isOpen { _ = Glibc.close(number) }
        isOpen = false
    }

    deinit { close() }
}

/// The two ends of a stream; the near one does not block, the far one does.
func streamPair() throws(TransportError) -> (near: Int32, far: FarEnd) {
    try socketPair(Int32(SOCK_STREAM.rawValue))
}

/// The two ends of a pair that keeps packets apart, as a user channel does.
func packetPair() throws(TransportError) -> (near: Int32, far: FarEnd) {
    try socketPair(Int32(SOCK_SEQPACKET.rawValue))
}

private func socketPair(_ kind: Int32) throws(TransportError) -> (near: Int32, far: FarEnd) {
    var pair: [Int32] = [0, 0]
    let result = unsafe socketpair(AF_UNIX, kind, 0, &pair)
    try check(result < 0 ? -errno : result, "socketpair")
    try makeNonBlocking(pair[0])
    return (pair[0], FarEnd(pair[1]))
}

func makeNonBlocking(_ descriptor: Int32) throws(TransportError) {
    let result = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    try check(result < 0 ? -errno : result, "fcntl")
}

/// Writes everything, blocking.
func writeAll(_ octets: [UInt8], to end: FarEnd) throws(TransportError) {
    defer { withExtendedLifetime(end) {} }
    var rest = octets[...]
    while !rest.isEmpty {
        let count = unsafe Array(rest).withUnsafeBytes { unsafe chci_write(end.number, $0.baseAddress, $0.count) }
        rest = rest.dropFirst(Int(try check(count, "write")))
    }
}

/// Reads so many octets, or fewer when the other side closes; blocking.
func readAll(_ end: FarEnd, count: Int) throws(TransportError) -> [UInt8] {
    defer { withExtendedLifetime(end) {} }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count < count {
        let read = unsafe read(end.number, &buffer, min(buffer.count, count - octets.count))
        try check(read < 0 ? -errno : 0, "read")
        if read == 0 { break }
        octets += buffer[..<read]
    }
    return octets
}
