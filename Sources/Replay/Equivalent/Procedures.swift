public import ATT
import Capture
import Dissection
import GATT
public import HCI
public import Wire

/// Something that a host did to a peer and that the peer will remember.
public struct Procedure: Hashable, Sendable {
    /// To whom.
    public var peer: DeviceAddress
    /// What.
    public var action: Action
    /// Why the peer refused; `nil` where it agreed, or was not asked.
    public var refusal: ErrorCode?

    /// What a peer remembers.
    public enum Action: Hashable, Sendable {
        case connect
        /// Asked a characteristic for its values, or no longer: the bits of its Client Characteristic Configuration.
        case configure(Handle, BluetoothUUID?, bits: UInt16)
        /// Wrote a value, with or without waiting for the answer.
        case write(Handle, BluetoothUUID?, [UInt8])
    }
}

extension Procedure: CustomStringConvertible {
    public var description: String {
        let outcome = refusal.map { ", refused with \($0)" } ?? ""
        func place(_ handle: Handle, _ type: BluetoothUUID?) -> String {
            type.map { "\($0) at \(handle)" } ?? "\(handle)"
        }
        switch action {
        case .connect: return "connect to \(peer)\(outcome)"
        case .configure(let handle, let type, let bits):
            return "write \(bits.paddedHexadecimal) to the configuration of \(place(handle, type)) of \(peer)\(outcome)"
        case .write(let handle, let type, let value):
            return "write \(value.hexadecimal) to \(place(handle, type)) of \(peer)\(outcome)"
        }
    }
}

/// What a host did otherwise than the recorded one, by its procedures and not by its packets.
public struct ProcedureDifference: Error, Hashable, Sendable {
    /// With whom.
    public var peer: DeviceAddress
    /// What the recorded host did; `nil` where it did nothing more with the peer.
    public var recorded: Procedure?
    /// The record that says so.
    public var frame: Int?
    /// What our host did in its place; `nil` where it did nothing more.
    public var now: Procedure?
}

extension ProcedureDifference: CustomStringConvertible {
    public var description: String {
        """
        the host did something else with \(peer) than the recorded one\(frame.map { " in frame \($0)" } ?? "")
          recorded: \(recorded?.description ?? "nothing more")
          now:      \(now?.description ?? "nothing more")
        """
    }
}

/// The procedures in a capture.
struct Procedures {
    /// By peer, in their order, each with the record that ended it.
    private(set) var byPeer: [DeviceAddress: [(procedure: Procedure, frame: Int)]] = [:]
    /// The peers in the order in which they were connected to.
    private(set) var peers: [DeviceAddress] = []
    private var links: [ConnectionHandle: DeviceAddress] = [:]
    private var dissector = Dissector()
    private var written: [ConnectionHandle: [UInt8]] = [:]

    init(_ records: some Sequence<Record>) {
        for record in records { follow(record) }
    }

    /// The first thing that was done otherwise with any peer of the recorded host's, or with one that only ours connected to.
    ///
    /// - Parameter isDone: whether it is no difference to end before the recorded host does
    func firstDifference(from recorded: Procedures, ofDoneAlone isDone: Bool) -> ProcedureDifference? {
        for peer in recorded.peers + peers.filter({ !recorded.peers.contains($0) }) {
            let mine = byPeer[peer] ?? []
            let theirs = recorded.byPeer[peer] ?? []
            for place in 0..<max(mine.count, theirs.count) {
                let now = place < mine.count ? mine[place].procedure : nil
                let then = place < theirs.count ? theirs[place].procedure : nil
                guard now != then, now != nil || !isDone else { continue }
                return ProcedureDifference(
                    peer: peer, recorded: then, frame: place < theirs.count ? theirs[place].frame : nil, now: now)
            }
        }
        return nil
    }

    private mutating func follow(_ record: Record) {
        let dissected = dissector.dissect(record)
        if case .connected(let link) = dissected.linkChange {
            let peer = DeviceAddress(link.peer.kind.withoutIdentity, link.peer.address)
            links[link.handle] = peer
            note(.connect, with: peer, in: record)
        }
        switch dissected.linkChange {
        case .disconnected:
            if let handle = dissected.handle { (links[handle], written[handle]) = (nil, nil) }
        case .allLost: (links, written) = ([:], [:])
        default: break
        }
        guard let handle = dissected.handle, let peer = links[handle], let attribute = dissected.attribute,
            attribute.server == .peer
        else { return }
        switch attribute.opcode {
        case .writeCommand:
            guard let place = attribute.handle, let value = attribute.value else { return }
            note(.write(place, attribute.attributeType, [UInt8](value)), with: peer, in: record)
        case .writeRequest: written[handle] = attribute.value.map { [UInt8]($0) }
        case .writeResponse, .errorResponse:
            let isOfWrite =
                attribute.opcode == .writeResponse || attribute.value?.first == ATT.Opcode.writeRequest.rawValue
            guard isOfWrite, let place = attribute.requested, let value = written.removeValue(forKey: handle) else {
                return
            }
            let refusal = attribute.opcode == .errorResponse ? attribute.value?.last.map { ErrorCode($0) } : nil
            // Whether a host wants to hear of changed attributes is its own affair.
            guard attribute.configured != .serviceChanged else { return }
            note(action(attribute, place, value), with: peer, refusal, in: record)
        default: break
        }
    }

    private func action(_ attribute: AttributePDU, _ place: Handle, _ value: [UInt8]) -> Procedure.Action {
        guard attribute.attributeType == .clientCharacteristicConfiguration,
            let bits = ClientConfiguration(octets: value)
        else { return .write(place, attribute.attributeType, value) }
        return .configure(place, attribute.configured, bits: bits.rawValue)
    }

    private mutating func note(
        _ action: Procedure.Action, with peer: DeviceAddress, _ refusal: ErrorCode? = nil, in record: Record
    ) {
        if byPeer[peer] == nil { peers.append(peer) }
        byPeer[peer, default: []].append((Procedure(peer: peer, action: action, refusal: refusal), record.frame))
    }
}
