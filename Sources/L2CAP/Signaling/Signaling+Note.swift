public import HCI
public import Wire

extension Signaling {
    /// What the signalling channel brought that calls for no deed.
    public enum Note: Hashable, Sendable {
        /// The parameters a peer asked for are none that a link can have; refused.
        case parametersRefused(ConnectionParameters)
        /// A channel that a peer asked for was refused.
        case channelRefused(spsm: UInt16)
        /// The command is about a channel that does not exist.
        case channelUnknown(SignalingCode, ChannelID)
        /// A command without a meaning on this link, or to this role, was rejected.
        case notUnderstood(SignalingCode)
        /// A response to no request of ours was passed over.
        case unexpectedResponse(SignalingCode, identifier: UInt8)
        /// The identifier 0, which no command may bear; passed over.
        case identifierZero(SignalingCode)
        /// The packet ends within its four octets of header; passed over.
        case headerCut(octets: Int)
        /// The data is too short for the command.
        case malformed(SignalingCode, WireError)
        /// The packet is longer than anything that we take; rejected.
        case tooLong(SignalingCode, octets: Int)
        /// So many octets stand behind the command.
        case trailing(SignalingCode, octets: Int)
    }
}

extension Signaling.Note: CustomStringConvertible {
    public var description: String {
        switch self {
        case .parametersRefused(let parameters):
            """
            connection parameters refused: interval \(parameters.intervalMin) to \(parameters.intervalMax), \
            latency \(parameters.latency), timeout \(parameters.supervisionTimeout)
            """
        case .channelRefused(let spsm): "channel for SPSM 0x\(spsm.paddedHexadecimal) refused"
        case .channelUnknown(let code, let channel): "\(code) for unknown channel \(channel.hexadecimal)"
        case .notUnderstood(let code): "\(code) rejected"
        case .unexpectedResponse(let code, let identifier): "\(code) to no request, identifier \(identifier)"
        case .identifierZero(let code): "\(code) with identifier 0"
        case .headerCut(let octets): "signalling command cut to \(octets) octets"
        case .malformed(let code, let error): "\(code): \(error)"
        case .tooLong(let code, let octets): "\(code) of \(octets) octets"
        case .trailing(let code, let octets): "\(octets) octets after \(code)"
        }
    }
}
