import Testing
import Wire

@testable import HCITransport

@Suite struct DescriptorWaitTests {
    @Test func itEndsWhenTheDescriptorIsReady() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let descriptor = OwnedDescriptor(near)
        try writeAll([1], to: far)
        #expect(try await loop.readiness(of: descriptor.number, for: .readable)?.contains(.readable) == true)
    }

    @Test func itEndsWhenTheMomentHasCome() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let descriptor = OwnedDescriptor(near)
        let deadline = loop.now + .milliseconds(3)
        #expect(try await loop.readiness(of: descriptor.number, for: .readable, until: deadline) == nil)
        #expect(loop.now >= deadline)
        withExtendedLifetime(far) {}
    }

    @Test func itEndsWithItsTask() async throws {
        let loop = try EventLoop()
        let (near, far) = try streamPair()
        let descriptor = OwnedDescriptor(near)
        let number = descriptor.number
        await #expect(throws: TransportError.cancelled) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await loop.readiness(of: number, for: .readable) }
                group.cancelAll()
                try await group.next()
            }
        }
        withExtendedLifetime(far) {}
        descriptor.close()
    }

    @Test func theMainThreadWaitsForAsynchronousCode() throws {
        let result = try MainThread.run { () async -> Int in
            await Task.yield()
            return 7
        }
        #expect(result == 7)
    }
}
