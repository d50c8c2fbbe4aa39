public import Capture
import Wire

/// A capture, whole in memory, for tests and for whoever has a bug to find: what its host saw (`seen()`), and the capture as a
/// controller that answers our host as it answered the recorded one (`play(_:)`).
public struct Recording: Sendable {
    /// Every record, in the order of the file.
    public let records: [Record]
    /// What kept the rest of the file from being read; `nil` for a file that is whole.
    public let damage: CaptureError?

    /// - Parameter records: in the order of a capture
    public init(records: [Record]) {
        self.records = records
        damage = nil
    }

    /// Reads a capture of any format.
    ///
    /// - Throws: `CaptureError` where there is no record in it; damage behind a record is told in `damage`
    public init(octets: [UInt8]) throws(CaptureError) {
        var reader = CaptureReader()
        reader.feed(octets)
        reader.finish()
        var records: [Record] = []
        var damage: CaptureError?
        do throws(CaptureError) {
            while let record = try reader.next() { records.append(record) }
        } catch {
            guard !records.isEmpty else { throw error }
            damage = error
        }
        self.records = records
        self.damage = damage
    }
}
