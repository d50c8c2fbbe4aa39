/// What the reading of a record rests on, although the capture does not tell it.
///
/// A capture is a piece of a longer story. Where the dissector goes on all the same, it says what it took for granted.
public struct Assumptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The link's beginning is not in the capture: its peer, its MTU and what was discovered before are not known.
    /// Said on the link's first record alone.
    public static let linkBeganEarlier = Assumptions(rawValue: 1 << 0)
    /// The capture keeps no directions: data counts as sent by the peer. Said on the first data of the link alone.
    public static let sentByPeer = Assumptions(rawValue: 1 << 1)
    /// The attribute's type is the one that the same peer's attribute had on an earlier link; on this one it was not asked for.
    public static let typeOfEarlierLink = Assumptions(rawValue: 1 << 2)
    /// The attribute is a Heart Rate Measurement because the caller said so; see `Dissector.init(heartRateHandles:)`.
    public static let heartRateHandle = Assumptions(rawValue: 1 << 3)
}

extension Assumptions: CustomStringConvertible {
    /// The assumptions for people, as one line; empty where there are none.
    public var description: String {
        var texts: [String] = []
        if contains(.linkBeganEarlier) { texts.append("the link's beginning is not in the capture") }
        if contains(.sentByPeer) { texts.append("data without a direction counts as the peer's") }
        if contains(.typeOfEarlierLink) { texts.append("the attribute has the type it had on an earlier link") }
        if contains(.heartRateHandle) { texts.append("the attribute is a Heart Rate Measurement as the user says") }
        return texts.joined(separator: "; ")
    }
}
