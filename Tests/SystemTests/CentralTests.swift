import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Testing
import Wire

/// What the central promises to those who use it directly.
@Suite struct CentralTests {
    private let target = Scenario.strap.straps[0].address

    @Test func aSlowReaderIsToldWhatItMissed() async throws {
        let scenario = try #require(Scenario.named("crowd"))
        let (values, missed) = try await withVirtualCentral(scenario) { central in
            try await central.withSightings(bound: 8) { sightings in
                var values = 0
                var missed = 0
                for await delivery in sightings {
                    switch delivery {
                    case .value: values += 1
                    case .gap(let count): missed += count
                    }
                    if values >= 40 { break }
                    if values % 8 == 1 { try await central.wait(.seconds(1)) }
                }
                return (values, missed)
            }
        }
        #expect(values == 40)
        // 240 devices that advertise at least once in some seconds.
        #expect(missed > 50)
    }

    /// Names come with scan responses, for which a passive scan does not ask; and a scan that found nothing for long is slow.
    @Test(arguments: [1, 60])
    func aNameIsFoundThoughSomebodyScansPassively(for seconds: Int) async throws {
        let found = try await withVirtualCentral(.strap) { central in
            try await central.withSightings(isActive: false) { _ in
                try await central.wait(.seconds(seconds))
                return try await central.within(await central.now + .seconds(5), .searching) {
                    try await central.find(.name(Scenario.strap.straps[0].name))
                }
            }
        }
        #expect(found == target)
    }

    @Test func leavingTheScopeDisconnects() async throws {
        try await withVirtualCentral(.strap) { [target] central in
            let peer = try await central.withConnection(to: target) { peer in
                #expect(await peer.connection != nil)
                return peer
            }
            #expect(await peer.connection == nil)
            #expect(await peer.ending == .terminatedByLocalHost)
            // A peer whose connection is gone says so, and why.
            await #expect(throws: HostError.disconnected(.terminatedByLocalHost)) { try await peer.read(0x0003) }
            // The next connection has the same handle, and is not taken for it.
            try await central.withConnection(to: target) { next in
                #expect(next.id.handle == peer.id.handle)
                await #expect(throws: HostError.disconnected(.terminatedByLocalHost)) { try await peer.discover() }
                let service = try await next.discover(service: 0x180D)
                #expect(service != nil)
            }
        }
    }

    @Test func aConnectionThatNeverWasOneIsTriedAgain() async throws {
        let scenario = try #require(Scenario.named("shaky"))
        let service = try await withVirtualCentral(scenario) { central in
            try await central.withConnection(to: scenario.straps[0].address) { peer in
                // Whoever passes over a failure still gets a connection in the end.
                _ = try? await peer.exchangeMTU()
                return try await peer.discover(service: 0x180D)
            }
        }
        #expect(service != nil)
    }

    @Test func twoCallersAtOnceAreBothAnswered() async throws {
        try await withVirtualCentral(.strap) { [target] central in
            try await central.withConnection(to: target) { peer in
                async let database = peer.discover()
                async let service = peer.discover(service: 0x180F)
                async let mtu = peer.exchangeMTU()
                let found = try await (database, service, mtu)
                #expect(found.0.services.count >= 5)
                #expect(found.1?.uuid == 0x180F)
                #expect(found.2 == 247)
            }
        }
    }

    @Test func nothingWorksAfterTheEnd() async throws {
        let central = try await withVirtualCentral(.strap) { $0 }
        await #expect(throws: HostError.linkEnded(.closed)) { try await central.wait(.seconds(1)) }
    }

    @Test func theCivilClockFollowsTheLinks() async throws {
        let passed = try await withVirtualCentral(.strap) { central in
            let before = await central.civilTime(at: central.now)
            try await central.wait(.seconds(3600))
            let after = await central.civilTime(at: central.now)
            return after.microseconds - before.microseconds
        }
        #expect(passed == 3_600_000_000)
    }
}
