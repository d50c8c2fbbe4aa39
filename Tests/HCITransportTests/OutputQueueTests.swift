import CHCI
import Glibc
import TestSupport
import Testing

@testable import HCITransport

@Suite struct OutputQueueTests {
    private let packet = [UInt8](repeating: 0x5A, count: 1000)

    @Test func aQueueThatNeverDrainsDoesNotGrow() throws {
        let (near, far) = try packetPair()
        let descriptor = OwnedDescriptor(near)
        var queue = OutputQueue(.packets)
        while queue.send(packet, to: descriptor.number) == .empty {}
        // From here on one goes whenever one comes, and one always waits.
        for _ in 0..<10 * OutputQueue.compaction {
            #expect(queue.send(packet, to: descriptor.number) == .waiting)
            _ = try readAll(far, count: packet.count)
            #expect(queue.flush(to: descriptor.number) == .waiting)
        }
        #expect(queue.entryCount <= 2 * OutputQueue.compaction + 2)
    }

    @Test func theOrderStaysWhereEntriesAreFreed() throws {
        let (near, far) = try packetPair()
        let descriptor = OwnedDescriptor(near)
        var queue = OutputQueue(.packets)
        var sent = 0
        func numbered(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] + packet }
        while queue.send(numbered(sent), to: descriptor.number) == .empty { sent += 1 }
        sent += 1
        for received in 0..<10 * OutputQueue.compaction {
            _ = queue.send(numbered(sent), to: descriptor.number)
            sent += 1
            #expect(try readAll(far, count: packet.count + 2) == numbered(received))
            _ = queue.flush(to: descriptor.number)
        }
    }

    @Test func moreThanMayWaitIsRefused() throws {
        let (near, far) = try packetPair()
        let descriptor = OwnedDescriptor(near)
        var queue = OutputQueue(.packets)
        var outcome = OutputQueue.Outcome.empty
        for _ in 0...OutputQueue.limit / packet.count + 1000 {
            outcome = queue.send(packet, to: descriptor.number)
            if outcome == .full { break }
        }
        #expect(outcome == .full)
        far.close()
    }
}
