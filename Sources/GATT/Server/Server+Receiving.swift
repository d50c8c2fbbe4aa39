import ATT
import Wire

/// Why a request is not carried out: what an Error Response says.
struct Refusal: Error, Hashable {
    var handle: Handle
    var code: ErrorCode

    init(_ code: ErrorCode, _ handle: Handle = .none) {
        self.code = code
        self.handle = handle
    }
}

extension Server {
    mutating func receive(_ octets: [UInt8], at now: Moment, into effects: inout [Effect]) {
        let opcode = Opcode(octets.first ?? 0)
        let isRequest = opcode.kind == .request && !octets.isEmpty
        if isRequest, undecided != nil { return effects.append(.noted(.requestOutOfTurn(opcode))) }
        do {
            var trailing = 0
            let pdu = try ClientPDU(decoding: octets.span, trailing: &trailing)
            if trailing > 0 { effects.append(.noted(.trailingOctets(opcode, count: trailing))) }
            if isRequest {
                answer(pdu, into: &effects)
            } else {
                carryOut(pdu, at: now, into: &effects)
            }
        } catch {
            effects.append(.noted(.malformed(opcode, error)))
            if isRequest { refuse(opcode, Refusal(.invalidPDU), into: &effects) }
        }
    }

    /// Answers a request, at once or, where the owner is asked first, later.
    private mutating func answer(_ request: ClientPDU, into effects: inout [Effect]) {
        do throws(Refusal) {
            let response: ServerPDU
            switch request {
            case .exchangeMTU(let pdu): response = exchange(pdu)
            case .findInformation(let pdu): response = try findInformation(pdu)
            case .findByTypeValue(let pdu): response = try findByTypeValue(pdu)
            case .readByType(let pdu): response = try readByType(pdu)
            case .readByGroupType(let pdu): response = try readByGroupType(pdu)
            case .read(let pdu): response = try read(pdu)
            case .readBlob(let pdu): response = try readBlob(pdu)
            case .readMultiple(let pdu): response = try readMultiple(pdu)
            case .readMultipleVariable(let pdu): response = try readMultipleVariable(pdu)
            case .prepareWrite(let pdu): response = try prepare(pdu)
            case .write(let pdu): return try write(pdu, into: &effects)
            case .executeWrite(let pdu): return try execute(pdu, into: &effects)
            case .other, .writeCommand, .signedWriteCommand, .confirmation:
                effects.append(.noted(.unknown(request.opcode)))
                throw Refusal(.requestNotSupported)
            }
            effects.append(.transmit(response.encoded))
        } catch {
            refuse(request.opcode, error, into: &effects)
        }
    }

    /// Carries out what is not answered.
    private mutating func carryOut(_ pdu: ClientPDU, at now: Moment, into effects: inout [Effect]) {
        switch pdu {
        case .writeCommand(let command):
            write(command, into: &effects)
        case .signedWriteCommand(let command):
            // There are no signing keys without bonding.
            effects.append(.noted(.commandIgnored(pdu.opcode, command.handle, .insufficientAuthentication)))
        case .confirmation:
            confirm(at: now, into: &effects)
        default:
            effects.append(.noted(.unknown(pdu.opcode)))
        }
    }

    func refuse(_ request: Opcode, _ refusal: Refusal, into effects: inout [Effect]) {
        let response = ErrorResponse(request: request, handle: refusal.handle, code: refusal.code)
        effects.append(.transmit(response.octets))
    }

    private mutating func exchange(_ request: ExchangeMTURequest) -> ServerPDU {
        mtu = max(Bearer.defaultMTU, Int(min(request.clientRxMTU, receiveMTU)))
        return .exchangeMTU(ExchangeMTUResponse(serverRxMTU: receiveMTU))
    }
}
