import CHCI
import Glibc
import HCI
import TestSupport
import Testing
import Wire

@testable import HCITransport

@Suite struct StreamLinkTests {
    private let reset = octets("01 03 0C 00")
    private let resetComplete = octets("04 0E 04 01 03 0C 00")

    @Test func packetsPassBothWays() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        await probe.transmit(reset)
        #expect(try readAll(far, count: 4) == reset)
        try writeAll(resetComplete + resetComplete, to: far)
        #expect(await probe.nextPacket() == resetComplete)
        #expect(await probe.nextPacket() == resetComplete)
    }

    @Test func aPacketInPiecesArrivesWhole() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        for octet in resetComplete { try writeAll([octet], to: far) }
        #expect(await probe.nextPacket() == resetComplete)
    }

    @Test func whatCameBeforeTheOtherSideClosedIsDelivered() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        try writeAll(resetComplete, to: far)
        far.close()
        await probe.activate()
        #expect(await probe.nextPacket() == resetComplete)
        #expect(await probe.next() == .ended(.closed))
    }

    @Test func aWriteToAClosedPeerEndsTheLinkAndNotTheProgram() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        far.close()
        await probe.activate()
        await probe.transmit(reset)
        #expect(await probe.next() == .ended(.closed))
    }

    @Test func garbageWithoutEndEndsTheLink() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        try writeAll([UInt8](repeating: 0xAA, count: H4Framer.limit), to: far)
        guard case .ended(.framingLost) = await probe.next() else {
            Issue.record("the link did not end")
            return
        }
    }

    @Test func octetsThatTheSystemDoesNotTakeWaitTheirTurn() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        // More than a socket's buffers hold.
        let packet = octets("02 01 00 00 10") + [UInt8](repeating: 0x5A, count: 4096)
        for _ in 0..<200 { await probe.transmit(packet) }
        let received = try readAll(far, count: 200 * packet.count)
        #expect(received == (0..<200).flatMap { _ in packet })
    }

    @Test func aPeerThatTakesNothingEndsTheLinkAtTheBound() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let probe = LinkProbe(StreamLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        let packet = octets("02 01 00 00 10") + [UInt8](repeating: 0x5A, count: 4096)
        for _ in 0..<1000 { await probe.transmit(packet) }
        #expect(await probe.next() == .ended(.stalled))
        far.close()
    }
}
