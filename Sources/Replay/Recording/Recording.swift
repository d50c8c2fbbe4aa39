public import Capture
public import CaptureFiles
import Wire

/// A capture, whole in memory, for tests and for whoever has a bug to find: what its host saw (`seen()`), and the capture as a
/// controller that answers our host as it answered the recorded one (`play(_:)`).
public struct Recording: Sendable {
    /// Every record, in the order of the file.
    public let records: [Record]
    /// What kept the rest of the file from being read; `nil` for a file that is whole.
    public let damage: CaptureFileError?

    /// - Parameters:
    ///   - records: in the order of a capture
    ///   - damage: what kept others from being read
    public init(records: [Record], damage: CaptureFileError? = nil) {
        self.records = records
        self.damage = damage
    }

    /// Reads a file of any capture format, also a compressed one.
    ///
    /// - Throws: `CaptureFileError` where there is no record in it; damage behind a record is told in `damage`
    public init(contentsOf path: String) throws(CaptureFileError) {
        var file = try CaptureFile(path)
        var records: [Record] = []
        do throws(CaptureFileError) {
            while let record = try file.next() { records.append(record) }
            self.init(records: records)
        } catch {
            guard !records.isEmpty else { throw error }
            self.init(records: records, damage: error)
        }
    }
}
