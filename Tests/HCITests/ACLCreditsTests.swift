import HCI
import TestSupport
import Testing
import Wire

@Suite struct ACLCreditsTests {
    private let first = ConnectionHandle(rawValue: 0x000)
    private let second = ConnectionHandle(rawValue: 0x041)
    private let stranger = ConnectionHandle(rawValue: 0x0EE)

    private func credits(length: Int = 27, count: Int = 3, limit: Int = 64) -> ACLCredits {
        var credits = ACLCredits(limit: limit)
        credits.configure(.init(length: length, count: count))
        credits.connected(first)
        credits.connected(second)
        return credits
    }

    private func packets(_ input: (inout [[UInt8]]) throws -> Void) rethrows -> [[UInt8]] {
        var packets: [[UInt8]] = []
        try input(&packets)
        return packets
    }

    private func completed(_ completions: (ConnectionHandle, UInt16)...) -> NumberOfCompletedPackets {
        NumberOfCompletedPackets { $0.completions = completions.map { .init($0, count: $1) } }
    }

    private func send(_ pdu: [UInt8], on handle: ConnectionHandle, _ credits: inout ACLCredits) throws -> [[UInt8]] {
        try packets { try credits.enqueue(pdu, on: handle, into: &$0) }
    }

    /// Handle and first octet of each packet: `0:1` for the handle 0 and a payload that begins with 1.
    private func outline(_ packets: [[UInt8]]) -> [String] {
        packets.map { packet in
            guard case .acl(let data)? = try? Packet(decoding: packet) else { return "?" }
            return "\(data.handle.rawValue):\(data.payload.first.map(String.init) ?? "")"
        }
    }

    // MARK: Buffers

    @Test func leHasItsOwnBuffersOrThoseOfClassic() {
        let le = LEReadBufferSize.ReturnParameters {
            $0.aclLength = 251
            $0.aclCount = 8
        }
        let classic = ReadBufferSize.ReturnParameters {
            $0.aclLength = 1021
            $0.aclCount = 6
        }
        let none = LEReadBufferSize.ReturnParameters()
        let half = LEReadBufferSize.ReturnParameters { $0.aclLength = 27 }
        #expect(ACLCredits.Buffers(le: le, classic: classic) == .init(length: 251, count: 8))
        #expect(ACLCredits.Buffers(le: none, classic: classic) == .init(length: 1021, count: 6))
        #expect(ACLCredits.Buffers(le: half, classic: classic) == .init(length: 1021, count: 6))
        #expect(ACLCredits.Buffers(le: none, classic: nil) == nil)
        #expect(ACLCredits.Buffers(le: none, classic: ReadBufferSize.ReturnParameters()) == nil)
    }

    @Test func withoutBuffersNothingIsTaken() {
        var credits = ACLCredits()
        credits.connected(first)
        #expect(throws: ACLCredits.Refusal.noBuffers) { try send([1], on: first, &credits) }
        credits.configure(.init(length: 0, count: 4))
        #expect(throws: ACLCredits.Refusal.noBuffers) { try send([1], on: first, &credits) }
        credits.configure(.init(length: 27, count: 0))
        #expect(throws: ACLCredits.Refusal.noBuffers) { try send([1], on: first, &credits) }
        #expect(credits.available == 0)
    }

    // MARK: Cutting

