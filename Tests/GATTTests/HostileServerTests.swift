import ATT
import GATT
import TestSupport
import Testing
import Wire

/// Servers that lie, repeat themselves or say nothing: each ends with an error that names what they did.
@Suite struct HostileServerTests {
    private func error<P: Procedure>(of procedure: P, always hex: String) -> GATTError? {
        run(procedure, with: RulePeer(always: hex)).result?.error
    }

    // MARK: Lists that do not advance

    @Test func theSameServiceForEver() {
        let outcome = run(DiscoverPrimaryServices(), with: RulePeer(always: "1106010004000d18"))
        #expect(
            outcome.result?.error
                == .brokeProtocol(pdu: .readByGroupTypeResponse, .outOfOrder(1, expected: HandleRange(5, 0xFFFF))))
        #expect(outcome.requests.count == 2)
    }

    @Test func theSameServiceWithEndZeroForEver() {
        let outcome = run(DiscoverPrimaryServices(), with: RulePeer(always: "1106010000000d18"))
        #expect(
            outcome.result?.error
                == .brokeProtocol(pdu: .readByGroupTypeResponse, .outOfOrder(1, expected: HandleRange(2, 0xFFFF))))
    }

    @Test func theSameCharacteristicForEver() {
        #expect(
            error(of: DiscoverCharacteristics(in: .all), always: "09070200100300372a")
                == .brokeProtocol(pdu: .readByTypeResponse, .outOfOrder(2, expected: HandleRange(3, 0xFFFF))))
    }

    @Test func theSameDescriptorForEver() {
        #expect(
            error(of: DiscoverDescriptors(in: HandleRange(4, 0xFFFF)), always: "050104000229")
                == .brokeProtocol(pdu: .findInformationResponse, .outOfOrder(4, expected: HandleRange(5, 0xFFFF))))
    }

    @Test func theSameValueForEver() {
        #expect(
            error(of: ReadByUUID(.batteryLevel), always: "0903050057")
                == .brokeProtocol(pdu: .readByTypeResponse, .outOfOrder(5, expected: HandleRange(6, 0xFFFF))))
    }

    @Test func goingBackwardsWithinAPage() {
        #expect(
            error(of: DiscoverDescriptors(in: .all), always: "05010500022904000129")
                == .brokeProtocol(pdu: .findInformationResponse, .outOfOrder(4, expected: HandleRange(6, 0xFFFF))))
    }

    @Test func overlappingServices() {
        #expect(
            error(of: DiscoverPrimaryServices(), always: "110601000a000118050008000d18")
                == .brokeProtocol(pdu: .readByGroupTypeResponse, .outOfOrder(5, expected: HandleRange(0x0B, 0xFFFF))))
    }

    @Test func goingOnBehindTheLastHandle() {
        guard
            case .brokeProtocol(pdu: .readByGroupTypeResponse, .outOfOrder(5, _)) = error(
                of: DiscoverPrimaryServices(), always: "11060100ffff0118050008000d18")
        else {
            Issue.record("another outcome")
            return
        }
    }

    @Test func outsideTheRange() {
        #expect(
            error(of: DiscoverDescriptors(in: HandleRange(4, 6)), always: "050107000229")
                == .brokeProtocol(pdu: .findInformationResponse, .outOfOrder(7, expected: HandleRange(4, 6))))
        #expect(
            error(of: DiscoverServices(.heartRate), always: "0700000400")
                == .brokeProtocol(pdu: .findByTypeValueResponse, .outOfOrder(0, expected: .all)))
    }

    @Test func handlesOneByOneWithoutEnd() {
        let peer = RulePeer { request, _ in [0x05, 0x01, request[1], request[2], 0x02, 0x29] }
        let outcome = run(DiscoverDescriptors(in: .all), with: peer)
        #expect(outcome.result?.error == .brokeProtocol(pdu: .findInformationResponse, .endless(requests: 4096)))
        #expect(outcome.requests.count == 4096)
    }

    @Test func aDatabaseWithoutEnd() {
        let peer = RulePeer { request, _ in
            switch (request[0], request.suffix(2)) {
            case (0x10, [0x00, 0x28]): octets("11060100ffff0d18")
            case (0x08, [0x03, 0x28]):
                request[2] < 0xF0
                    ? [0x09, 0x07, request[1], request[2], 0x10, request[1], request[2] + 1, 0x37, 0x2A]
                    : octets("010800000a")
            default: [0x01, request[0], 0, 0, 0x0A]
            }
        }
        let outcome = run(DiscoverAll(), with: peer)
        #expect(outcome.result?.error != nil)
        #expect(outcome.requests.count <= 4100)
    }

    // MARK: Lengths

    @Test(arguments: [0, 1, 2, 5, 6, 8, 20, 22, 255]) func characteristicLengths(length: UInt8) {
        let list = [UInt8](repeating: 0x11, count: 21)
        let outcome = run(DiscoverCharacteristics(in: .all), with: RulePeer { _, _ in [0x09, length] + list })
        #expect(outcome.result?.error == .brokeProtocol(pdu: .readByTypeResponse, .entryLength(Int(length))))
    }

    @Test(arguments: [0, 1, 4, 5, 7, 8, 21, 255]) func serviceLengths(length: UInt8) {
        let list = [UInt8](repeating: 0x11, count: 21)
        let outcome = run(DiscoverPrimaryServices(), with: RulePeer { _, _ in [0x11, length] + list })
        #expect(outcome.result?.error == .brokeProtocol(pdu: .readByGroupTypeResponse, .entryLength(Int(length))))
    }

    @Test(arguments: [0, 1, 4, 7, 9]) func includeLengths(length: UInt8) {
        let list = [UInt8](repeating: 0x11, count: 21)
        let outcome = run(DiscoverIncludedServices(in: .all), with: RulePeer { _, _ in [0x09, length] + list })
        #expect(outcome.result?.error == .brokeProtocol(pdu: .readByTypeResponse, .entryLength(Int(length))))
    }

    @Test func listsWithoutEntries() {
        #expect(
            error(of: DiscoverServices(.heartRate), always: "07")
                == .brokeProtocol(
                    pdu: .findByTypeValueResponse,
                    .malformed(.truncated(field: "Handles Information List", at: 1, needed: 4, remaining: 0))))
        #expect(
            error(of: DiscoverPrimaryServices(), always: "1106")
                == .brokeProtocol(
                    pdu: .readByGroupTypeResponse,
                    .malformed(.truncated(field: "Attribute Data List", at: 2, needed: 6, remaining: 0))))
        #expect(
            error(of: DiscoverCharacteristics(in: .all), always: "09")
                == .brokeProtocol(
                    pdu: .readByTypeResponse, .malformed(.truncated(field: "Length", at: 1, needed: 1, remaining: 0))))
        guard
            case .brokeProtocol(pdu: .findInformationResponse, .malformed(.invalid(field: "Format", at: 1, _))) = error(
                of: DiscoverDescriptors(in: .all), always: "050304000229")
        else {
            Issue.record("another outcome")
            return
        }
    }

    @Test(arguments: ["0907020010 0200372a", "0907020010 0000372a", "0907ffff10 0000372a"])
    func aValueThatDoesNotFollowItsDeclaration(hex: String) {
        guard
            case .brokeProtocol(pdu: .readByTypeResponse, .valueHandle) = error(
                of: DiscoverCharacteristics(in: .all), always: hex)
        else {
            Issue.record("another outcome")
            return
        }
    }

    // MARK: Wrong answers, no answer

    @Test func theWrongResponseGivenDirectly() {
        var walk = DiscoverPrimaryServices()
        _ = walk.start()
        #expect(
            walk.receive(.success(.write(WriteResponse())))
                == .finished(.failure(.brokeProtocol(pdu: .writeResponse, .unexpectedType))))
    }

    @Test(arguments: ["", "13", "0b 01", "01 0a 01 00 0a", "01", "1b 01 00 02", "1d 01 00 02", "02 f7 00", "7e 00"])
    func anythingButAnAnswerIsSilence(hex: String) {
        #expect(error(of: DiscoverPrimaryServices(), always: hex) == .timedOut(request: .readByGroupTypeRequest))
    }

    @Test func silence() {
        let outcome = run(DiscoverAll(), with: RulePeer { _, _ in nil })
        #expect(outcome.result?.error == .timedOut(request: .readByGroupTypeRequest))
        #expect(outcome.requests.count == 1)
    }

    @Test func theLinkGoes() {
        var procedure = DiscoverAll()
        _ = procedure.start()
        #expect(procedure.receive(.failure(.disconnected)) == .finished(.failure(.disconnected)))
        var find = FindNotifyingCharacteristic(.heartRateMeasurement, in: .heartRate)
        _ = find.start()
        #expect(find.receive(.failure(.disconnected)) == .finished(.failure(.disconnected)))
    }

    @Test func aPeerThatRefusesEverything() {
        let peer = RulePeer { request, _ in [0x01, request[0], 0x01, 0x00, 0x05] }
        #expect(
            run(DiscoverAll(), with: peer).result?.error
                == .refused(request: .readByGroupTypeRequest, handle: 1, code: .insufficientAuthentication))
    }

    // MARK: Anything at all

    /// Responses of the right type with random content: every procedure ends, with few requests, whatever comes.
    @Test(arguments: 0..<40) func randomAnswers(seed: UInt64) {
        check(DiscoverAll(), seed)
        check(FindNotifyingCharacteristic(.heartRateMeasurement, in: .heartRate), seed)
        check(DiscoverIncludedServices(in: .all), seed)
        check(ReadValue(3, mtu: 23), seed)
        check(ReadByUUID(.batteryLevel), seed)
    }

    private func check<P: Procedure>(_ procedure: P, _ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let peer = RulePeer { request, _ in Self.randomAnswer(to: request, &generator) }
        #expect(run(procedure, with: peer, limit: 20_000).result != nil, "seed \(seed)")
    }

    private static func randomAnswer(to request: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let code: UInt8 = [0x0A, 0x0A, 0x06, 0x05, 0x07].randomElement(using: &generator) ?? 0x0A
        if Int.random(in: 0..<6, using: &generator) == 0 { return [0x01, request[0], 0, 0, code] }
        var answer = [request[0] | 1]
        switch request[0] {
        case 0x04: answer.append(UInt8.random(in: 0...3, using: &generator))
        case 0x08: answer.append([7, 21, 6, 8, 3].randomElement(using: &generator) ?? 7)
        case 0x10: answer.append([6, 20, 4].randomElement(using: &generator) ?? 6)
        default: break
        }
        // Handles a little behind the one asked for, so that some walks go far.
        for _ in 0..<Int.random(in: 0...10, using: &generator) {
            let start = UInt16(request[1]) | UInt16(request.count > 2 ? request[2] : 0) << 8
            answer.append(littleEndian: start &+ UInt16.random(in: 0...9, using: &generator))
            answer.append(
                littleEndian: [0x2902, 0x2A37, 0x180D, 0x2803, start &+ 5].randomElement(using: &generator) ?? start)
        }
        return answer
    }
}
