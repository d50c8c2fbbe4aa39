import Dissection
import HCI
import L2CAP
import SMP
import Wire

/// What `decode --json` says of links and of the channels that serve them.
extension JSONWriter {
    /// The member `link`: what happened to a connection, with the keys that `connect` and `replay` use.
    mutating func link(_ change: LinkChange) {
        key("link")
        object { json in
            switch change {
            case .connecting(let peer): json.state("connecting", peer)
            case .failed(let status, let peer):
                json.state("failed", peer)
                json.reason(status)
            case .connected(let link):
                json.state("connected", link.peer)
                json.member("role", link.role.rawValue)
                json.parameters(link.interval, link.latency, link.supervisionTimeout)
            case .updated(let interval, let latency, let timeout):
                json.state("updated", nil)
                json.parameters(interval, latency, timeout)
            case .disconnected(let reason):
                json.state("disconnected", nil)
                json.reason(reason)
            case .allLost: json.state("all_lost", nil)
            }
        }
    }

    private mutating func state(_ word: StaticString, _ peer: DeviceAddress?) {
        key("state")
        string(word)
        guard let peer else { return }
        member("address_type", peer.kind.rawValue)
        member("address", peer.address)
    }

    private mutating func parameters(_ interval: ConnectionInterval, _ latency: UInt16, _ timeout: SupervisionTimeout) {
        key("interval_ms")
        thousandths(Int(interval.rawValue) * 1250)
        member("latency", latency)
        member("supervision_timeout_ms", Int(timeout.rawValue) * 10)
    }

    // MARK: Channels

    /// The member for a PDU of a channel other than ATT's: `signaling` or `smp`; none for a channel that is not read.
    mutating func members(of payload: ArraySlice<UInt8>, on channel: ChannelID) {
        switch channel {
        case .signaling: signaling([UInt8](payload))
        case .securityManager: pairing([UInt8](payload))
        default: break
        }
    }

    private mutating func signaling(_ payload: [UInt8]) {
        guard let packet = try? SignalingPacket(decoding: payload) else { return }
        key("signaling")
        object { json in
            json.member("code", packet.code.rawValue)
            json.member("identifier", packet.identifier)
            let command = try? SignalingCommand(code: packet.code, data: packet.data.span)
            if let content = command?.content { json.members(of: content) }
        }
    }

    private mutating func pairing(_ payload: [UInt8]) {
        guard let code = payload.first else { return }
        key("smp")
        object { json in
            json.member("code", code)
            let pdu = try? PairingPDU(decoding: payload)
            if let content = pdu?.content { json.members(of: content) }
        }
    }
}