    @Test func aLongPDUIsCutAtTheBuffersLength() throws {
        var credits = credits(length: 4, count: 4)
        let sent = try send([1, 2, 3, 4, 5, 6, 7, 8, 9], on: second, &credits)
        #expect(
            sent == [octets("02 4100 0400 01020304"), octets("02 4110 0400 05060708"), octets("02 4110 0100 09")])
        #expect(credits.available == 1)
    }

    @Test func aPDUThatFitsIsOnePacket() throws {
        var credits = credits(length: 4)
        #expect(try send([1, 2, 3, 4], on: first, &credits) == [octets("02 0000 0400 01020304")])
        #expect(try send([], on: first, &credits) == [octets("02 0000 0000")])
        #expect(credits.waiting(on: first) == 0)
    }

    // MARK: Counting

    @Test func whatIsSentCountsBeforeItsCompletion() throws {
        var credits = credits(count: 2)
        #expect(try send([1], on: first, &credits).count == 1)
        #expect(credits.available == 1)
        #expect(credits.inFlight(on: first) == 1)
        #expect(packets { credits.receive(completed((first, 1)), into: &$0) } == [])
        #expect(credits.available == 2)
    }

    @Test func completionsSendWhatWaits() throws {
        var credits = credits(count: 1)
        #expect(outline(try send([1], on: first, &credits)) == ["0:1"])
        #expect(outline(try send([2], on: first, &credits)) == [])
        #expect(outline(packets { credits.receive(completed((first, 1)), into: &$0) }) == ["0:2"])
        #expect(credits.available == 0)
    }

    @Test func completionsOfStrangersArePassedOver() throws {
        var credits = credits(count: 1)
        _ = try send([1], on: first, &credits)
        _ = try send([2], on: first, &credits)
        #expect(packets { credits.receive(completed((stranger, 1), (second, 1)), into: &$0) } == [])
        #expect(credits.available == 0)
    }

    @Test func noMoreIsFreedThanWasInFlight() throws {
        var credits = credits(count: 3)
        _ = try send([1], on: first, &credits)
        _ = packets { credits.receive(completed((first, 0xFFFF), (first, 3)), into: &$0) }
        #expect(credits.available == 3)
        #expect(outline(try send([2], on: first, &credits) + send([3], on: first, &credits)) == ["0:2", "0:3"])
        #expect(try send([4], on: first, &credits) == [])
    }

    @Test func rowsOfOneEventCountEach() throws {
        var credits = credits(count: 3)
        for octet in 1...3 as ClosedRange<UInt8> { _ = try send([octet], on: octet == 3 ? second : first, &credits) }
        _ = packets { credits.receive(completed((first, 2), (second, 1)), into: &$0) }
        #expect(credits.available == 3)
    }

    // MARK: Connections

    @Test func aDisconnectionReturnsWhatWasInFlight() throws {
        var credits = credits(count: 3)
        for octet in 1...3 as ClosedRange<UInt8> { _ = try send([octet], on: first, &credits) }
        for octet in 4...5 as ClosedRange<UInt8> { _ = try send([octet], on: second, &credits) }
        var sent: [[UInt8]] = []
        #expect(credits.disconnected(first, into: &sent) == 1)
        #expect(outline(sent) == ["65:5"])
        #expect(credits.available == 1)
        // Its completions come too late, or belong to nobody.
        #expect(packets { credits.receive(completed((first, 2)), into: &$0) } == [])
        #expect(credits.available == 1)
        #expect(throws: ACLCredits.Refusal.notConnected(first)) { try send([5], on: first, &credits) }
    }

    @Test func aFailedAttemptTakesNothingFromTheConnectionWithItsHandle() throws {
        var credits = credits(count: 1)
        _ = try send([1], on: first, &credits)
        let failed = LEConnectionComplete { $0.status = .failedToBeEstablished }
        #expect(failed.handle == first)
        // What a host registers is what was established: nothing.
        if let established = failed.established { credits.connected(established.handle) }
        #expect(credits.inFlight(on: first) == 1)
        #expect(credits.available == 0)
    }

    @Test func aHandleIsUsedAgain() throws {
        var credits = credits(count: 2)
        _ = try send([1], on: first, &credits)
        var sent: [[UInt8]] = []
        credits.disconnected(first, into: &sent)
        credits.connected(first)
        #expect(credits.inFlight(on: first) == 0)
        #expect(outline(try send([2], on: first, &credits)) == ["0:2"])
        // Without a disconnection in between, nothing of the old connection is left either.
        credits.connected(first)
        #expect(credits.available == 2)
    }

    // MARK: Turns

    @Test func connectionsTakeTurnsPacketByPacket() throws {
        var credits = credits(length: 1, count: 1)
        _ = try send([1, 2, 3], on: first, &credits)
        _ = try send([4], on: first, &credits)
        _ = try send([11, 12], on: second, &credits)
        var order: [String] = ["0:1"]
        var last = first
        while order.count < 10 {
            let sent = packets { credits.receive(completed((last, 1)), into: &$0) }
            guard let packet = sent.first, case .acl(let data) = try Packet(decoding: packet) else { break }
            order += outline(sent)
            last = data.handle
        }
        // Within a connection one PDU after the other, between them turn by turn.
        #expect(order == ["0:1", "65:11", "0:2", "65:12", "0:3", "0:4"])
    }

    /// A peer that is gone takes nothing until its supervision timeout is over; the others go on meanwhile.
    @Test func aStuckConnectionDoesNotHoldAllBuffers() throws {
        var credits = credits(count: 4)
        #expect(try (0..<10).flatMap { try send([$0], on: first, &credits) }.count == 3)
        for octet in 20..<40 as Range<UInt8> {
            #expect(outline(try send([octet], on: second, &credits)) == ["65:\(octet)"])
            #expect(outline(packets { credits.receive(completed((second, 1)), into: &$0) }) == [])
        }
        // Alone, it may have all of them.
        var sent: [[UInt8]] = []
        credits.disconnected(second, into: &sent)
        #expect(outline(sent) == ["0:3"])
    }

    /// With more connections than buffers each has one at a time.
    @Test func moreConnectionsThanBuffers() throws {
        var credits = ACLCredits()
        credits.configure(.init(length: 27, count: 4))
        let handles = (1...20).map { ConnectionHandle(rawValue: $0) }
        for handle in handles { credits.connected(handle) }
        for handle in handles { for octet in 0..<5 as Range<UInt8> { _ = try send([octet], on: handle, &credits) } }
        #expect(handles.allSatisfy { credits.inFlight(on: $0) <= 1 })
        // One never completes; the others get everything across.
        while let busy = handles.dropFirst().first(where: { credits.inFlight(on: $0) > 0 }) {
            _ = packets { credits.receive(completed((busy, 1)), into: &$0) }
        }
        #expect(handles.dropFirst().allSatisfy { credits.waiting(on: $0) == 0 })
        #expect(credits.inFlight(on: handles[0]) == 1)
    }

    @Test func theQueueHasAnEnd() throws {
        var credits = credits(count: 1, limit: 2)
        for octet in 1...3 as ClosedRange<UInt8> { _ = try send([octet], on: first, &credits) }
        #expect(throws: ACLCredits.Refusal.full(first, waiting: 2)) { try send([4], on: first, &credits) }
        // The other connection has its own.
        #expect(try send([5], on: second, &credits) == [])
        #expect(credits.waiting(on: second) == 1)
    }

    /// Whatever is completed, by whom and how often: never more in the controller than it has room for, every PDU whole and in order.
    @Test func anyControllerGetsEveryPDUOnceAndInOrder() throws {
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let room = Int.random(in: 1...4, using: &generator)
            var credits = credits(length: Int.random(in: 1...9, using: &generator), count: room, limit: 1000)
            let handles = [first, second]
            var expected: [ConnectionHandle: [[UInt8]]] = [:]
            var sent: [[UInt8]] = []
            var delivered = 0
            for _ in 0..<300 {
                let handle = handles.randomElement(using: &generator) ?? first
                if Bool.random(using: &generator) {
                    let count = Int.random(in: 0...20, using: &generator)
                    let pdu = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    try credits.enqueue(pdu, on: handle, into: &sent)
                    expected[handle, default: []].append(pdu)
                } else {
                    let count = UInt16.random(in: 0...3, using: &generator)
                    delivered += min(Int(count), credits.inFlight(on: handle))
                    credits.receive(completed((handle, count), (stranger, 9)), into: &sent)
                }
                #expect(sent.count - delivered <= room)
            }
            while credits.waiting(on: first) + credits.waiting(on: second) > 0 {
                credits.receive(completed((first, 1), (second, 1)), into: &sent)
            }
            #expect(try reassembled(sent) == expected, "seed \(seed)")
        }
    }

    private func reassembled(_ packets: [[UInt8]]) throws -> [ConnectionHandle: [[UInt8]]] {
        var pdus: [ConnectionHandle: [[UInt8]]] = [:]
        for packet in packets {
            guard case .acl(let data) = try Packet(decoding: packet) else { continue }
            if data.boundary == .continuation, let last = pdus[data.handle]?.popLast() {
                pdus[data.handle]?.append(last + data.payload)
            } else {
                pdus[data.handle, default: []].append(data.payload)
            }
        }
        return pdus
    }
}
