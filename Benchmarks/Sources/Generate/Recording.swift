import Capture
import Foundation
import Wire

/// A capture that was recorded elsewhere, to be repeated.
struct Recording {
    private let records: [Record]

    init(path: String) throws {
        var reader = CaptureReader()
        reader.feed([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        reader.finish()
        var records: [Record] = []
        while let record = try reader.next() { records.append(record) }
        guard !records.isEmpty else { throw CaptureError.empty }
        self.records = records
    }

    /// All its records once, each as long after the one before as it was recorded.
    func record(on tape: inout Tape) {
        var last = records.first?.timestamp
        for record in records {
            let (now, before) = (record.timestamp ?? last, last)
            let pause = max(0, (now?.microseconds ?? 0) - (before?.microseconds ?? 0))
            if record.direction == .sent {
                tape.send(record.octets, afterMicroseconds: pause)
            } else {
                tape.receive(record.octets, afterMicroseconds: pause)
            }
            last = now
        }
    }
}
