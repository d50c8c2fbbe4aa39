import GATT
import Host
import Wire

extension FuzzTarget {
    /// The text in which known handles are kept on disk. What was taken is written in one way, which is taken again.
    static let handleCache = FuzzTarget(name: "handle-cache") { octets in
        try readBack(octets)
        // By chance no text has the right sum: it is put right.
        try readBack(withEnd(octets))
    }

    /// A text that the program keeps, with the last line that belongs to it.
    static func withEnd(_ octets: [UInt8]) -> [UInt8] {
        let body = octets.last == UInt8(ascii: "\n") ? octets : octets + [UInt8(ascii: "\n")]
        let count = body.filter { $0 == UInt8(ascii: "\n") }.count - 1
        return body + Array("end \(count) \(String(sum(body), radix: 16))\n".utf8)
    }

    private static func readBack(_ text: [UInt8]) throws {
        guard let cache = try? HandleCache(text: text) else { return }
        let again = try? HandleCache(text: cache.text)
        try promise(again == cache, "handles are written as they are read: \(String(decoding: text, as: UTF8.self))")
    }

    /// FNV-1a.
    private static func sum(_ octets: [UInt8]) -> UInt64 {
        octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
