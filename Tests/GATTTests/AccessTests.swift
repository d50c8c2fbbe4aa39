import ATT
import GATT
import TestSupport
import Testing
import Wire

@Suite struct AccessTests {
    // MARK: Reading

    @Test func publishedRead() {
        var peer = ScriptedPeer("> 0a0300 < 0b010203")
        #expect(run(ReadValue(3, mtu: 23), with: &peer).result == .success([1, 2, 3]))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test(
        arguments: [
            ("010a000001", 0x0000, ErrorCode.invalidHandle), ("010a030002", 0x0003, .readNotPermitted),
            ("010a030008", 0x0003, .insufficientAuthorization), ("010a030005", 0x0003, .insufficientAuthentication),
            ("010a03000c", 0x0003, .encryptionKeySizeTooShort),
        ] as [(String, UInt16, ErrorCode)])
    func publishedReadErrors(hex: String, handle: UInt16, code: ErrorCode) {
        let outcome = run(ReadValue(Handle(handle), mtu: 23), with: RulePeer(always: hex))
        #expect(outcome.result?.error == .refused(request: .readRequest, handle: Handle(handle), code: code))
    }

    /// A report map of 50 octets, read in three parts.
    @Test func longValuesArriveInParts() {
        let value = (0..<50).map { UInt8($0) }
        var peer = RulePeer { request, _ in
            let offset = request[0] == 0x0C ? Int(request[3]) : 0
            return [request[0] | 1] + value.dropFirst(offset).prefix(22)
        }
        let outcome = run(ReadValue(4, mtu: 23), with: &peer)
        #expect(outcome.result == .success(value))
        #expect(outcome.requests == ["0a0400", "0c04001600", "0c04002c00"])
    }

    /// Invalid Offset, Attribute Not Long; and servers that do not know the request, or do not allow it.
    @Test(arguments: [0x07, 0x0B, 0x06, 0x05, 0x02]) func aRefusalAfterTheFirstPartKeepsIt(code: UInt8) {
        let peer = RulePeer { request, _ in
            request[0] == 0x0A ? [0x0B] + [UInt8](repeating: 9, count: 22) : [0x01, 0x0C, 0x04, 0x00, code]
        }
        #expect(run(ReadValue(4, mtu: 23), with: peer).result == .success([UInt8](repeating: 9, count: 22)))
    }

    @Test func aValueWithoutEndIsReadUpTo512Octets() {
        let peer = RulePeer { request, _ in [request[0] | 1] + [UInt8](repeating: 9, count: 22) }
        let outcome = run(ReadValue(4, mtu: 23), with: peer)
        #expect(outcome.result?.value?.count == 528)
        #expect(outcome.requests.count == 24)
    }

    @Test func aShortFirstPartIsTheWholeValue() {
        #expect(run(ReadValue(4, mtu: 247), with: RulePeer(always: "0b0102")).requests == ["0a0400"])
        #expect(run(ReadValue(4, mtu: 0), with: RulePeer(always: "0b0102")).requests == ["0a0400"])
        #expect(run(ReadValue(4, mtu: 23), with: RulePeer(always: "0b")).result == .success([]))
    }

    @Test func publishedReadByType() {
        var peer = ScriptedPeer("> 080100ffff0d2a < 09050a00010203 > 080b00ffff0d2a < 01080b000a")
        #expect(
            run(ReadByUUID(0x2A0D), with: &peer).result
                == .success([ReadByTypeResponse.Entry(handle: 0x0A, value: [1, 2, 3])]))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    // MARK: Writing

    @Test func publishedWrite() {
        var peer = ScriptedPeer("> 120700010203 < 13")
        #expect(run(WriteValue([1, 2, 3], to: 7), with: &peer).result == .success(WriteResponse()))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test func publishedWriteError() {
        var peer = ScriptedPeer("> 120400 < 0112040003")
        #expect(
            run(WriteValue([], to: 4), with: &peer).result?.error
                == .refused(request: .writeRequest, handle: 4, code: .writeNotPermitted))
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test func aWriteThatDoesNotFitIsNotSent() {
        let outcome = run(WriteValue([UInt8](repeating: 0, count: 21), to: 4), with: RulePeer(always: "13"))
        #expect(outcome.result?.error == .notSent(.tooLong(octets: 24, mtu: 23)))
        #expect(outcome.requests.isEmpty)
    }
}
