import ATT
public import Capture
public import HCI
public import HeartRate
public import L2CAP
import SMP
import Wire

/// What one record says, in the light of the records before it.
public struct Dissected: Sendable {
    /// The record as it was read.
    public let record: Record
    /// Of a command; of a Command Complete or Command Status, the command it answers.
    public var opcode: HCI.Opcode?
    /// The code of an event.
    public var eventCode: EventCode?
    /// Of an LE Meta event.
    public var subevent: LESubevent?
    /// Of an event that has one.
    public var status: Status?
    /// The advertisements in a report event.
    public var reports: [AdvertisingReport] = []
    /// The connection that the packet is about.
    public var handle: ConnectionHandle?
    /// The device at the other end of `handle`, where the capture has told.
    public var peer: DeviceAddress?
    /// The channel of the PDU that the packet completes.
    public var channel: ChannelID?
    /// The PDU that the packet completes, without its L2CAP header.
    public var payload: ArraySlice<UInt8>?
    /// The ATT PDU in `payload`.
    public var attribute: AttributePDU?
    /// The measurement in `attribute`.
    public var heartRate: HeartRateMeasurement?
    /// What happened to a link.
    public var linkChange: LinkChange?
    /// What the event says of a link's encryption.
    public var encryption: EncryptionState?
    /// What the packet does for the protection of a link: a step of a pairing, or of encryption.
    public var security: SecurityStep?
    /// Whether the link of a data packet is encrypted on air. Host and controller pass its data in the clear all the same.
    public var isEncrypted = false
    /// Whether the packet is a chip's own log, sent on a connection handle that is none.
    public var isVendorLog = false
    /// Whether the recorder put a text of its own in the place of the payload.
    public var isRedacted = false
    /// What the reading rests on and the capture does not tell.
    public var assumptions: Assumptions = []
    /// Those of `assumptions` that no earlier record of the link, or of the attribute on it, rests on.
    public var newAssumptions: Assumptions = []
    /// What is wrong with the record, in the order of its octets.
    public var faults: [Fault] = []

    /// Of a link that ended: what its peer served, as far as the capture told.
    var lastAttributes: AttributeMap?

    init(_ record: consuming Record) { self.record = record }

    /// What was wrong, as one line of text; `nil` where nothing was.
    public var malformed: String? {
        faults.isEmpty ? nil : faults.map(\.description).joined(separator: "; ")
    }

    /// What the record is, by the name in the specification.
    public var name: String? {
        switch record.kind {
        case .command: opcode.map { $0.name ?? "Unknown Command \($0.hexadecimal)" }
        case .event: eventName
        case .acl: dataName
        case .sco: "SCO Data"
        case .iso: "ISO Data"
        case .note(let opcode): opcode.description
        case .loggerNote(let type): type.description
        case .foreign(let linkType): linkType?.description
        case .unassigned, .empty: nil
        }
    }

    private var eventName: String? {
        if let subevent { return subevent.name ?? "Unknown LE Event \(subevent.hexadecimal)" }
        return eventCode.map { $0.name ?? "Unknown Event \($0.hexadecimal)" }
    }

    private var dataName: String? {
        if isVendorLog { return "Vendor Log" }
        if isRedacted { return "Payload Withheld by the Recorder" }
        if let attribute { return attribute.opcode.name ?? "Unknown ATT PDU \(attribute.opcode.hexadecimal)" }
        guard let channel, let payload else { return "L2CAP Fragment" }
        switch channel {
        case .signaling, Self.classicSignaling:
            guard let code = payload.first.map(SignalingCode.init(rawValue:)) else { return channel.description }
            return code.name ?? "Unknown Signaling Command \(code.hexadecimal)"
        case .securityManager:
            guard let code = payload.first.map(PairingCode.init(rawValue:)) else { return channel.description }
            return code.name ?? "Unknown Pairing PDU \(code.hexadecimal)"
        default: return channel.name ?? "L2CAP Channel \(channel.hexadecimal)"
        }
    }

    /// L2CAP's own signalling on a BR/EDR link, with the same codes.
    static let classicSignaling = ChannelID(rawValue: 0x0001)

    /// Whether the packet is the chip maker's own, and means what he alone knows.
    public var isVendorSpecific: Bool {
        isVendorLog || opcode?.isVendorSpecific == true || eventCode == .vendorSpecific
            || record.kind == .note(.vendorDiagnostics)
    }
}

/// What a packet tells of a link.
public enum LinkChange: Hashable, Sendable {
    /// The host asked for a connection; the peer is `nil` where the filter accept list says whom.
    case connecting(DeviceAddress?)
    /// No connection came of it; `peer` is `nil` where the event does not say whom it was for.
    case failed(Status, peer: DeviceAddress?)
    case connected(EstablishedConnection)
    case updated(ConnectionInterval, latency: UInt16, SupervisionTimeout)
    case disconnected(reason: Status)
    /// All links of the adapter ended without a word: it was reset or taken away.
    case allLost
}
