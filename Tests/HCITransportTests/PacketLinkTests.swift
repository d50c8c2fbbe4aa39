import Glibc
import HCI
import Synchronization
import TestSupport
import Testing
import Wire

@testable import HCITransport

/// A pair of sockets that keeps packets apart stands for the user channel; the kernel's own is tried in the emulated machine.
@Suite struct PacketLinkTests {
    private let reset = octets("01 03 0C 00")
    private let resetComplete = octets("04 0E 04 01 03 0C 00")

    @Test func packetsStayApart() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let probe = LinkProbe(PacketLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        await probe.transmit(reset)
        await probe.transmit(reset)
        #expect(try readPacket(far) == reset)
        #expect(try readPacket(far) == reset)
        try writeAll(resetComplete, to: far)
        try writeAll(resetComplete, to: far)
        #expect(await probe.nextPacket() == resetComplete)
        #expect(await probe.nextPacket() == resetComplete)
    }

    @Test func theLongestPacketIsWhole() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let probe = LinkProbe(PacketLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        let packet = octets("02 01 20 FF FF") + [UInt8](repeating: 0x5A, count: 0xFFFF)
        try writeAll(packet, to: far)
        #expect(await probe.nextPacket() == packet)
    }

    @Test func theEndOfTheOtherSideIsARemoval() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let told = Mutex<[LinkEnd?]>([])
        let link = PacketLink(on: loop, OwnedDescriptor(near)) { end in told.withLock { $0.append(end) } }
        let probe = LinkProbe(link)
        await probe.activate()
        far.close()
        #expect(await probe.next() == .ended(.removed))
        await probe.shutDown()
        #expect(told.withLock { $0 } == [.removed])
    }

    @Test func aWriteToARemovedAdapterEndsTheLinkAndNotTheProgram() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let probe = LinkProbe(PacketLink(on: loop, OwnedDescriptor(near)))
        far.close()
        await probe.activateAndTransmit(reset)
        #expect(await probe.next() == .ended(.removed))
    }

    @Test func theAdapterIsGivenBackOnceTheSocketIsClosed() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let told = Mutex<[LinkEnd?]>([])
        let otherSide = far.number
        let link = PacketLink(on: loop, OwnedDescriptor(near)) { end in
            // The number of the descriptor may be another one's already: what tells is the end of the pair's other side.
            var octet: UInt8 = 0
            #expect(unsafe recv(otherSide, &octet, 1, Int32(MSG_DONTWAIT)) == 0)
            told.withLock { $0.append(end) }
        }
        let probe = LinkProbe(link)
        await probe.activate()
        await probe.shutDown()
        await probe.shutDown()
        #expect(told.withLock { $0 } == [nil])
        #expect(try readPacket(far) == [])
    }

    @Test func aLinkThatNobodyHoldsGivesTheAdapterBack() async throws {
        let loop = try EventLoop()
        let (near, _) = try packetPair()
        await withCheckedContinuation { done in
            _ = PacketLink(on: loop, OwnedDescriptor(near)) { _ in done.resume() }
        }
    }

    @Test func packetsThatTheKernelDoesNotTakeWaitTheirTurn() async throws {
        let loop = try EventLoop()
        let (near, far) = try packetPair()
        let probe = LinkProbe(PacketLink(on: loop, OwnedDescriptor(near)))
        await probe.activate()
        for number in 0..<500 { await probe.transmit([2, UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: 1000)) }
        for number in 0..<500 {
            let packet = try readPacket(far)
            #expect(packet.count == 1002)
            #expect(packet[1] == UInt8(number & 0xFF))
        }
    }

    private func readPacket(_ end: FarEnd) throws -> [UInt8] {
        defer { withExtendedLifetime(end) {} }
        var buffer = [UInt8](repeating: 0, count: 70_000)
        let count = unsafe read(end.number, &buffer, buffer.count)
        try check(count < 0 ? -errno : 0, "read")
        return Array(buffer[..<count])
    }
}
