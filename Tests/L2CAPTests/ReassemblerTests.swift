import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct ReassemblerTests {
    /// A start fragment of one octet, half of the length: 1 + 23 + 41.
    @Test func headerSplitInItsFirstNumber() {
        var reassembler = Reassembler()
        #expect(feed(&reassembler, start: "3d") == .init())
        #expect(feed(&reassembler, rest: "0004000b" + (0x80...0x92).hexadecimal) == .init())
        #expect(reassembler.isCollecting)
        let outcome = feed(&reassembler, rest: (0x93...0xBB).hexadecimal)
        #expect(outcome == .init(frame: BasicFrame(channel: .attribute, payload: [0x0B] + (0x80...0xBB))))
        #expect(!reassembler.isCollecting)
    }

    /// 3 + 1 + 0 + 33: the header split in the channel, and a fragment without octets.
    @Test func headerSplitInTheChannel() {
        var reassembler = Reassembler()
        #expect(feed(&reassembler, start: "210004") == .init())
        #expect(feed(&reassembler, rest: "00") == .init())
        #expect(feed(&reassembler, rest: "") == .init())
        let outcome = feed(&reassembler, rest: "1b0c00" + (0...29).hexadecimal)
        #expect(outcome == .init(frame: BasicFrame(channel: .attribute, payload: octets("1b0c00") + (0...29))))
    }

    @Test func wholeFrames() {
        var reassembler = Reassembler()
        #expect(
            feed(&reassembler, start: "0500 0400 1b0c000648")
                == .init(frame: BasicFrame(channel: .attribute, payload: octets("1b0c000648"))))
        #expect(
            feed(&reassembler, start: "0000 0600") == .init(frame: BasicFrame(channel: .securityManager, payload: [])))
    }

    /// A start given up for another, then a continuation of nothing.
    @Test func abandonedFrames() {
        var reassembler = Reassembler()
        _ = feed(&reassembler, start: "3d00 0400 0b" + String(repeating: "00", count: 22))
        let outcome = feed(&reassembler, start: "0500 0400 1b0c000648")
        #expect(outcome.faults == [.abandoned(received: 27, expected: 65)])
        #expect(outcome.frame?.payload == octets("1b0c000648"))
        #expect(feed(&reassembler, rest: String(repeating: "00", count: 27)).faults == [.strayContinuation(octets: 27)])
        #expect(feed(&reassembler, start: "0500 0400 1b0c000649").frame?.payload == octets("1b0c000649"))
    }

    /// What a link left unfinished never meets the octets of the next link under the same handle.
    @Test func disconnection() {
        var reassembler = Reassembler()
        _ = feed(&reassembler, start: "3d")
        #expect(reassembler.reset() == .abandoned(received: 1, expected: nil))
        #expect(reassembler.reset() == nil)
        #expect(feed(&reassembler, rest: "000400").faults == [.strayContinuation(octets: 3)])
    }

    @Test func moreThanDeclared() {
        var reassembler = Reassembler()
        #expect(feed(&reassembler, start: "0100 0400 1300").faults == [.overrun(received: 6, expected: 5)])
        _ = feed(&reassembler, start: "0200 0400 0b")
        #expect(feed(&reassembler, rest: "0102").faults == [.overrun(received: 7, expected: 6)])
        #expect(feed(&reassembler, start: "0100 0400 13").frame?.payload == [0x13])
    }

    @Test func longerThanTaken() {
        var reassembler = Reassembler(limit: 8)
        #expect(feed(&reassembler, start: "0900 0400 01").faults == [.tooLong(payload: 9, limit: 8)])
        #expect(feed(&reassembler, rest: "02030405060708") == .init())
        #expect(feed(&reassembler, rest: "09") == .init())
        #expect(feed(&reassembler, rest: "0a").faults == [.strayContinuation(octets: 1)])
        #expect(feed(&reassembler, start: "0800 0400 0102030405060708").frame?.payload.count == 8)
        // A start ends the passing over as well.
        _ = feed(&reassembler, start: "ffff 0400")
        #expect(feed(&reassembler, start: "0100 0400 13").frame?.payload == [0x13])
    }

    /// However a frame is cut, it comes out as it went in.
    @Test func anyCut() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let frame = BasicFrame(
                channel: .attribute, payload: (0..<Int.random(in: 0...80, using: &generator)).map { UInt8($0) })
            var rest = frame.encoded[...]
            var reassembler = Reassembler()
            var outcome = Reassembler.Outcome()
            var isContinuation = false
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...30, using: &generator)))
                #expect(outcome == .init())
                outcome = reassembler.receive(piece.span, isContinuation: isContinuation)
                rest.removeFirst(piece.count)
                isContinuation = true
            }
            #expect(outcome == .init(frame: frame))
            #expect(outcome.frame == (try? BasicFrame(decoding: frame.encoded)))
        }
    }

    @Test func randomFragments() {
        var generator = SeededGenerator(seed: 8)
        var reassembler = Reassembler(limit: 64)
        for _ in 0..<5000 {
            let piece = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: 0...40, using: &generator)
            }
            let outcome = reassembler.receive(piece.span, isContinuation: Bool.random(using: &generator))
            #expect((outcome.frame?.payload.count ?? 0) <= 64)
            #expect(outcome.faults.allSatisfy { !$0.description.isEmpty })
        }
    }

    @Test func encodingAFrame() {
        #expect(BasicFrame(channel: .attribute, payload: octets("0a2000")).encoded == octets("03000400 0a2000"))
        #expect(ChannelID.attribute.description == "Attribute Protocol")
        #expect(ChannelID(rawValue: 0x0040).description == "Dynamic 0x0040")
        #expect(ChannelID(rawValue: 0x0EDC).description == "0x0EDC")
    }

    private func feed(_ reassembler: inout Reassembler, start text: String) -> Reassembler.Outcome {
        let fragment = octets(text)
        return reassembler.receive(fragment.span, isContinuation: false)
    }

    private func feed(_ reassembler: inout Reassembler, rest text: String) -> Reassembler.Outcome {
        let fragment = octets(text)
        return reassembler.receive(fragment.span, isContinuation: true)
    }
}
