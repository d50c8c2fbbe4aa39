public import GAP
public import HeartRate
public import L2CAP
public import Wire

/// Something wrong with a record or with what it carries. What is whole beside it is shown all the same.
public enum Fault: Hashable, Sendable {
    /// Not even a packet type.
    case noPacket
    /// A packet type that the specification does not assign.
    case unassignedType(UInt8)
    /// The recorder kept so many octets of so many.
    case cutShort(included: Int, original: Int)
    /// The record holds more octets than there were when it was made.
    case swollen(included: Int, original: Int)
    /// The packet's header is not whole.
    case headerCut(octets: Int, needed: Int)
    /// The packet's own length says more than there is.
    case parametersCut(octets: Int, declared: Int)
    /// Octets behind the packet's own end, or behind its last field.
    case trailing(octets: Int)
    /// Fields that cannot be read.
    case fields(WireError)
    /// A report event holds so many whole reports of so many.
    case reportsCut(whole: Int, announced: Int)
    /// Advertising data of the report with this number, from 0.
    case advertisingData(report: Int, AdvertisingData.Fault)
    /// L2CAP fragments that do not fit together.
    case fragments(Reassembler.Fault)
    /// A PDU of which only the first octets were recorded; they are not joined with what follows.
    case frameCut(octets: Int, needed: Int?)
    /// An ATT PDU without an opcode.
    case emptyAttributePDU
    /// A Heart Rate Measurement.
    case heartRate(HeartRateMeasurement.Fault)
    /// More links are open at once than are kept apart; those open so far are forgotten.
    case tooManyLinks
}

extension Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPacket: "no packet"
        case .unassignedType(let type): "packet type 0x\(type.paddedHexadecimal) is not assigned"
        case .cutShort(let included, let original): "cut short by the recorder: \(included) of \(original) octets"
        case .swollen(let included, let original): "\(included) octets included of \(original)"
        case .headerCut(let octets, let needed): "packet header cut: \(octets) of \(needed) octets"
        case .parametersCut(let octets, let declared): "packet cut: \(octets) of \(declared) octets behind its header"
        case .trailing(let octets): "\(octets) octet\(octets == 1 ? "" : "s") behind the end"
        case .fields(let error): error.description
        case .reportsCut(let whole, let announced): "\(whole) of \(announced) reports whole"
        case .advertisingData(let report, let fault): "report \(report + 1): \(fault)"
        case .fragments(let fault): "L2CAP: \(fault)"
        case .frameCut(let octets, let needed?): "PDU cut: \(octets) of \(needed) octets"
        case .frameCut(let octets, nil): "PDU cut after \(octets) octets, within its header"
        case .emptyAttributePDU: "ATT PDU without an opcode"
        case .heartRate(let fault): "heart rate: \(fault)"
        case .tooManyLinks: "too many links at once; those before are forgotten"
        }
    }
}
