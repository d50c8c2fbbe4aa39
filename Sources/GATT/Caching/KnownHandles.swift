public import Wire

/// What an earlier connection proved of a peer's handles (Core Vol 3, Part G, 2.5.2): where a characteristic is that
/// sends its value, and how a later connection finds out whether it still is there.
public struct KnownHandles: Hashable, Sendable {
    /// The type of the primary service that holds the characteristic.
    public var service: BluetoothUUID
    /// The characteristic, whose descriptor's type was seen.
    public var characteristic: NotifyingCharacteristic
    /// Whether the server has the Service Changed characteristic; `nil` where it did not tell.
    public var hasServiceChanged: Bool?
    /// The Database Hash with which the handles were seen; `nil` where the server has none (Core Vol 3, Part G, 7.3).
    public var databaseHash: [UInt8]?
    /// When all of this was seen.
    public var learnt: Timestamp

    public init(
        service: BluetoothUUID, characteristic: NotifyingCharacteristic, hasServiceChanged: Bool?,
        databaseHash: [UInt8]?, learnt: Timestamp
    ) {
        self.service = service
        self.characteristic = characteristic
        self.hasServiceChanged = hasServiceChanged
        self.databaseHash = databaseHash
        self.learnt = learnt
    }

    /// What a later connection, without a bond, has to see before it may use the handles.
    public enum Proof: Hashable, Sendable {
        /// Nothing: a server without Service Changed never changes its handles (Core Vol 3, Part G, 2.5.2).
        case none
        /// The same Database Hash.
        case hash([UInt8])
        /// The types of the attributes, which Find Information tells.
        case types
    }

    /// What must be seen first, the cheapest that is enough.
    public var proof: Proof {
        if hasServiceChanged == false { return .none }
        return databaseHash.map { .hash($0) } ?? .types
    }
}

extension KnownHandles {
    /// Octets in a Database Hash (Core Vol 3, Part G, 7.3.1).
    public static let hashCount = 16

    /// Whether the same was seen, whenever that was.
    public func isSame(as other: KnownHandles) -> Bool {
        var other = other
        other.learnt = learnt
        return self == other
    }
}
