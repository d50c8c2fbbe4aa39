public import HCI
import Wire

/// Our end of an LE link's signalling channel (Core Vol 3, Part A, 4).
///
/// Grants valid connection parameters, refuses channels, of which it has none, and rejects what it does not know. Each
/// request gets exactly one answer, no response gets any, so that two ends can never answer each other for ever.
public struct Signaling: Hashable, Sendable {
    /// Our role in the link.
    public let role: Role

    /// - Parameter role: our role in the link: only a central is asked for connection parameters
    public init(role: Role = .central) { self.role = role }

    /// What is to be done, in order.
    public enum Effect: Hashable, Sendable {
        /// Send the frame to the peer.
        case transmit(BasicFrame)
        /// Ask the controller for the parameters; the peer has been told so.
        case updateConnection(ConnectionParameters)
        /// Something that is not as it should be, or not expected; nothing needs to be done.
        case note(Note)
    }

    /// Takes the payload of one frame of the signalling channel.
    public mutating func handle(_ payload: Span<UInt8>, into effects: inout [Effect]) {
        var packet = SignalingPacket()
        var trailing = 0
        do {
            packet = try SignalingPacket(decoding: payload, trailing: &trailing)
        } catch {
            rejectDamaged(payload, error, into: &effects)
            return
        }
        if trailing > 0 { effects.append(.note(.trailing(packet.code, octets: trailing))) }
        guard packet.identifier != 0 else {
            effects.append(.note(.identifierZero(packet.code)))
            return
        }
        guard !packet.code.isResponse else {
            effects.append(.note(.unexpectedResponse(packet.code, identifier: packet.identifier)))
            return
        }
        guard payload.count <= SignalingPacket.minimumMTU else {
            reject(packet.identifier, .signalingMTUExceeded, [UInt16(SignalingPacket.minimumMTU)], into: &effects)
            effects.append(.note(.tooLong(packet.code, octets: payload.count)))
            return
        }
        answer(packet, into: &effects)
    }

    private func answer(_ packet: SignalingPacket, into effects: inout [Effect]) {
        let data = packet.data
        do {
            let command = try SignalingCommand(code: packet.code, data: data.span)
            answer(command, packet.identifier, into: &effects)
        } catch {
            reject(packet.identifier, .commandNotUnderstood, into: &effects)
            effects.append(.note(.malformed(packet.code, error)))
        }
    }

    private func answer(_ command: SignalingCommand, _ identifier: UInt8, into effects: inout [Effect]) {
        func respond(_ response: SignalingCommand) {
            effects.append(.transmit(response.packet(identifier: identifier).frame))
        }
        switch command {
        case .connectionParameterUpdateRequest(let parameters) where role == .central:
            let isValid = parameters.isValid
            respond(.connectionParameterUpdateResponse(.init(isValid ? .accepted : .rejected)))
            effects.append(isValid ? .updateConnection(parameters) : .note(.parametersRefused(parameters)))
        case .disconnectionRequest(let ends):
            reject(identifier, .invalidCID, [ends.destination.rawValue, ends.source.rawValue], into: &effects)
            effects.append(.note(.channelUnknown(command.code, ends.destination)))
        case .leCreditBasedConnectionRequest(let request):
            respond(.leCreditBasedConnectionResponse(.init(refusing: .spsmNotSupported)))
            effects.append(.note(.channelRefused(spsm: request.spsm)))
        case .creditBasedConnectionRequest(let request):
            let sound = 1...5 ~= request.sources.count
            respond(
                .creditBasedConnectionResponse(
                    .init(refusing: sound ? .spsmNotSupported : .invalidParameters, count: request.sources.count)))
            effects.append(.note(.channelRefused(spsm: request.spsm)))
        case .creditBasedReconfigureRequest(let request):
            respond(.creditBasedReconfigureResponse(.init(.invalidDestinationCID)))
            effects.append(.note(.channelUnknown(command.code, request.destinations.first?.channel ?? .null)))
        case .flowControlCreditIndication(let credit):
            effects.append(.note(.channelUnknown(command.code, credit.channel)))
        default:
            reject(identifier, .commandNotUnderstood, into: &effects)
            effects.append(.note(.notUnderstood(command.code)))
        }
    }

    /// Where code and identifier of a request are there, its sender is told; anything less cannot be answered.
    private func rejectDamaged(_ payload: Span<UInt8>, _ error: WireError, into effects: inout [Effect]) {
        guard payload.count >= 4 else {
            effects.append(.note(.headerCut(octets: payload.count)))
            return
        }
        let code = SignalingCode(rawValue: payload[0])
        if payload[1] != 0, !code.isResponse { reject(payload[1], .commandNotUnderstood, into: &effects) }
        effects.append(.note(.malformed(code, error)))
    }

    private func reject(
        _ identifier: UInt8, _ reason: CommandRejectReason, _ numbers: [UInt16] = [], into effects: inout [Effect]
    ) {
        var data: [UInt8] = []
        for number in numbers { data.append(littleEndian: number) }
        let command = SignalingCommand.commandReject(CommandReject(reason: reason, data: data))
        effects.append(.transmit(command.packet(identifier: identifier).frame))
    }
}
