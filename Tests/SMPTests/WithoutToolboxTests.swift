import HCI
import SMP
import TestSupport
import Testing
import Wire

/// A device that does not pair says so to whoever asks, and keeps silent otherwise.
@Suite struct WithoutToolboxTests {
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
        #expect(answers(to: octets(pdu), .central) == [octets(answer)])
        #expect(answers(to: octets(pdu), .peripheral) == [octets(answer)])
    }

    @Test(arguments: [
        "", "05", "05 05", "05 07", "06" + String(repeating: "00", count: 16), "07 0000", "0e 01",
        "09 00 060504030201",
    ])
    func notAnswered(_ pdu: String) {
        #expect(answers(to: octets(pdu), .central).isEmpty)
        #expect(answers(to: octets(pdu), .peripheral).isEmpty)
    }

    @Test func whatIsNoted() {
        #expect(handle(octets("05 08")) == [.note(.gaveUp(.unspecifiedReason))])
        #expect(handle(octets("0e 01")) == [.note(.passedOver(.pairingKeypressNotification))])
        #expect(handle(octets("0b 01")).last == .note(.refused(.securityRequest, .pairingNotSupported)))
        let empty = WireError.truncated(field: "Code", at: 0, needed: 1, remaining: 0)
        #expect(handle([]) == [.note(.malformed(nil, empty))])
        let trailing = WireError.invalid(field: "PDU", at: 2, reason: "octets behind the last field")
        #expect(handle(octets("0e 01 00")) == [.note(.malformed(.pairingKeypressNotification, trailing))])
    }

    /// Two devices that refuse each other fall silent at once, whatever was said first.
    @Test func refusalsAreNotRefused() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let pdu = (0..<Int.random(in: 0...70, using: &generator)).map { index in
                UInt8.random(in: 0...(index == 0 ? 20 : 255), using: &generator)
            }
            let first = answers(to: pdu, .central)
            #expect(first.count <= 1)
            #expect(first.flatMap { answers(to: $0, .peripheral) }.isEmpty)
        }
    }

    @Test(arguments: [Role.central, .peripheral]) func nothingIsBegun(_ role: Role) {
        #expect(handle(.secure(.encrypted), role) == [.failed(.notSupported)])
        #expect(handle(.pair(.encrypted), role) == [.failed(.notSupported)])
        #expect(handle(.keyRequested(random: 0, encryptedDiversifier: 0), role) == [.provide(nil)])
        #expect(handle(.answered(.none), role) == [])
        #expect(handle(.cancelled, role) == [])
        #expect(handle(.encryptionChanged(.success, isOn: true), role) == [])
    }

    private func manager(_ role: Role) -> SecurityManager {
        SecurityManager(.init(role: role, ownAddress: .zero, peerAddress: .zero), bond: nil, toolbox: nil)
    }

    private func handle(_ input: SecurityManager.Input, _ role: Role) -> [SecurityManager.Effect] {
        var manager = manager(role)
        var effects: [SecurityManager.Effect] = []
        manager.handle(input, at: .zero, into: &effects)
        #expect(!manager.canPair)
        #expect(!manager.isBusy)
        #expect(manager.nextDeadline == nil)
        #expect(manager.security == LinkProtection())
        return effects
    }

    private func handle(_ payload: [UInt8], _ role: Role = .central) -> [SecurityManager.Effect] {
        var manager = manager(role)
        var effects: [SecurityManager.Effect] = []
        manager.receive(payload.span, at: .zero, into: &effects)
        return effects
    }

    private func answers(to payload: [UInt8], _ role: Role) -> [[UInt8]] {
        handle(payload, role).compactMap { if case .transmit(let pdu) = $0 { pdu.encoded } else { nil } }
    }
}
