import ATT
import GATT
import TestSupport
import Testing
import Wire

/// Several values at once, and values by their type. PDUs are typed by hand (Core Vol 3, Part F, 3.4.4).
@Suite struct ReadValuesTests {
    private func characteristic(_ uuid: BluetoothUUID, _ value: [UInt8], read: Access? = nil)
        -> CharacteristicDefinition
    {
        .init(uuid, .read, value: value, read: read)
    }

    // MARK: Read Multiple

    @Test func valuesOfKnownLengths() {
        var peer = ScriptedPeer("> 0E 0300 0500 0700 < 0F 0102 03 040506")
        let outcome = run(ReadValues([3, 5, 7], lengths: [2, 1, 3]), with: &peer)
        #expect(outcome.result == .success([[1, 2], [3], [4, 5, 6]]))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test(arguments: [
        ("0F", [[], []] as [[UInt8]]), ("0F 01", [[1], []]), ("0F 0102", [[1, 2], []]),
        ("0F 01020304", [[1, 2], [3, 4]]),
    ])
    func valuesThatAreCut(_ answer: String, _ values: [[UInt8]]) {
        #expect(run(ReadValues([3, 5], lengths: [2, 1]), with: RulePeer(always: answer)).result == .success(values))
    }

    @Test func lengthsThatMakeNoSenseDoNoHarm() {
        let peer = RulePeer(always: "0F 010203")
        #expect(run(ReadValues([3, 5], lengths: [-1, 1]), with: peer).result == .success([[], [1, 2, 3]]))
        #expect(
            run(ReadValues([3, 5], lengths: [Int.max, Int.max, 1]), with: peer).result == .success([[1, 2, 3], []]))
        #expect(run(ReadValues([], lengths: []), with: peer).result == .success([[1, 2, 3]]))
    }

    @Test func ourOwnServerTellsSeveralValues() {
        let peer = ServerPeer([
            ServiceDefinition(0x180A, [characteristic(0x2A29, [1, 2]), characteristic(0x2A24, [3])])
        ])
        #expect(run(ReadValues([3, 5], lengths: [2, 1]), with: peer).result == .success([[1, 2], [3]]))
        let outcome = run(ReadVariableValues([3, 5]), with: peer)
        #expect(outcome.result == .success([.init(value: [1, 2], isCut: false), .init(value: [3], isCut: false)]))
    }

    // MARK: Read Multiple Variable Length

    @Test func valuesWithTheirLengths() {
        var peer = ScriptedPeer("> 20 0300 0500 < 21 0200 0102 0000")
        let outcome = run(ReadVariableValues([3, 5]), with: &peer)
        #expect(outcome.result == .success([.init(value: [1, 2], isCut: false), .init(value: [], isCut: false)]))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test func moreValuesThanWereAskedForAreABreach() {
        let outcome = run(ReadVariableValues([3, 5]), with: RulePeer(always: "21 0100 01 0100 02 0100 03"))
        #expect(outcome.result?.error == .brokeProtocol(pdu: .readMultipleVariableResponse, .tooManyValues(3)))
    }

    @Test(arguments: ["0F 01", "0B", "21FF"]) func anotherResponseIsNone(_ answer: String) {
        let outcome = run(ReadVariableValues([3, 5]), with: RulePeer(always: answer))
        #expect(outcome.result != .success([.init(value: [], isCut: false)]))
        #expect(outcome.requests.count == 1)
    }

    // MARK: Every value, whole

    /// Three values; the second is too long for what is left of the response, so that it and the third are read by themselves.
    @Test func whatDoesNotFitIsReadByItself() {
        let long = (0..<30).map { UInt8($0) }
        let peer = ServerPeer([
            ServiceDefinition(
                0x180A, [characteristic(0x2A29, [1]), characteristic(0x2A24, long), characteristic(0x2A25, [2])])
        ])
        let outcome = run(ReadEveryValue([3, 5, 7], mtu: 23), with: peer)
        #expect(outcome.result == .success([.success([1]), .success(long), .success([2])]))
        #expect(outcome.requests == ["20030005000700", "0a0500", "0c05001600", "0a0700"])
    }

    /// As a server does that cuts a long value in the midst of the list: nothing of what follows is taken for a value.
    @Test func behindALongValueNothingIsTakenOnTrust() {
        let long = [UInt8](repeating: 7, count: 300)
        let peer = RulePeer { request, _ in
            switch request[0] {
            case 0x20: octets("21 0100 01 2C01") + long.prefix(251) + octets("0100 02") + long.prefix(60)
            case 0x0A: [0x0B] + (request[1] == 5 ? long : [2])
            default: nil
            }
        }
        var procedure = ReadEveryValue([3, 5, 7], mtu: 517)
        var step = procedure.start()
        while case .request(let pdu) = step, let answer = peer.rule(pdu.encoded, 0),
            let response = try? ServerPDU(decoding: answer)
        {
            step = procedure.receive(.success(response))
        }
        #expect(step == .finished(.success([.success([1]), .success(long), .success([2])])))
    }

    @Test func aRefusedValueDoesNotHideTheOthers() {
        let peer = ServerPeer([
            ServiceDefinition(
                0x180A,
                [
                    characteristic(0x2A29, [1]), characteristic(0x2A24, [], read: .encrypted),
                    characteristic(0x2A25, [2]),
                ])
        ])
        let refusal = GATTError.refused(request: .readRequest, handle: 5, code: .insufficientEncryption)
        let outcome = run(ReadEveryValue([3, 5, 7], mtu: 23), with: peer)
        #expect(outcome.result == .success([.success([1]), .failure(refusal), .success([2])]))
    }

    /// A server from before Bluetooth 5.2.
    @Test func aServerThatDoesNotKnowTheRequestIsAskedForEach() {
        let peer = RulePeer { request, _ in request[0] == 0x0A ? [0x0B, request[1]] : [0x01, request[0], 0, 0, 0x06] }
        let outcome = run(ReadEveryValue([3, 5], mtu: 23), with: peer)
        #expect(outcome.result == .success([.success([3]), .success([5])]))
        #expect(outcome.requests == ["2003000500", "0a0300", "0a0500"])
    }

    @Test(arguments: [([], []), ([3], ["0a0300"])] as [([Handle], [String])])
    func fewerThanTwoAreReadByThemselves(_ handles: [Handle], _ requests: [String]) {
        #expect(run(ReadEveryValue(handles, mtu: 23), with: RulePeer(always: "0B 01")).requests == requests)
    }

    @Test func moreThanFitIntoARequestAreReadByThemselves() {
        let handles = (1...12).map { Handle($0) }
        let outcome = run(ReadEveryValue(handles, mtu: 23), with: RulePeer(always: "0B 01"))
        #expect(outcome.requests.count == 12)
        #expect(!outcome.requests.contains { $0.hasPrefix("20") })
    }

    // MARK: By type

    @Test func valuesByTheirType() {
        let peer = ServerPeer([
            ServiceDefinition(0x180F, [characteristic(0x2A19, [87])]),
            ServiceDefinition(0x180F, [characteristic(0x2A19, [50])]),
        ])
        let outcome = run(ReadByType(0x2A19, mtu: 23), with: peer)
        #expect(outcome.result == .success([.init(handle: 3, value: [87]), .init(handle: 6, value: [50])]))
        #expect(outcome.requests == ["080100ffff192a", "080700ffff192a"])
    }

    /// A response holds 19 octets of a value: the others are read by the handle.
    @Test(arguments: [18, 19, 20, 22, 44, 512]) func aLongValueIsReadFurther(_ count: Int) {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let peer = ServerPeer([ServiceDefinition(0x180A, [characteristic(0x2A29, value)])])
        #expect(run(ReadByType(0x2A29, mtu: 23), with: peer).result == .success([.init(handle: 3, value: value)]))
    }

    @Test func nothingOfThatTypeIsNoFailure() {
        let peer = ServerPeer([ServiceDefinition(0x180A, [characteristic(0x2A29, [1])])])
        #expect(run(ReadByType(0x2A19, mtu: 23), with: peer).result == .success([]))
    }

    /// Each page as long as can be, each value without an end: the reading ends all the same.
    @Test func aServerWithoutEndIsLeftInTheEnd() {
        let full = [UInt8](repeating: 9, count: 22)
        let peer = RulePeer { request, _ in
            request[0] == 0x08 ? [0x09, 21] + request[1...2] + full.prefix(19) : [request[0] | 1] + full
        }
        let outcome = run(ReadByType(0x2A19, mtu: 23), with: peer)
        #expect(outcome.result?.error == .brokeProtocol(pdu: .readByTypeResponse, .endless(requests: 4096)))
    }
}
