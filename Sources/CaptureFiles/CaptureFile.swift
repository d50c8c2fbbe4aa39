public import Capture
import Glibc

/// A capture in a file, plain or compressed with gzip, read record by record in constant memory.
///
/// ```swift
/// var file = try CaptureFile("ride.pcapng.gz")
/// while let record = try file.next() { … }
/// ```
public struct CaptureFile: ~Copyable {
    private let descriptor: Int32
    private var decoder = CaptureDecoder()
    private var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: `CaptureFileError.unreadable`
    public init(_ path: String) throws(CaptureFileError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(errno: errno) }
    }

    deinit { close(descriptor) }

    /// All records of a file, for one that is known to be small.
    ///
    /// - Throws: `CaptureFileError`, also where only the end of the file is damaged
    public static func records(of path: String) throws(CaptureFileError) -> [Record] {
        var file = try CaptureFile(path)
        var records: [Record] = []
        while let record = try file.next() { records.append(record) }
        return records
    }

    /// What the file is; `nil` before its first record was read.
    public var format: CaptureFormat? { decoder.format }

    /// The next record; `nil` at the end.
    ///
    /// - Throws: once, at what ends the reading; afterwards there are no more records.
    public mutating func next() throws(CaptureFileError) -> Record? {
        while true {
            do throws(CaptureFileError) {
                if let record = try decoder.next() { return record }
                if isAtEnd { return nil }
                let octets = try readSome()
                isAtEnd = octets.isEmpty
                if isAtEnd { decoder.finish() } else { decoder.feed(octets) }
            } catch {
                isAtEnd = true
                throw error
            }
        }
    }

    /// The next octets of the file; none at its end.
    private func readSome() throws(CaptureFileError) -> [UInt8] {
        let room = 1 << 18
        while true {
            var result = 0
            let octets = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                unsafe result = read(descriptor, buffer.baseAddress, room)
                count = max(0, result)
            }
            if result >= 0 { return octets }
            guard errno == EINTR else { throw .unreadable(errno: errno) }
        }
    }
}
