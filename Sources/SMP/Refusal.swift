public import Wire

/// The Security Manager of a device that does not pair: it says so to whoever asks, and keeps silent otherwise.
///
/// A peer that gets no answer waits 30 s and then trusts the link no more (Core Vol 3, Part H, 3.4).
public struct Refusal: Hashable, Sendable {
    public init() {}

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// Send the payload on the Security Manager's channel.
        case transmit(PairingPDU)
        /// A PDU that calls for no deed, or why one was refused.
        case note(Note)
    }

    /// What came.
    public enum Note: Hashable, Sendable {
        /// A PDU that asks for a pairing, or belongs to one; refused.
        case refused(PairingCode)
        /// A PDU that needs no answer.
        case passedOver(PairingCode)
        /// The peer gave a pairing up.
        case failed(PairingFailure)
        /// The PDU is too short. Refused where it asks for something.
        case malformed(PairingCode?, WireError)
    }

    /// Takes the payload of one frame of the channel.
    public mutating func handle(_ payload: Span<UInt8>, into effects: inout [Effect]) {
        do {
            answer(try PairingPDU(decoding: payload), into: &effects)
        } catch {
            let code = payload.isEmpty ? nil : PairingCode(rawValue: payload[0])
            if code?.wantsAnswer == true { refuse(.invalidParameters, into: &effects) }
            effects.append(.note(.malformed(code, error)))
        }
    }

    private func answer(_ pdu: PairingPDU, into effects: inout [Effect]) {
        switch pdu {
        case .pairingFailed(let failed):
            effects.append(.note(.failed(failed.reason)))
        case .other(let code, _):
            refuse(.commandNotSupported, into: &effects)
            effects.append(.note(.refused(code)))
        case _ where pdu.code.wantsAnswer:
            refuse(.pairingNotSupported, into: &effects)
            effects.append(.note(.refused(pdu.code)))
        default:
            effects.append(.note(.passedOver(pdu.code)))
        }
    }

    private func refuse(_ reason: PairingFailure, into effects: inout [Effect]) {
        effects.append(.transmit(.pairingFailed(PairingFailed(reason))))
    }
}

extension PairingCode {
    /// Whether the sender waits for something to come back. Never so for Pairing Failed: two ends could refuse each
    /// other's refusals for ever.
    fileprivate var wantsAnswer: Bool {
        switch self {
        case .pairingRequest, .pairingResponse, .pairingConfirm, .pairingRandom, .securityRequest, .pairingPublicKey,
            .pairingDHKeyCheck:
            true
        default: false
        }
    }
}

extension Refusal.Note: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let code): "\(code) refused"
        case .passedOver(let code): "\(code) passed over"
        case .failed(let reason): "the peer gave pairing up: \(reason)"
        case .malformed(let code, let error): "\(code?.description ?? "pairing PDU"): \(error)"
        }
    }
}
