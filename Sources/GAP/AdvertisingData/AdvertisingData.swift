import Wire

/// Advertising data with its values decoded, each kept in its place (Core Vol 3, Part C, 11).
///
/// Decoding never fails: what is whole is kept, what is wrong is told in `faults`.
public struct AdvertisingData: Hashable, Sendable {
    /// What the structures say, in their order.
    public var values: [ADValue]

    /// What was wrong, in the order of the octets.
    public private(set) var faults: [Fault] = []

    /// Data to be sent.
    public init(_ values: [ADValue] = []) { self.values = values }

    /// Reads the data of a report.
    public init(decoding octets: Span<UInt8>) {
        let view = AdvertisingDataView(octets)
        values = []
        var offset = 0
        while let structure = view.next(&offset) {
            values.append(ADValue(structure, in: octets, &faults))
        }
        if let fault = view.fault(at: offset) { faults.append(fault) }
    }

    /// Reads the data of a report.
    public init(decoding octets: [UInt8]) { self.init(decoding: octets.span) }

    /// The data as on the wire. A structure takes at most 255 octets; what is longer is cut.
    public var encoded: [UInt8] {
        values.reduce(into: []) { octets, value in
            let data = value.encodedData.prefix(254)
            octets.append(UInt8(data.count + 1))
            octets.append(value.type.rawValue)
            octets += data
        }
    }

    /// What was wrong, as one line of text; `nil` where nothing was.
    public var malformed: String? {
        faults.isEmpty ? nil : faults.map(\.description).joined(separator: "; ")
    }
}

extension AdvertisingData {
    /// Something wrong with advertising data. Offsets are those of a structure's length octet.
    public enum Fault: Hashable, Sendable {
        /// The length octet counts more octets than remain behind it.
        case overrun(offset: Int, length: Int, remaining: Int)
        /// A length of 0 ends the data, and so many octets, not all of them 0, stand behind it.
        case earlyEnd(offset: Int, octets: Int)
        /// The structure's type takes more octets than these.
        case tooShort(ADType, offset: Int, octets: Int)
        /// So many octets of the structure are more than its type takes, or less than one more element of its list.
        case leftOver(ADType, offset: Int, octets: Int)
        /// The text was cut before a NUL or the first octet that is no UTF-8; so many octets were dropped.
        case textCut(ADType, offset: Int, octets: Int)
    }
}

extension AdvertisingData.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .overrun(let offset, let length, let remaining):
            "AD structure at offset \(offset) needs \(length) octets, \(remaining) remain"
        case .earlyEnd(let offset, let octets):
            "\(octets) octets after the end marked at offset \(offset)"
        case .tooShort(let type, let offset, let octets):
            "\(type) at offset \(offset) has only \(octets) octets"
        case .leftOver(let type, let offset, let octets):
            "\(type) at offset \(offset) has \(octets) octets left over"
        case .textCut(let type, let offset, let octets):
            "\(type) at offset \(offset) is no text in its last \(octets) octets"
        }
    }
}
