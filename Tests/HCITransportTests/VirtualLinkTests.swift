import HCI
import Testing
import Wire

@testable import HCITransport

/// Answers each packet at once with the same packet, and sends its second's number once a second.
private struct Metronome: VirtualController {
    var ticks: UInt8 = 0
    var period: Duration?
    private(set) var nextDeadline: Moment?

    init(period: Duration?) {
        self.period = period
        nextDeadline = period.map { .zero + $0 }
    }

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) { output.append(packet) }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        guard let period, let due = nextDeadline, due <= now else { return }
        ticks &+= 1
        output.append([4, ticks])
        nextDeadline = due + period
    }
}

@Suite struct VirtualLinkTests {
    private let start = Timestamp(microseconds: 1_000_000)

    @Test func aDayPassesInVirtualTime() async throws {
        let loop = try EventLoop()
        let link = VirtualLink(Metronome(period: .seconds(1)), clock: .virtual(start: start), on: loop)
        let probe = LinkProbe(link)
        await probe.activate()
        // On the loop, so that the clock waits for the reader.
        let last = await loop.run { await readTicks(86_400, from: probe) }
        #expect(last == .zero + .seconds(86_400))
    }

    @Test func virtualTimeIsWhereTheDeadlineIs() async throws {
        let loop = try EventLoop()
        let link = VirtualLink(Metronome(period: nil), clock: .virtual(start: start), on: loop)
        let probe = LinkProbe(link)
        await probe.setAlarm(.zero + .seconds(30))
        await probe.activate()
        #expect(await probe.next() == .alarm(.zero + .seconds(30)))
        #expect(await probe.now == .zero + .seconds(30))
        #expect(await probe.civil == start + .seconds(30))
    }

    @Test func anAnswerNeverComesWithinTheOwnersCall() async throws {
        let loop = try EventLoop()
        let probe = LinkProbe(VirtualLink(Metronome(period: nil), on: loop))
        await probe.activate()
        await probe.transmit([1, 2, 3])
        #expect(await probe.toldAtLastTransmit == 0)
        #expect(await probe.nextPacket() == [1, 2, 3])
    }

    @Test func theOwnersAnswersKeepTheirOrder() async throws {
        let loop = try EventLoop()
        // Every packet but the last is answered by the next higher one.
        let probe = LinkProbe(VirtualLink(Metronome(period: nil), on: loop)) { $0[0] < 50 ? [$0[0] + 1] : nil }
        await probe.activate()
        await probe.transmit([0])
        for number in 0...50 { #expect(await probe.nextPacket() == [UInt8(number)]) }
    }

    @Test func theRealClockRingsTheAlarm() async throws {
        let loop = try EventLoop()
        let probe = LinkProbe(VirtualLink(Metronome(period: nil), on: loop))
        await probe.activate()
        await probe.setAlarm(after: .milliseconds(2))
        guard case .alarm = await probe.next() else {
            Issue.record("no alarm")
            return
        }
    }

    @Test func nothingIsToldAfterShutDown() async throws {
        let loop = try EventLoop()
        let probe = LinkProbe(VirtualLink(Metronome(period: nil), clock: .virtual(start: start), on: loop))
        await probe.activate()
        await probe.transmitAndShutDown([1])
        // Behind what the link had posted.
        await withCheckedContinuation { done in probe.link.perform { done.resume() } }
        #expect(await probe.toldCount == 0)
    }
}

/// The moment of the last of so many ticks; `nil` when one is missing or out of order.
private func readTicks(_ count: Int, from probe: LinkProbe) async -> Moment? {
    var last = Moment.zero
    for number in 1...count {
        guard case .received([4, UInt8(truncatingIfNeeded: number)], let moment) = await probe.next(), moment > last
        else {
            return nil
        }
        last = moment
    }
    return last
}
