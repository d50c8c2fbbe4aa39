import Capture
import CaptureFiles
import Replay

/// A capture given on the command line, read record by record.
struct CaptureInput: ~Copyable {
    /// As the user wrote it.
    let path: String
    private var file: InputFile
    private var reader = CaptureDecoder()

    /// - Parameters:
    ///   - path: `-` is standard input
    ///   - follows: whether to wait at the end for what is yet to be written
    init(path: String, follows: Bool = false) throws(Failure) {
        self.path = path
        do throws(SystemError) {
            file = try InputFile(path: path, follows: follows)
        } catch {
            throw Failure(.badInput, "cannot read '\(path)': \(error.text)")
        }
    }

    /// Why a file that is followed is read no further; `nil` where it was read to its end.
    var ending: InputFile.Ending? { file.ending }

    /// Hands each record to `body`, in order, until the end or a signal.
    ///
    /// - Parameter output: flushed where the next records may be long in coming
    /// - Returns: what kept the rest from being read, to be thrown once all that was read is printed
    mutating func read(
        _ output: StandardOutput, _ body: (consuming Record) throws(OutputError) -> Void
    ) throws(OutputError) -> Failure? {
        while !Interruption.isRequested {
            let octets: [UInt8]
            do throws(SystemError) {
                octets = try file.read(upTo: 1 << 18)
            } catch {
                return Failure(.badInput, "cannot read '\(path)': \(error.text)")
            }
            // Half a record is no damage where its rest may come, or is nobody's concern.
            if file.ending != nil { return nil }
            if octets.isEmpty { reader.finish() }
            reader.feed(octets)
            var damage: Failure?
            while let record = next(&damage) { try body(record) }
            // A signal ends the octets where it finds them; that is no damage.
            if damage != nil || octets.isEmpty { return Interruption.isRequested ? nil : damage }
            if !file.isComplete { try output.flush() }
        }
        return nil
    }

    /// Reads all records at once, up to `mostOctets` in memory.
    ///
    /// - Returns: the records before a damage are a recording as well; the damage, to be thrown once they are played
    /// - Throws: `Failure` where there is no record, or too much of them
    mutating func readWhole(_ output: StandardOutput) throws -> (recording: Recording, damage: Failure?) {
        var records: [Record] = []
        var room = Self.mostOctets
        let damage: Failure?
        do throws(OutputError) {
            damage = try read(output) { (record) throws(OutputError) in
                room -= MemoryLayout<Record>.stride + record.octets.count + 32
                // Nothing is written here that could fail: it ends the reading.
                guard room > 0 else { throw OutputError.readerGone }
                records.append(record)
            }
        } catch {
            guard room <= 0 else { throw error }
            throw Failure(.badInput, "'\(path)' holds too much to be replayed: more than a gibibyte in memory")
        }
        if let damage, records.isEmpty { throw damage }
        return (Recording(records: records), damage)
    }

    private static let mostOctets = 1 << 30

    /// The next record that is whole; `nil` where none is, and at the damage.
    private mutating func next(_ damage: inout Failure?) -> Record? {
        do throws(CaptureFileError) {
            return try reader.next()
        } catch {
            damage = Failure(.badInput, "'\(path)': \(error)")
            return nil
        }
    }
}
