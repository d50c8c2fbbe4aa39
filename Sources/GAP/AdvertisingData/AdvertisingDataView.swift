import Wire

/// Advertising data read where it lies: nothing is copied or allocated (Core Vol 3, Part C, 11).
///
/// The way for what happens a thousand times a second; `AdvertisingData` holds the same with all values decoded.
@frozen
public struct AdvertisingDataView: ~Escapable {
    /// The data as in the report.
    public let octets: Span<UInt8>

    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>) { self.octets = octets }

    /// The structure that begins at `offset`, after which `offset` stands behind it.
    ///
    /// `nil` at the end of the data, at a length of 0, which ends the data early, and where a length goes beyond the
    /// data. `offset` then stays where the walk ended.
    @inlinable
    public func next(_ offset: inout Int) -> ADStructure? {
        guard offset >= 0, offset < octets.count else { return nil }
        let length = Int(octets[offset])
        guard length > 0, length < octets.count &- offset else { return nil }
        let structure = ADStructure(offset: offset, type: ADType(rawValue: octets[offset &+ 1]), length: length)
        offset &+= length &+ 1
        return structure
    }

    /// The first structure of a type.
    @inlinable
    public func first(_ type: ADType) -> ADStructure? {
        var offset = 0
        while let structure = next(&offset) {
            if structure.type == type { return structure }
        }
        return nil
    }

    /// Whether a list of services, complete or not, has the service by its 16-bit UUID.
    @inlinable
    public func lists(service: UInt16) -> Bool {
        let low = UInt8(truncatingIfNeeded: service)
        let high = UInt8(truncatingIfNeeded: service >> 8)
        var offset = 0
        while let structure = next(&offset) {
            guard structure.type == .incomplete16BitServices || structure.type == .complete16BitServices else {
                continue
            }
            var index = structure.data.lowerBound
            while index &+ 1 < structure.data.upperBound {
                if octets[index] == low, octets[index &+ 1] == high { return true }
                index &+= 2
            }
        }
        return false
    }

    /// How the data ends, found by walking over it: `nil` for data that ends where its last structure does, or in zeros.
    public var fault: AdvertisingData.Fault? {
        var offset = 0
        while next(&offset) != nil {}
        return fault(at: offset)
    }

    /// What is wrong where `next(_:)` answered `nil`.
    func fault(at offset: Int) -> AdvertisingData.Fault? {
        guard offset < octets.count else { return nil }
        let length = Int(octets[offset])
        guard length == 0 else {
            return .overrun(offset: offset, length: length, remaining: octets.count - offset - 1)
        }
        let isPadding = (offset..<octets.count).allSatisfy { octets[$0] == 0 }
        return isPadding ? nil : .earlyEnd(offset: offset, octets: octets.count - offset - 1)
    }
}

/// Where in the advertising data a structure stands.
@frozen
public struct ADStructure: Hashable, Sendable {
    /// Offset of the length octet.
    public let offset: Int
    /// What the structure holds.
    public let type: ADType
    /// The length octet's number, which counts the type too: at least 1.
    public let length: Int

    @inlinable
    init(offset: Int, type: ADType, length: Int) {
        self.offset = offset
        self.type = type
        self.length = length
    }

    /// Offsets of what is behind the type.
    @inlinable
    public var data: Range<Int> { (offset &+ 2)..<(offset &+ 1 &+ length) }
}
