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
    private var decompressor = Decompressor()
    private var reader = CaptureReader()
    /// Whether the system has no more octets.
    private var isAtEnd = false
    /// Whether the reader has been told so.
    private var isFinished = false
    /// Whether there are no more records.
    private var isDone = false

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
    public var format: CaptureFormat? { reader.format }

    /// The next record; `nil` at the end.
    ///
    /// - Throws: once, at what ends the reading; afterwards there are no more records.
    public mutating func next() throws(CaptureFileError) -> Record? {
        while !isDone {
            do throws(CaptureFileError) {
                if let record = try nextWhole() { return record }
                isDone = isFinished
                if !isDone { try feed() }
            } catch {
                isDone = true
                throw error
            }
        }
        return nil
    }

    private mutating func nextWhole() throws(CaptureFileError) -> Record? {
        do throws(CaptureError) {
            return try reader.next()
        } catch {
            throw .capture(error)
        }
    }

    /// Gives the reader more octets, or tells it that there are none.
    private mutating func feed() throws(CaptureFileError) {
        while !isAtEnd {
            if let octets = try decompressed() { return reader.feed(octets) }
            let octets = try readSome()
            if octets.isEmpty {
                decompressor.finish()
                isAtEnd = true
            } else {
                decompressor.feed(octets)
            }
        }
        if let octets = try decompressed() {
            reader.feed(octets)
        } else {
            reader.finish()
            isFinished = true
        }
    }

    private mutating func decompressed() throws(CaptureFileError) -> [UInt8]? {
        do throws(GzipError) {
            return try decompressor.next()
        } catch {
            throw .compression(error)
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
