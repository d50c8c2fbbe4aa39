import Capture
import Dissection
import HCI
import SMP
import TestSupport
import Testing
import Wire

/// Pairings read out of captures: each step by its name, each failure with its reason.
@Suite struct PairingStoryTests {
    /// What the packets of a tape do for the link's protection.
    private func steps(_ tape: [String]) -> [String] { dissect(tape).compactMap(\.security).map(\.description) }

    private func pdu(_ direction: Character, _ text: String) -> String { PairingTape.pdu(direction, text) }

    private func pairingSteps(_ tape: [String]) -> [PairingStep] {
        dissect(tape).compactMap { if case .pairing(let step) = $0.security { step } else { nil } }
    }

    // MARK: Whole pairings

    @Test func secureConnections() {
        #expect(
            steps(PairingTape.secureConnections) == [
                "phase 1, the initiator begins a pairing: NoInputNoOutput, bonding, LE Secure Connections",
                "phase 1, the responder answers, so they pair by Just Works, LE Secure Connections (neither asks for protection "
                    + "against a third party), a key of 16 octets, bonding, the initiator hands out its identity and the responder "
                    + "hands out its identity, a signing key",
                "phase 2, the initiator sends its public key", "phase 2, the responder sends its public key",
                "phase 2, the responder commits itself to its random value (Cb)",
                "phase 2, the initiator shows its random value (Na)",
                "phase 2, the responder shows its random value (Nb)",
                "phase 2, the initiator proves that it has made the same keys (Ea)",
                "phase 2, the responder proves that it has made the same keys (Eb)",
                "the central begins to encrypt with the long term key that the pairing has made",
                "encrypted with the long term key that the pairing has made",
                "phase 3, the responder hands out its identity resolving key",
                "phase 3, the responder tells its identity: 06:05:04:03:02:01 (random)",
                "phase 3, the responder hands out its signing key",
                "phase 3, the initiator hands out its identity resolving key",
                "phase 3, the initiator tells its identity: 01:02:03:04:05:06 (public); that completes the pairing",
            ])
    }

    @Test func legacy() {
        #expect(
            steps(PairingTape.legacy) == [
                "the responder asks the central to protect the link: bonding, protection against a third party",
                "phase 1, the initiator begins a pairing: KeyboardDisplay, bonding, protection against a third party",
                "phase 1, the responder answers, so they pair by passkey entry, shown by the responder, legacy pairing "
                    + "(KeyboardDisplay and DisplayOnly), a key of 16 octets, bonding, the initiator hands out a long term key, its "
                    + "identity and the responder hands out a long term key, its identity",
                "phase 2, the initiator commits itself to its random value (Mconfirm)",
                "phase 2, the responder commits itself to its random value (Sconfirm)",
                "phase 2, the initiator shows its random value (Mrand)",
                "phase 2, the responder shows its random value (Srand): both can make the short term key",
                "the central begins to encrypt with the short term key that the pairing has made",
                "encrypted with the short term key that the pairing has made",
                "phase 3, the responder hands out its long term key",
                "phase 3, the responder tells which long term key that is (EDIV and Rand)",
                "phase 3, the responder hands out its identity resolving key",
                "phase 3, the responder tells its identity: 06:05:04:03:02:01 (public)",
                "phase 3, the initiator hands out its long term key",
                "phase 3, the initiator tells which long term key that is (EDIV and Rand)",
                "phase 3, the initiator hands out its identity resolving key",
                "phase 3, the initiator tells its identity: 01:02:03:04:05:06 (public); that completes the pairing",
            ])
    }

    /// A passkey is proven bit by bit: Ca1, Cb1, Na1, Nb1, Ca2 …
    @Test func passkeyOfSecureConnections() {
        let value = String(repeating: "11", count: 16)
        let bits = (1...20).flatMap { _ in
            [pdu("<", "03 \(value)"), pdu(">", "03 \(value)"), pdu("<", "04 \(value)"), pdu(">", "04 \(value)")]
        }
        let tape =
            [connected, pdu("<", "01 02 00 0d 10 00 00"), pdu(">", "02 00 00 0d 10 00 00")]
            + PairingTape.secureConnections[3...4] + bits + [pdu("<", "0d \(value)"), pdu(">", "0d \(value)")]
            + PairingTape.secureConnections[10...12]
        let steps = steps(tape)
        #expect(steps.count == 2 + 2 + 80 + 2 + 2)
        #expect(
            steps[1].contains(
                "passkey entry, shown by the responder, LE Secure Connections (KeyboardOnly and DisplayOnly)"))
        #expect(steps[4] == "phase 2, the initiator commits itself to bit 1 of the passkey (Ca1)")
        #expect(steps[83] == "phase 2, the responder shows bit 20 of the passkey (Nb20)")
        #expect(steps[84] == "phase 2, the initiator proves that it has made the same keys (Ea)")
        #expect(
            steps[87]
                == "encrypted with the long term key that the pairing has made; that completes the pairing, as no keys are handed out"
        )
        #expect(pairingSteps(tape).allSatisfy { $0.oddities.isEmpty })
        // One round too many has no place.
        #expect(pairingSteps(tape.dropLast(4) + [pdu("<", "03 \(value)")]).last?.oddities == [.outOfPlace])
    }

    /// Which of the models it is (Core Vol 3, Part H, tables 2.6 to 2.8): IO capability, data flag and requirements of both.
    @Test(arguments: [
        ("03 00 09", "03 00 09", "Just Works, LE Secure Connections"),
        ("04 00 0d", "03 00 0d", "Just Works, LE Secure Connections"),
        ("04 00 09", "04 00 09", "Just Works, LE Secure Connections"),
        ("04 00 0d", "04 00 09", "numeric comparison, LE Secure Connections"),
        ("04 00 05", "04 00 0d", "passkey entry, shown by the initiator, legacy pairing"),
        ("00 00 0d", "02 00 0d", "passkey entry, shown by the initiator, LE Secure Connections"),
        ("02 00 0d", "00 00 0d", "passkey entry, shown by the responder, LE Secure Connections"),
        ("02 00 0d", "02 00 0d", "passkey entry on both sides, LE Secure Connections"),
        ("01 00 05", "01 00 05", "Just Works, legacy pairing"),
        ("03 01 09", "03 00 09", "out-of-band data, LE Secure Connections"),
        ("03 01 01", "03 00 01", "Just Works, legacy pairing"),
        ("03 01 01", "03 01 01", "out-of-band data, legacy pairing"),
    ])
    func models(_ request: String, _ response: String, _ model: String) {
        let all = dissect([connected, pdu("<", "01 \(request) 10 00 00"), pdu(">", "02 \(response) 10 00 00")])
        #expect(all[2].security?.brief == model)
        #expect(all[2].security?.description.contains("so they pair by \(model)") == true)
    }

    // MARK: Failures

    @Test(arguments: 1...16 as ClosedRange<UInt8>) func everyReason(_ raw: UInt8) {
        let reason = PairingFailure(rawValue: raw)
        let tape = Array(PairingTape.legacy.prefix(6)) + [pdu(">", "05 \(PairingTape.hexadecimal([raw]))")]
        let step = dissect(tape).last?.security
        #expect(step?.brief == reason.description)
        let text = step?.description ?? ""
        #expect(text.hasPrefix("phase 2, the responder gives the pairing up: \(reason): "))
        #expect(text.count >= "phase 2, the responder gives the pairing up: \(reason): ".count + 10)
    }

    @Test func aReasonThatTheSpecificationDoesNotHave() {
        let step = dissect([connected, pdu("<", "05 77")]).last?.security
        #expect(step?.description == "the initiator gives the pairing up: 0x77")
    }

    /// What a wrong confirm value means depends on how the two pair.
    @Test func aConfirmValueIsWrong() {
        let passkey = steps(Array(PairingTape.legacy.prefix(8)) + [pdu(">", "05 04")]).last
        #expect(passkey?.contains("the other side had another passkey, or somebody stands between them") == true)
        let justWorks = steps(Array(PairingTape.secureConnections.prefix(8)) + [pdu("<", "05 04")]).last
        #expect(justWorks?.contains("what the other side showed is not what it had committed itself to") == true)
    }

    @Test func afterAFailureAPairingBeginsAtItsBeginning() {
        let tape = Array(PairingTape.secureConnections.prefix(6)) + [pdu(">", "05 08")]
        let again = pairingSteps(tape + PairingTape.secureConnections.dropFirst())
        #expect(again.allSatisfy { $0.oddities.isEmpty })
        #expect(again.last?.isLast == true)
    }

    // MARK: What does not belong

    private func oddities(_ tape: [String]) -> [PairingStep.Oddity] { pairingSteps(tape).flatMap(\.oddities) }

    @Test func whatAttackersDo() {
        let tape = PairingTape.secureConnections
        var reflected = tape
        reflected[4] = tape[3].replacing("< 02 4000", with: "> 02 4020")
        #expect(oddities(reflected) == [.reflectedKey])
        #expect(dissect(reflected)[4].security?.brief == "it is the initiator's own, sent back")
        // The public half of the pair that everybody knows (Core Vol 3, Part H, 2.3.5.6.1).
        let debug =
            "e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020"
            + "8bd28915d08e1c742430ed8fc24563765c15525abf9a32636deb2a65499c80dc"
        var known = tape
        known[3] = pdu("<", "0c \(debug)")
        #expect(oddities(known) == [.debugKey])
        // A second request in the midst; what answers it is its own.
        #expect(oddities(Array(tape.prefix(6)) + [tape[1], tape[2]]) == [.beganAnew])
        // A check before its time, a second response, a legacy step in Secure Connections, the peripheral as initiator.
        #expect(oddities(Array(tape.prefix(6)) + [tape[9]]) == [.outOfPlace])
        #expect(oddities(Array(tape.prefix(6)) + [tape[2]]) == [.outOfPlace])
        #expect(oddities(Array(tape.prefix(5)) + [pdu("<", "03 82edd062913d967f13c50d022b5e4316")]) == [.outOfPlace])
        #expect(oddities([connected, pdu(">", "01 03 00 09 10 02 06")]) == [.outOfPlace])
    }

    @Test func keysThatShouldNotBeHandedOut() {
        let tape = PairingTape.secureConnections
        let key = pdu(">", "06 \(PairingTape.legacyLTK)")
        #expect(oddities(Array(tape.prefix(13)) + [key]) == [.notAnnounced])
        // Before encryption; but not where only the event is late.
        #expect(oddities(Array(tape.prefix(10)) + [tape[13], tape[14], tape[15]]) == [.inTheClear])
        #expect(oddities(Array(tape.prefix(12)) + [tape[13], tape[14], tape[15], tape[12]]).isEmpty)
    }

    // MARK: Encryption

    @Test func keptKeys() {
        let enable = "< 01 19 20 1c 4000 RAND DIV \(PairingTape.secureLTK)"
        func begin(_ random: String, _ diversifier: String) -> [String] {
            let command = enable.replacing("RAND", with: random).replacing("DIV", with: diversifier)
            return steps([connected, command, "> 04 08 04 00 4000 01"])
        }
        #expect(
            begin("0000000000000000", "0000") == [
                "the central begins to encrypt with a long term key from an earlier link (LE Secure Connections)",
                "encrypted with a long term key from an earlier link (LE Secure Connections)",
            ])
        #expect(
            begin("0807060504030201", "3412").last
                == "encrypted with a long term key that a legacy pairing had handed out (EDIV 0x1234)")
        // The other side of it: a host that is the peripheral.
        let peripheral = connected.replacing("4000 00 01", with: "4000 01 01")
        let asked = "> 04 3e 0d 05 4000 0807060504030201 3412"
        #expect(
            steps([peripheral, asked, "< 01 1a20 12 4000 \(PairingTape.legacyLTK)", asked, "< 01 1b20 02 4000"]) == [
                "the central begins to encrypt with a long term key that a legacy pairing had handed out (EDIV 0x1234); "
                    + "this host is asked for it",
                "this host has the key",
                "the central begins to encrypt with a long term key that a legacy pairing had handed out (EDIV 0x1234); "
                    + "this host is asked for it",
                "this host has no such key, which the central is told as Key Missing (0x06)",
            ])
        #expect(
            steps([connected, "> 04 30 03 00 4000", "> 04 08 04 00 4000 00"]) == [
                "encrypted anew", "no longer encrypted",
            ])
    }

    @Test func failuresOfEncryption() {
        let enable = "< 01 19 20 1c 4000 0000000000000000 0000 \(PairingTape.secureLTK)"
        let missing = dissect([connected, enable, "> 04 08 04 06 4000 00"])
        #expect(
            missing[2].security?.description
                == "not encrypted: the peripheral does not know the key any more, as after a reset or a pairing with somebody "
                + "else; pairing anew makes a new one")
        #expect(steps([connected, "> 04 08 04 1a 4000 00"]) == ["not encrypted: the peripheral cannot encrypt"])
        #expect(steps(["> 04 08 04 22 4100 00"]).first?.hasPrefix("not encrypted: ") == true)
        #expect(
            steps([connected, "> 04 05 04 00 4000 3d"]) == [
                "the link ended: what came could not be decrypted: the two sides do not have the same key"
            ])
        #expect(steps([connected, "> 04 05 04 00 4000 06"]).first?.contains("does not know the key") == true)
        #expect(steps([connected, disconnected]).isEmpty)
    }

    /// Times of the tape are a second apart.
    @Test func theLinkEndsInTheMidst() {
        let tape = Array(PairingTape.secureConnections.prefix(6))
        #expect(steps(tape + [disconnected]).last == "the link ended in phase 2 of a pairing, 1 s after its last PDU")
        let quiet = [String](repeating: "> 04 13 05 01 4000 0100", count: 30)
        #expect(
            steps(tape + quiet + [disconnected]).last
                == "the link ended in phase 2 of a pairing, 31 s after its last PDU: it had timed out")
        #expect(
            steps(PairingTape.secureConnections + [disconnected]).count == steps(PairingTape.secureConnections).count)
    }

    // MARK: Captures that do not tell all

    /// A capture that begins in the midst of a pairing, and one without directions.
    @Test func whatIsNotToldIsNotSaid() {
        let late = steps(Array(PairingTape.secureConnections.dropFirst(5)))
        #expect(late.first == "phase 2, commits itself to its random value")
        #expect(
            late.contains(
                "the central begins to encrypt with a long term key from an earlier link (LE Secure Connections)"))
        #expect(pairingSteps(Array(PairingTape.secureConnections.dropFirst(2))).allSatisfy { $0.oddities.isEmpty })
        let undirected = PairingTape.secureConnections.map { "=" + $0.dropFirst() }
        let steps = pairingSteps(undirected)
        #expect(steps.map(\.sender).filter { $0 == nil }.count < steps.count)
        #expect(steps.allSatisfy { $0.oddities.isEmpty })
        // Who asks first is the initiator, where the beginning of the link was not captured.
        #expect(
            self.steps([pdu(">", "01 03 00 09 10 02 06")]).first?.hasPrefix("phase 1, the initiator begins") == true)
    }

    @Test func whatMeansNothing() {
        #expect(
            steps([connected, pdu("<", "0f 01"), pdu(">", "03 00"), pdu(">", "0e 04")]) == [
                "the initiator sends 0x0F, which means nothing here",
                "the responder sends Pairing Confirm, which means nothing here",
                "the responder tells what its user does: Passkey entry completed",
            ])
        var generator = SeededGenerator(seed: 4)
        let random = (0..<3000).map { _ in
            let octets = (0..<Int.random(in: 1...66, using: &generator)).map { index in
                UInt8.random(in: 0...(index == 0 ? 15 : 255), using: &generator)
            }
            return pdu(Bool.random(using: &generator) ? "<" : ">", PairingTape.hexadecimal(octets))
        }
        let all = dissect([connected] + random)
        #expect(all.dropFirst().allSatisfy { $0.security?.description.isEmpty == false })
    }

    /// No step says a key, nor prints one.
    @Test func keysAreNotSaid() {
        for step in dissect(PairingTape.secureConnections + PairingTape.legacy).compactMap(\.security) {
            for key in PairingTape.keys {
                let digits = PairingTape.hexadecimal(key.prefix(4))
                #expect(!"\(step)".contains(digits))
                #expect(!String(reflecting: step).contains(key.prefix(4).map(String.init).joined(separator: ", ")))
            }
        }
    }
}
