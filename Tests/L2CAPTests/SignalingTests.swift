import HCI
import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct SignalingTests {
    /// A Polar H7 asks for 312.5 to 500 ms, latency 0, timeout 6 s half a minute after connecting; refused, it leaves.
    @Test func aStrapsConnectionParametersAreGranted() {
        let wanted = parameters(250, 400, latency: 0, timeout: 600)
        #expect(
            handle("12 01 0800 fa00 9001 0000 5802") == [answer("13 01 0200 0000"), .updateConnection(wanted)])
    }

    @Test func impossibleConnectionParametersAreRefused() {
        let crossed = parameters(400, 250, latency: 0, timeout: 600)
        #expect(
            handle("12 02 0800 9001 fa00 0000 5802")
                == [answer("13 02 0200 0100"), .note(.parametersRefused(crossed))])
    }

    /// Only a peripheral asks for parameters this way.
    @Test func aPeripheralIsNotAskedForParameters() {
        #expect(handle("12 07 0800 fa00 9001 0000 5802", as: .peripheral).first == answer("01 07 0200 0000"))
    }

    @Test func unknownCommandsAreRejected() {
        #expect(
            handle("7f 05 0000")
                == [answer("01 05 0200 0000"), .note(.notUnderstood(SignalingCode(rawValue: 0x7F)))])
        // An Echo Request belongs to BR/EDR.
        #expect(handle("08 06 0100 41").first == answer("01 06 0200 0000"))
    }

    @Test func requestsAboutChannelsThatDoNotExist() {
        let channel = ChannelID(rawValue: 0x40)
        #expect(
            handle("06 03 0400 4000 4100")
                == [answer("01 03 0600 0200 4000 4100"), .note(.channelUnknown(.disconnectionRequest, channel))])
        #expect(handle("19 04 0600 4000 1700 4000").first == answer("1a 04 0200 0300"))
        #expect(
            handle("16 05 0400 4000 0100") == [.note(.channelUnknown(.flowControlCreditIndication, channel))])
    }

    @Test func channelsAreRefused() {
        #expect(
            handle("14 09 0a00 8000 4000 1700 1700 0a00")
                == [answer("15 09 0a00 0000 0000 0000 0000 0200"), .note(.channelRefused(spsm: 0x80))])
        #expect(
            handle("17 0a 0c00 2700 4000 4000 0500 4000 4100").first
                == answer("18 0a 0c00 0000 0000 0000 0200 0000 0000"))
        #expect(handle("17 0b 0800 2700 4000 4000 0500").first == answer("18 0b 0800 0000 0000 0000 0c00"))
    }

    /// An answer to an answer would go back and forth for ever.
    @Test func responsesAreNeverAnswered() {
        for code in UInt8.min...UInt8.max where SignalingCode(rawValue: code).isResponse {
            for count in [0, 2, 9] {
                let packet = SignalingPacket(
                    code: SignalingCode(rawValue: code), identifier: 3, data: Array(repeating: 0, count: count))
                #expect(answers(to: packet.encoded).isEmpty)
            }
            // Also where the data is cut.
            #expect(answers(to: [code, 3, 9, 0, 0]).isEmpty)
        }
    }

    @Test func damagedCommands() {
        #expect(handle("") == [.note(.headerCut(octets: 0))])
        #expect(handle("12 01 08") == [.note(.headerCut(octets: 3))])
        let cut = WireError.truncated(field: "Data", at: 4, needed: 8, remaining: 2)
        #expect(
            handle("12 01 0800 fa00")
                == [answer("01 01 0200 0000"), .note(.malformed(.connectionParameterUpdateRequest, cut))])
        #expect(handle("12 01 0200 fa00").first == answer("01 01 0200 0000"))
        #expect(handle("12 00 0800 fa00 9001 0000 5802") == [.note(.identifierZero(.connectionParameterUpdateRequest))])
    }

    @Test func moreThanOneCommandInAFrame() {
        let effects = handle("12 01 0800 fa00 9001 0000 5802 08 02 0000")
        #expect(effects.first == .note(.trailing(.connectionParameterUpdateRequest, octets: 4)))
        #expect(effects.dropFirst().first == answer("13 01 0200 0000"))
        #expect(effects.count == 3)
    }

    @Test func longerThanTheChannelsMTU() {
        let long = "12 01 1400" + String(repeating: "00", count: 20)
        #expect(handle(long).first == answer("01 01 0400 0100 1700"))
    }

    /// Whatever comes, at most one answer goes out, and it is one that gets no answer.
    @Test func randomOctets() {
        var generator = SeededGenerator(seed: 5)
        var answered = 0
        for _ in 0..<5000 {
            var payload = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if payload.count > 4, Bool.random(using: &generator) {
                payload[0] &= 0x1F
                payload[2] = UInt8(payload.count - 4)
                payload[3] = 0
            }
            let frames = answers(to: payload)
            #expect(frames.count <= 1)
            answered += frames.count
            for frame in frames {
                let packet = try? SignalingPacket(decoding: frame.payload)
                #expect(packet?.code.isResponse == true)
                #expect(packet?.identifier == payload[1])
            }
        }
        #expect(answered > 1000)
    }

    /// Every bound of the ranges, inside and outside.
    @Test(arguments: [
        (6, 6, 0, 10, true), (6, 3200, 0, 3200, true), (6, 25, 499, 3200, true), (40, 40, 0, 11, true),
        (5, 400, 0, 600, false), (6, 3201, 0, 3200, false), (0xFFFF, 0xFFFF, 0, 3200, false), (7, 6, 0, 600, false),
        (6, 6, 500, 3200, false), (6, 6, 0xFFFF, 3200, false), (6, 6, 0, 9, false), (6, 6, 0, 3201, false),
        // Exactly twice the interval is not longer than it: 2 · 50 ms = 100 ms.
        (40, 40, 0, 10, false), (6, 26, 499, 3200, false),
    ])
    func bounds(_ min: UInt16, _ max: UInt16, _ latency: UInt16, _ timeout: UInt16, _ isGranted: Bool) {
        let wanted = parameters(min, max, latency: latency, timeout: timeout)
        let request = SignalingCommand.connectionParameterUpdateRequest(wanted).packet(identifier: 1)
        let effects = handle(request.encoded.hexadecimal)
        #expect(effects.last == (isGranted ? .updateConnection(wanted) : .note(.parametersRefused(wanted))))
        #expect(effects.first == answer(isGranted ? "13 01 0200 0000" : "13 01 0200 0100"))
    }

    private func parameters(
        _ min: UInt16, _ max: UInt16, latency: UInt16, timeout: UInt16
    ) -> ConnectionParameters {
        var parameters = ConnectionParameters()
        parameters.intervalMin = ConnectionInterval(rawValue: min)
        parameters.intervalMax = ConnectionInterval(rawValue: max)
        parameters.latency = latency
        parameters.supervisionTimeout = SupervisionTimeout(rawValue: timeout)
        return parameters
    }

    private func handle(_ text: String, as role: Role = .central) -> [Signaling.Effect] {
        var signaling = Signaling(role: role)
        var effects: [Signaling.Effect] = []
        let payload = octets(text)
        signaling.handle(payload.span, into: &effects)
        for case .note(let note) in effects { #expect(!note.description.isEmpty) }
        return effects
    }

    private func answers(to payload: [UInt8]) -> [BasicFrame] {
        var signaling = Signaling()
        var effects: [Signaling.Effect] = []
        signaling.handle(payload.span, into: &effects)
        return effects.compactMap { if case .transmit(let frame) = $0 { frame } else { nil } }
    }

    private func answer(_ text: String) -> Signaling.Effect {
        .transmit(BasicFrame(channel: .signaling, payload: octets(text)))
    }
}
