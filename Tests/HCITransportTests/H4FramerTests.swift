import HCI
import TestSupport
import Testing

@Suite struct H4FramerTests {
    private static let resetComplete = octets("04 0E 04 01 03 0C 00")

    @Test func everyTypeHasItsOwnLengthField() throws {
        let packets = [
            octets("02 40 20 07 00 03 00 04 00 1B 18 00"), octets("03 41 00 02 AA BB"), Self.resetComplete,
            octets("05 42 00 02 C0 01 02"),
        ]
        #expect(try packets.map { try frames($0, from: .controller) } == packets.map { [$0] })
        #expect(try frames(packets.joined(), from: .controller) == packets)
        #expect(
            try frames(octets("01 03 0C 00 01 0C 20 02 01 00"), from: .host) == [
                octets("01 03 0C 00"), octets("01 0C 20 02 01 00"),
            ])
    }

    @Test func anEmptyPayloadIsAPacket() throws {
        #expect(
            try frames(octets("02 40 20 00 00 04 57 00"), from: .controller) == [
                octets("02 40 20 00 00"), octets("04 57 00"),
            ])
    }

    @Test func thePacketBehindGarbageIsFound() throws {
        for garbage in ["00", "FF FF FF", "01 02 03", "04 04 0E", "04 0E 04 04", "05 05 05 05", "03 00 00 04 02"] {
            let stream = octets("FE") + octets(garbage) + Self.resetComplete + Self.resetComplete
            #expect(try frames(stream, from: .controller).last == Self.resetComplete, "\(garbage)")
        }
    }

    @Test func aNotificationBehindGarbageIsFound() throws {
        let notification = octets("02 40 20 09 00 05 00 04 00 1B 18 00 06 48")
        let stream = octets("20 09 00 05") + notification + notification
        #expect(try frames(stream, from: .controller) == [notification, notification])
    }

    @Test func whatWasPassedOverIsCounted() throws {
        var framer = H4Framer(from: .controller)
        framer.append(octets("FF FF") + Self.resetComplete)
        #expect(try framer.next() == Self.resetComplete)
        #expect(framer.skipped == 2)
    }

    @Test func aHostSendsNoEventsAndAControllerNoCommands() throws {
        #expect(try frames(octets("04 57 00"), from: .host) == [])
        #expect(try frames(octets("01 03 0C 00"), from: .controller) == [])
    }

    @Test func garbageIsLostAtTheBound() throws {
        var framer = H4Framer(from: .controller)
        framer.append([UInt8](repeating: 0, count: H4Framer.limit - 1))
        #expect(try framer.next() == nil)
        framer.append([0])
        let lost = #expect(throws: H4Framer.Lost.self) { try framer.next() }
        #expect(lost?.skipped == H4Framer.limit)
    }

    @Test func aPacketStartsTheCountOfTheBoundAnew() throws {
        var framer = H4Framer(from: .controller)
        for _ in 0..<3 {
            framer.append([UInt8](repeating: 0, count: H4Framer.limit - 1) + Self.resetComplete)
            #expect(try framer.next() == Self.resetComplete)
        }
    }

    @Test func cutAnywhereTheResultIsTheSame() throws {
        let stream = octets("02 40 20 03 00 AA BB CC FF 00 02 02") + Self.resetComplete + Self.resetComplete
        let whole = try frames(stream, from: .controller)
        for cut in 0...stream.count {
            var framer = H4Framer(from: .controller)
            var found: [[UInt8]] = []
            for part in [stream[..<cut], stream[cut...]] {
                framer.append(part)
                while let packet = try framer.next() { found.append(packet) }
            }
            #expect(found == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        "02 40 20 FF FF", "02 40 20 01 10", "02 00 0F 07 00", "03 FF 0F 01", "05 42 00 FF 3F", "05 42 00 01 10",
    ])
    func aHeaderThatNobodyWritesHoldsNothingUp(header: String) throws {
        // In sync, and then a header whose length would have to be waited for, or whose handle cannot be.
        let stream = Self.resetComplete + octets(header) + Self.resetComplete + Self.resetComplete
        #expect(try frames(stream, from: .controller) == [[UInt8]](repeating: Self.resetComplete, count: 3))
    }

    @Test func theLongestPayloadIsAPacket() throws {
        let packet = octets("02 FF 2E 00 10") + [UInt8](repeating: 0, count: 4096)
        #expect(try frames(packet, from: .controller) == [packet])
    }

    private func frames(_ octets: some Sequence<UInt8>, from sender: H4Framer.Sender) throws -> [[UInt8]] {
        var framer = H4Framer(from: sender)
        framer.append(octets)
        var found: [[UInt8]] = []
        while let packet = try framer.next() { found.append(packet) }
        return found
    }
}
