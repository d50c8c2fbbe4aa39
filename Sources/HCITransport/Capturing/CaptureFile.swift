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

    /// Makes the file anew, with the invoking user's rights and for its owner alone, also where it was there before.
    ///
    /// - Throws: `TransportError.cannotCreate`, `.cannotWrite`.
    init(creating path: String) throws(TransportError) {
        let result = Privileges.openAsInvokingUser(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, mode: 0o600)
        guard result >= 0 else { throw .cannotCreate(path: path, errno: -result) }
        let file = OwnedDescriptor(result)
        CaptureFile.closeToOthers(file.number)
        let header = Btsnoop.fileHeader()
        let number = Files.append(header, to: file.number)
        guard number == 0 else { throw .cannotWrite(path: path, errno: number) }
        length = off_t(header.count)
        self.file = file
    }

    /// Of a device or a pipe the mode is none of this program's business; of another's file it cannot be changed.
    private static func closeToOthers(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        fchmod(descriptor, 0o600)
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
