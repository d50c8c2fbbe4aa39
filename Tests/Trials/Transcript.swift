import Wire

/// All that passed in a trial, as one number, and in words where somebody reads it.
struct Transcript: Sendable {
    enum Direction: UInt8 {
        case sent = 1
        case received = 2
    }

    /// FNV-1a over everything noted.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var packets = 0
    private let print: (@Sendable (String) -> Void)?

    var isPrinting: Bool { print != nil }

    init(printing print: (@Sendable (String) -> Void)? = nil) { self.print = print }

    mutating func note(_ direction: Direction, _ packet: [UInt8], at now: Moment) {
        packets += 1
        mix(UInt64(bitPattern: now.nanoseconds))
        mix(UInt64(direction.rawValue) << 32 | UInt64(packet.count))
        for octet in packet { digest = (digest ^ UInt64(octet)) &* 0x100_0000_01B3 }
        if let print { print("\(time(now)) \(direction == .sent ? ">" : "<") \(packet.hexadecimal)") }
    }

    mutating func note(_ numbers: [Int64], _ text: String, at now: Moment) {
        mix(UInt64(bitPattern: now.nanoseconds))
        for number in numbers { mix(UInt64(bitPattern: number)) }
        if let print { print("\(time(now)) # \(text)") }
    }

    private mutating func mix(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }

    private func time(_ now: Moment) -> String {
        let milliseconds = now.nanoseconds / 1_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
