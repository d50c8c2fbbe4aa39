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

/// A folder that goes with the test.
final class TemporaryFolder {
    let path: String

    init() throws(TransportError) {
        var template = Array("/tmp/hr-raw-test.XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template) != nil
        try check(made ? 0 : -errno, "mkdtemp")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes the file, and the folders it lies in.
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws(TransportError) {
        let file = path + "/" + name
        Files.makeFolder(file.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })
        let descriptor = try OwnedDescriptor(opening: file, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try check(-Files.append(Array(text.utf8), to: descriptor.number), "write")
    }

    deinit { TemporaryFolder.remove(path) }

    private static func remove(_ path: String) {
        for name in Files.names(in: path) { remove(path + "/" + name) }
        _ = unsafe Glibc.remove(path)
    }
}

/// All octets of a file.
func contents(of path: String) throws(TransportError) -> [UInt8] {
    let file = try OwnedDescriptor(opening: path, O_RDONLY)
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe read(file.number, &buffer, buffer.count)
        try check(count < 0 ? -errno : 0, "read")
        if count == 0 { return octets }
        octets += buffer[..<count]
    }
}
