import SMP
import TestSupport
import Testing
import Wire

@Suite struct RefusalTests {
    @Test(arguments: [
        ("01 03 00 01 10 00 01", "05 05"),
        ("0b 01", "05 05"),
        ("02 03 00 01 10 00 01", "05 05"),
        ("03" + String(repeating: "00", count: 16), "05 05"),
        ("0c" + String(repeating: "00", count: 64), "05 05"),
        ("0f", "05 07"),
        ("00 01", "05 07"),
        ("01 03 00", "05 0a"),
        ("0b", "05 0a"),
    ])
    func refused(_ pdu: String, _ answer: String) {
        #expect(answers(to: octets(pdu)) == [octets(answer)])
    }

    @Test(arguments: [
        "", "05", "05 05", "05 07", "06" + String(repeating: "00", count: 16), "07 0000", "0e 01",
        "09 00 060504030201",
    ])
    func notAnswered(_ pdu: String) {
        #expect(answers(to: octets(pdu)).isEmpty)
    }

    @Test func whatIsNoted() {
        #expect(handle(octets("05 08")) == [.note(.failed(.unspecifiedReason))])
        #expect(handle(octets("0e 01")) == [.note(.passedOver(.pairingKeypressNotification))])
        #expect(handle(octets("0b 01")).last == .note(.refused(.securityRequest)))
        let empty = WireError.truncated(field: "Code", at: 0, needed: 1, remaining: 0)
        #expect(handle([]) == [.note(.malformed(nil, empty))])
    }

    /// Two devices that refuse each other fall silent at once, whatever was said first.
    @Test func refusalsAreNotRefused() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let pdu = (0..<Int.random(in: 0...70, using: &generator)).map { index in
                UInt8.random(in: 0...(index == 0 ? 20 : 255), using: &generator)
            }
            let first = answers(to: pdu)
            #expect(first.count <= 1)
            #expect(first.flatMap(answers).isEmpty)
        }
    }

    private func handle(_ payload: [UInt8]) -> [Refusal.Effect] {
        var refusal = Refusal()
        var effects: [Refusal.Effect] = []
        refusal.handle(payload.span, into: &effects)
        for case .note(let note) in effects { #expect(!note.description.isEmpty) }
        return effects
    }

    private func answers(to payload: [UInt8]) -> [[UInt8]] {
        handle(payload).compactMap { if case .transmit(let pdu) = $0 { pdu.encoded } else { nil } }
    }
}
