import Capture
import Dissection

extension [UInt8] {
    mutating func appendLine(for dissected: Dissected) {
        append(decimal: Int64(dissected.record.frame))
        append("\n" as StaticString)
    }
}
