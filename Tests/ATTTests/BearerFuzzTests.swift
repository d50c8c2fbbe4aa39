import ATT
import Testing
import Wire

/// Whatever order things happen in, every caller is answered exactly once, and at most one request is with the peer.
@Suite struct BearerFuzzTests {
    @Test(arguments: 0..<60) func everyCallerIsAnsweredExactlyOnce(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bench = BearerBench(queueLimit: 4)
        var asked: [UInt64] = []
        var answered: [UInt64: Int] = [:]
        var outstanding = 0
        var isUsable = true

        func count(_ effects: [Bearer.Effect]) {
            for effect in effects {
                switch effect {
                case .completed(let ticket, _): answered[ticket.rawValue, default: 0] += 1
                case .transmit(let octets) where Opcode(octets[0]).kind == .request: outstanding += 1
                case .disconnect: isUsable = false
                default: break
                }
            }
        }

        for step in 0..<400 {
            let effects: [Bearer.Effect]
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...3:
                asked.append(UInt64(step))
                effects = bench.handle(.request(.random(using: &generator), Bearer.Ticket(UInt64(step))))
            case 4: effects = bench.handle(.cancel(Bearer.Ticket(asked.randomElement(using: &generator) ?? 0)))
            case 5: effects = bench.handle(.wake, after: .seconds(Int.random(in: 0...8, using: &generator)))
            default:
                let hadOne = bench.bearer.nextDeadline != nil
                effects = bench.handle(.received(.randomPDU(using: &generator)), after: .milliseconds(100))
                let transmitsNext = effects.contains {
                    if case .transmit(let o) = $0 { Opcode(o[0]).kind == .request } else { false }
                }
                if hadOne, transmitsNext || bench.bearer.nextDeadline == nil { outstanding -= 1 }
            }
            count(effects)
            if isUsable {
                #expect(outstanding == (bench.bearer.nextDeadline == nil ? 0 : 1), "seed \(seed), step \(step)")
            }
        }
        count(bench.handle(.disconnected))
        #expect(answered.keys.sorted() == asked)
        #expect(answered.values.allSatisfy { $0 == 1 })
        #expect(bench.bearer.nextDeadline == nil)
    }
}

extension ClientPDU {
    fileprivate static func random(using generator: inout SeededGenerator) -> ClientPDU {
        switch Int.random(in: 0...4, using: &generator) {
        case 0: .read(ReadRequest(handle: 3))
        case 1: .exchangeMTU(ExchangeMTURequest(clientRxMTU: 60))
        case 2:
            .write(
                WriteRequest(handle: 4, value: [UInt8](repeating: 1, count: Int.random(in: 0...40, using: &generator))))
        case 3: .findInformation(FindInformationRequest(.all))
        default: .confirmation(HandleValueConfirmation())
        }
    }
}

extension [UInt8] {
    fileprivate static func randomPDU(using generator: inout SeededGenerator) -> [UInt8] {
        let opcodes: [UInt8] = [0x01, 0x03, 0x05, 0x0B, 0x13, 0x1B, 0x1D, 0x02, 0x0A, 0x52, 0x7E, 0x06]
        var pdu = [opcodes.randomElement(using: &generator) ?? 0x0B]
        if pdu == [0x01] { pdu.append([0x02, 0x04, 0x0A, 0x12].randomElement(using: &generator) ?? 0x0A) }
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            pdu.append(UInt8.random(in: 0...255, using: &generator))
        }
        return Bool.random(using: &generator) || pdu[0] != 0x1B ? pdu : []
    }
}
