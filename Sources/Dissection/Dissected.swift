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
    /// Whether the packet is a chip's own log, sent on a connection handle that is none.
    public var isVendorLog = false
    /// What is wrong with the record, in the order of its octets.
    public var faults: [Fault] = []

    /// Of a link that ended: what its peer served, as far as the capture told.
    var lastAttributes: AttributeMap?

    init(_ record: Record) { self.record = record }

    /// What was wrong, as one line of text; `nil` where nothing was.
    public var malformed: String? {
        faults.isEmpty ? nil : faults.map(\.description).joined(separator: "; ")
    }

    /// What the record is, by the name in the specification.
    public var name: String? {
        switch record.kind {
        case .command: opcode?.description
        case .event: subevent?.description ?? eventCode?.description
        case .acl: dataName
        case .sco: "SCO Data"
        case .iso: "ISO Data"
        case .note(let opcode): opcode.description
        case .unassigned, .empty: nil
        }
    }

    private var dataName: String? {
        if isVendorLog { return "Vendor Log" }
        if let attribute { return attribute.opcode.description }
        guard let channel, let payload else { return "L2CAP Fragment" }
        switch channel {
        case .signaling: return payload.first.map { SignalingCode(rawValue: $0).description } ?? channel.description
        case .securityManager: return payload.first.map { PairingCode(rawValue: $0).description } ?? channel.description
        default: return channel.description
        }
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
