import CCrypto
import SMP

/// The random generator of libcrypto, which the system's entropy feeds.
enum Entropy {
    static func octets(_ count: Int) throws(ToolboxError) -> [UInt8] {
        guard count > 0 else { return [] }
        guard let length = Int32(exactly: count) else { throw .failed("\(count) random octets are too many") }
        var octets = [UInt8](repeating: 0, count: count)
        try require(unsafe RAND_bytes(&octets, length), "random octets")
        return octets
    }
}
