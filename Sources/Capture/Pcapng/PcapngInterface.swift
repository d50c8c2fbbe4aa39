import Wire

/// What a section tells of an interface, as far as reading its packets needs it.
struct PcapngInterface: Sendable {
    let linkType: LinkType
    /// The most octets that are kept of a packet; 0 for all.
    let snapshotLength: UInt32
    /// Units of time in a second: 10 to the power of it, with the top bit 2 to the power of the rest.
    var resolution: UInt8 = 6
    /// Seconds to be added to each time.
    var offset: Int64 = 0
    /// The adapter that it is.
    var adapter: UInt16?

    /// - Parameter number: its number in its section
    init(number: Int, linkType: LinkType, snapshotLength: UInt32) {
        self.linkType = linkType
        self.snapshotLength = snapshotLength
        // One interface alone tells nothing apart.
        adapter = number == 0 ? nil : Self.adapter(Int64(number))
    }

    /// The name by which the writer here tells that an interface is of no adapter in particular.
    static let nameOfUnknownAdapter = "hci?"

    /// Takes the adapter from a name such as Linux gives: `hci1`, `bluetooth1`.
    mutating func take(name: ArraySlice<UInt8>) {
        let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        if text == Self.nameOfUnknownAdapter { adapter = nil }
        for prefix in ["hci", "bluetooth"] where text.hasPrefix(prefix) {
            if let number = Int64(text.dropFirst(prefix.count)) { adapter = Self.adapter(number) }
        }
    }

    private static func adapter(_ number: Int64) -> UInt16? {
        UInt16(exactly: number).flatMap { $0 == MonitorOpcode.noAdapter ? nil : $0 }
    }

    /// The time that a packet's 64-bit count is. Times that 64 bits of microseconds cannot hold are moved to their end.
    func time(_ count: UInt64) -> (timestamp: Timestamp, nanoseconds: UInt16) {
        let (microseconds, nanoseconds) = split(count)
        let sum = Int128(offset) * 1_000_000 + Int128(microseconds)
        return (Timestamp(microseconds: Int64(clamping: sum)), nanoseconds)
    }

    private func split(_ count: UInt64) -> (microseconds: UInt64, nanoseconds: UInt16) {
        switch resolution {
        case 6: return (count, 0)
        case 9:
            let (microseconds, nanoseconds) = count.quotientAndRemainder(dividingBy: 1000)
            return (microseconds, UInt16(nanoseconds))
        default:
            let (microseconds, nanoseconds) = nanoseconds(count).quotientAndRemainder(dividingBy: 1000)
            return (UInt64(clamping: microseconds), UInt16(nanoseconds))
        }
    }

    /// Whole nanoseconds in `count` units. 64 bits and a factor of 10⁹ stay below 2⁹⁴.
    private func nanoseconds(_ count: UInt64) -> UInt128 {
        let exponent = Int(resolution & 0x7F)
        if resolution & 0x80 != 0 { return (UInt128(count) * 1_000_000_000) >> exponent }
        if exponent <= 9 { return UInt128(count) * Self.powerOfTen(9 - exponent) }
        // From 10²⁰ on nothing of 64 bits is left.
        return exponent - 9 > 19 ? 0 : UInt128(count) / Self.powerOfTen(exponent - 9)
    }

    private static func powerOfTen(_ exponent: Int) -> UInt128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
