import Wire

/// One notification of Heart Rate Measurement, 2A37 (Heart Rate Service 1.0, 3.1).
///
/// Decoding never fails: what is whole is kept, what is wrong is told in `faults`, and the octets stay in `raw`.
public struct HeartRateMeasurement: Hashable, Sendable {
    /// Beats per minute; `nil` where the sensor sent none, or 0, which sensors send for "no value".
    public var beatsPerMinute: UInt16?

    /// Whether the sensor touches the skin; `nil` where it cannot tell.
    public var contact: Bool?

    /// Energy since the last reset in kilojoules, stopping at 65535. `nil` means no news, not zero: sensors send it
    /// now and then.
    public var energyExpended: UInt16?

    /// The time between beats, the oldest first, without the intervals of 0 that `faults` tells of.
    public var intervals: [RRInterval]

    /// What was wrong with the packet, in its order.
    public private(set) var faults: [Fault] = []

    /// The octets as received; empty for a measurement that was not.
    public private(set) var raw: [UInt8] = []

    /// A measurement to be sent.
    public init(
        beatsPerMinute: UInt16?, contact: Bool? = nil, energyExpended: UInt16? = nil, intervals: [RRInterval] = []
    ) {
        self.beatsPerMinute = beatsPerMinute
        self.contact = contact
        self.energyExpended = energyExpended
        self.intervals = intervals
    }

    /// What was wrong, as one line of text; `nil` where nothing was.
    public var malformed: String? {
        faults.isEmpty ? nil : faults.map(\.description).joined(separator: "; ")
    }
}

/// The first octet of the packet. Bits 5 to 7 are reserved and passed over.
private struct Flags: OptionSet {
    let rawValue: UInt8

    static let wideRate = Flags(rawValue: 1 << 0)
    static let contactDetected = Flags(rawValue: 1 << 1)
    static let contactSupported = Flags(rawValue: 1 << 2)
    static let energyExpended = Flags(rawValue: 1 << 3)
    static let intervals = Flags(rawValue: 1 << 4)
}

extension HeartRateMeasurement {
    /// Reads a notification's value.
    public init(decoding octets: Span<UInt8>) {
        self.init(beatsPerMinute: nil)
        raw = [UInt8](octets)
        var fields = Fields(octets)
        guard let flags = fields.octet().map(Flags.init) else {
            faults.append(.empty)
            return
        }
        if flags.contains(.contactSupported) { contact = flags.contains(.contactDetected) }
        guard decodeRate(flags, from: &fields), decodeEnergy(flags, from: &fields) else { return }
        decodeIntervals(flags, from: &fields)
    }

    /// Reads a notification's value.
    public init(decoding octets: [UInt8]) {
        self.init(decoding: octets.span)
    }

    /// Tells whether the packet goes on behind the field.
    private mutating func decodeRate(_ flags: Flags, from fields: inout Fields) -> Bool {
        let rate = flags.contains(.wideRate) ? fields.number() : fields.octet().map(UInt16.init)
        guard let rate else {
            faults.append(fields.remaining == 0 ? .heartRateMissing : .heartRateCut)
            return false
        }
        beatsPerMinute = rate == 0 ? nil : rate
        return true
    }

    /// Tells whether the packet goes on behind the field.
    private mutating func decodeEnergy(_ flags: Flags, from fields: inout Fields) -> Bool {
        guard flags.contains(.energyExpended) else { return true }
        energyExpended = fields.number()
        guard energyExpended == nil else { return true }
        faults.append(fields.remaining == 0 ? .energyExpendedMissing : .energyExpendedCut)
        return false
    }

    private mutating func decodeIntervals(_ flags: Flags, from fields: inout Fields) {
        guard flags.contains(.intervals) else {
            if fields.remaining > 0 { faults.append(.trailing(octets: fields.remaining)) }
            return
        }
        intervals.reserveCapacity(fields.remaining / 2)
        var index = 0
        while let ticks = fields.number() {
            if ticks == 0 {
                faults.append(.zeroInterval(index: index))
            } else {
                intervals.append(RRInterval(ticks: ticks))
            }
            index += 1
        }
        if let tail = fields.octet() { faults.append(.intervalCut(octet: tail)) }
    }

    /// The packet as on the wire.
    ///
    /// A rate above 255 takes two octets, as does any with `wideRate`; a missing rate is sent as 0.
    public func encoded(wideRate: Bool = false) -> [UInt8] {
        let rate = beatsPerMinute ?? 0
        let wide = wideRate || rate > UInt8.max
        var flags: Flags = wide ? .wideRate : []
        if let contact { flags.formUnion(contact ? [.contactSupported, .contactDetected] : .contactSupported) }
        if energyExpended != nil { flags.insert(.energyExpended) }
        if !intervals.isEmpty { flags.insert(.intervals) }

        var octets = [flags.rawValue]
        octets.append(littleEndian: UInt64(rate), count: wide ? 2 : 1)
        if let energyExpended { octets.append(littleEndian: energyExpended) }
        for interval in intervals { octets.append(littleEndian: interval.ticks) }
        return octets
    }
}

/// Reads fields as long as they are whole. A cut field is an everyday answer here, not an error to build and throw.
private struct Fields: ~Escapable {
    private let octets: Span<UInt8>
    private var offset = 0

    @_lifetime(copy octets)
    init(_ octets: Span<UInt8>) { self.octets = octets }

    var remaining: Int { octets.count - offset }

    mutating func octet() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { offset += 1 }
        return octets[offset]
    }

    mutating func number() -> UInt16? {
        guard remaining >= 2 else { return nil }
        defer { offset += 2 }
        return UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8
    }
}
