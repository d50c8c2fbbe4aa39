import Capture
import Glibc
import Wire

/// A btsnoop file that is being written. Each record goes to the system at once, so that a killed run's file still reads.
struct CaptureFile: ~Copyable {
    private let file: OwnedDescriptor
    /// Octets of whole records; what a full disk has left behind them is cut off again.
    private var length: off_t
    private var buffer: [UInt8] = []
    /// Records that could not be written. The next one that can tells how many.
    private(set) var drops: UInt32 = 0

    var descriptor: Int32 { file.number }

    /// Makes the file anew, for its owner alone.
    ///
    /// - Throws: `TransportError.notPermitted`, `.cannotOpen`, `.cannotWrite`.
    init(creating path: String) throws(TransportError) {
        let file = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY)
        let header = Btsnoop.fileHeader()
        let number = Files.append(header, to: file.number)
        guard number == 0 else { throw .cannotWrite(path: path, errno: number) }
        length = off_t(header.count)
        self.file = file
    }

    /// Writes one packet; answers the error number, 0 when it went well.
    mutating func write(_ packet: [UInt8], _ direction: Record.Direction, at timestamp: Timestamp) -> Int32 {
        buffer.removeAll(keepingCapacity: true)
        Btsnoop.append(packet, direction, at: timestamp, drops: drops, to: &buffer)
        let number = Files.append(buffer, to: file.number)
        if number == 0 {
            length += off_t(buffer.count)
        } else {
            drops = drops == .max ? drops : drops + 1
            // Fails on what is no file, and need not be done there.
            ftruncate(file.number, length)
            lseek(file.number, length, SEEK_SET)
        }
        return number
    }
}
