import ATT
import GATT
import TestSupport
import Testing
import Wire

/// Long and reliable writes. Requests and responses are typed by hand (Core Vol 3, Part F, 3.4.6).
@Suite struct WritePartsTests {
    private func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    private func target(_ value: [UInt8], to handle: Handle) -> WriteParts.Target { .init(value, to: handle) }

    /// 18 octets a part at an MTU of 23.
    @Test func aLongValueGoesInParts() {
        var peer = ScriptedPeer(
            """
            > 16 0400 0000 000102030405060708090A0B0C0D0E0F1011 < 17 0400 0000 000102030405060708090A0B0C0D0E0F1011
            > 16 0400 1200 1213 < 17 0400 1200 1213
            > 18 01 < 19
            """)
        #expect(run(WriteParts(value(20), to: 4, mtu: 23), with: &peer).result?.value != nil)
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test(arguments: [(0, 1), (1, 1), (18, 1), (19, 2), (36, 2), (37, 3), (512, 29)])
    func thePartsAreAsManyAsNeeded(_ count: Int, _ parts: Int) {
        let outcome = run(
            WriteParts(value(count), to: 4, mtu: 23),
            with: RulePeer { request, _ in [request[0] | 1] + request.dropFirst() })
        #expect(outcome.requests.count == parts + 1)
        #expect(outcome.requests.last == "1801")
    }

    @Test func noValueIsLongerThan512Octets() {
        let outcome = run(WriteParts(value(513), to: 4, mtu: 23), with: RulePeer(always: "19"))
        #expect(outcome.requests == [])
        #expect(outcome.result?.error == .valueTooLong(handle: 4, octets: 513))
    }

    @Test func ourOwnServerTakesIt() {
        var peer = ServerPeer([ServiceDefinition(0x180D, [CharacteristicDefinition(0x2A39, .write)])])
        #expect(run(WriteParts(value(512), to: 3, mtu: 23), with: &peer).result?.value != nil)
        #expect(peer.told.contains(.written(3, value(512))))
    }

    // MARK: Repeating

    private let wrongRepetitions = [
        "17 0500 0000 0102", "17 0400 0100 0102", "17 0400 0000 0103", "17 0400 0000 01", "17 0400 0000 010203",
        "17 0400 0000",
    ]

    /// Only the reliable sub-procedure compares (Core Vol 3, Part G, 4.9.4 and 4.9.5).
    @Test(arguments: 0..<6) func aWrongRepetitionUndoesAReliableWrite(_ index: Int) {
        let wrong = octets(wrongRepetitions[index])
        let peer = RulePeer { request, _ in request[0] == 0x16 ? wrong : [0x19] }
        let reliable = run(WriteParts(reliably: [target([1, 2], to: 4)], mtu: 23), with: peer)
        #expect(reliable.requests == ["16040000000102", "1800"])
        #expect(reliable.result?.error == .notRepeated(handle: 4, offset: 0))
        let plain = run(WriteParts([1, 2], to: 4, mtu: 23), with: peer)
        #expect(plain.requests == ["16040000000102", "1801"])
        #expect(plain.result?.value != nil)
    }

    @Test func severalValuesAreWrittenAtOnce() {
        var peer = ScriptedPeer(
            """
            > 16 0400 0000 01 < 17 0400 0000 01
            > 16 0600 0000 0203 < 17 0600 0000 0203
            > 18 01 < 19
            """)
        let procedure = WriteParts(reliably: [target([1], to: 4), target([2, 3], to: 6)], mtu: 23)
        #expect(run(procedure, with: &peer).result?.value != nil)
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    // MARK: What is queued does not stay

    @Test(arguments: ["01 16 0400 09", "01 16 0400 05", "17 04", "17"])
    func aPartThatFailsHasTheOthersForgotten(_ second: String) {
        let peer = RulePeer { request, count in
            request[0] == 0x18 ? [0x19] : count == 0 ? [0x17] + request.dropFirst() : octets(second)
        }
        let outcome = run(WriteParts(value(20), to: 4, mtu: 23), with: peer)
        #expect(outcome.requests.count == 3)
        #expect(outcome.requests.last == "1800")
        #expect(outcome.result?.error != nil)
    }

    @Test func aRefusalOfTheFirstPartLeavesNothingBehind() {
        let outcome = run(WriteParts(value(20), to: 4, mtu: 23), with: RulePeer(always: "01 16 0400 03"))
        #expect(outcome.requests.count == 1)
        #expect(outcome.result?.error == .refused(request: .prepareWriteRequest, handle: 4, code: .writeNotPermitted))
    }

    @Test func theRefusalOfAllIsTold() {
        let peer = RulePeer { request, _ in request[0] == 0x18 ? octets("01 18 0400 0D") : [0x17] + request.dropFirst()
        }
        let outcome = run(WriteParts(value(20), to: 4, mtu: 23), with: peer)
        #expect(
            outcome.result?.error
                == .refused(request: .executeWriteRequest, handle: 4, code: .invalidAttributeValueLength))
    }

    /// Whoever gives up in the midst of it leaves nothing in the queue; the failure of that changes nothing.
    @Test func aCancelledWriteIsForgotten() {
        var procedure = WriteParts(value(20), to: 4, mtu: 23)
        _ = procedure.start()
        #expect(procedure.receive(.failure(.cancelled)) == .request(.executeWrite(ExecuteWriteRequest(flags: 0))))
        #expect(procedure.receive(.failure(.disconnected)) == .finished(.failure(.cancelled)))
    }

    @Test func aLinkThatIsGoneIsAskedNothing() {
        var procedure = WriteParts(value(20), to: 4, mtu: 23)
        _ = procedure.start()
        #expect(procedure.receive(.failure(.disconnected)) == .finished(.failure(.disconnected)))
    }
}
