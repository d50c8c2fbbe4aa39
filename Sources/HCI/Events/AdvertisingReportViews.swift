public import Wire

/// The reports of an LE Advertising Report event, read where they lie: nothing is copied, allocated or looked into before it is asked for.
///
/// For the one event that comes thousands of times a second; it sees the same reports as `LEAdvertisingReport`.
public struct AdvertisingReportViews: ~Escapable, ~Copyable {
    @usableFromInline let octets: Span<UInt8>
    @usableFromInline var offset: Int
    @usableFromInline var left: Int

    /// Whether octets are missing from the reports that the event announces. The whole ones before are given out.
    public var isCutShort: Bool {
        @inlinable get { left > 0 && !hasNext }
    }

    /// Takes a packet, its H4 type octet first; `nil` for any other than an LE Advertising Report event with at least its count.
    @inlinable
    @_lifetime(copy packet)
    public init?(packet: Span<UInt8>) {
        // Type, event code, length, sub-event code, number of reports.
        guard packet.count >= 5, packet[0] == 0x04, packet[1] == 0x3E, packet[3] == 0x02 else { return nil }
        // Octets behind the declared end are none of the event's.
        let end = min(packet.count, 3 &+ Int(packet[2]))
        guard end >= 5 else { return nil }
        octets = packet.extracting(0..<end)
        offset = 5
        left = Int(packet[4])
    }

    /// Octets of a report without its data.
    @usableFromInline static var fixedCount: Int { @inlinable get { 10 } }

    @usableFromInline var hasNext: Bool {
        @inlinable get {
            octets.count &- offset >= Self.fixedCount
                && octets.count &- offset &- Self.fixedCount >= Int(octets[offset &+ 8])
        }
    }

    /// The next whole report; `nil` at the end.
    @inlinable
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingReportView? {
        guard left > 0, hasNext else { return nil }
        left &-= 1
        let start = offset
        offset = start &+ Self.fixedCount &+ Int(octets[start &+ 8])
        return AdvertisingReportView(octets: octets.extracting(start..<offset))
    }
}

/// One legacy advertising report, read where it lies.
public struct AdvertisingReportView: ~Escapable {
    /// From the event type to the RSSI, at least 10 octets.
    @usableFromInline let octets: Span<UInt8>

    @inlinable
    @_lifetime(copy octets)
    init(octets: Span<UInt8>) { self.octets = octets }

    /// What kind of advertisement it is.
    public var kind: AdvertisingKind {
        @inlinable get { AdvertisingKind(rawValue: octets[0]) }
    }

    /// What kind of address the advertiser shows.
    public var addressKind: AddressKind {
        @inlinable get { AddressKind(rawValue: octets[1]) }
    }

    public var address: Address {
        @inlinable get {
            var value: UInt64 = 0
            for index in 2..<8 { value |= UInt64(octets[index]) << (8 &* UInt64(index &- 2)) }
            return Address(rawValue: value)
        }
    }

    /// AD structures.
    public var data: Span<UInt8> {
        @inlinable
        @_lifetime(copy self)
        get { octets.extracting(9..<(octets.count &- 1)) }
    }

    /// How strong the advertisement came in.
    public var rssi: SignalLevel {
        @inlinable get { SignalLevel(rawValue: octets[octets.count &- 1]) }
    }
}
