/// 128 bits that nobody else may see. However it is printed, its value does not show.
public struct SecretKey: Hashable, Sendable {
    /// 16 octets as on the wire, the least significant first.
    public let octets: [UInt8]

    /// How many octets a key has.
    public static let length = 16

    /// - Parameter octets: the least significant first; `nil` where they are not 16
    public init?(_ octets: [UInt8]) {
        guard octets.count == Self.length else { return nil }
        self.octets = octets
    }

    /// The octets as the toolbox takes them.
    public var mostSignificantFirst: [UInt8] { octets.reversed() }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    /// Nothing: `dump` and the like see no octets either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
