import GATT
import HCI
import HCITransport
import HeartRate
import Host
import Replay
import Simulator
import TestSupport
import Testing
import Wire

/// Whether the peer refuses it.
private func isRefused(_ body: () async throws -> Void) async -> Bool {
    do {
        try await body()
        return false
    } catch HostError.peer(.refused) {
        return true
    } catch {
        return false
    }
}

/// Recordings of any host: our own reaches the same with the same devices, in its own way.
@Suite struct EquivalenceTests {
    private static let strap = DeviceAddress(.random, Address(rawValue: 0xF1_F1_F2_F3_F4_F5))

    private func bumble() throws -> Recording {
        try Recording(contentsOf: Fixtures.path("captures/SYNTHETIC_bumble_hr_mtu23.btsnoop"))
    }

    /// What the host in the recording did, done by ours with fewer requests.
    private static func doTheSame(_ central: Central, controlPoint: [UInt8] = [0x02]) async throws -> [[UInt8]] {
        try await central.withConnection(to: strap) { peer in
            let subscription = try await peer.subscribe(service: 0x180D, characteristic: 0x2A37)
            var values: [[UInt8]] = []
            for await delivery in subscription.notifications {
                if case .value(let notification) = delivery { values.append(notification.value) }
                if values.count == 10 { break }
            }
            let database = try await peer.discover()
            let point = try #require(database.characteristic(0x2A39))
            let configuration = try #require(database.characteristic(0x2A37)?.descriptor(0x2902))
            try await peer.write([0x01], to: point.valueHandle)
            #expect(await isRefused { try await peer.write(controlPoint, to: point.valueHandle) })
            try await peer.write([0x00, 0x00], to: configuration.handle)
            return values
        }
    }

    @Test func anotherHostsRecordingIsPlayedByOurs() async throws {
        let recording = try bumble()
        let values = try await recording.play(.equivalently) { try await Self.doTheSame($0) }
        #expect(values == recording.seen().heartRates.map(\.raw))
    }

    /// As the README has it.
    @Test func theRideStillReplays() async throws {
        let ride = try bumble()
        #expect(ride.seen().heartRates.count == 10)
        let services = try await ride.play(.equivalently) { central in
            try await central.withConnection(to: Self.strap) { try await $0.discover().services.count }
        }
        #expect(services == 5)
    }

    /// A wrong write to one device is not hidden by another that the host has left early.
    @Test func eachDeviceIsLookedAt() async throws {
        let addresses = Scenario.straps.straps.prefix(2).map(\.address)
        let (_, recording) = try await record(.straps) { central in
            for address in addresses { _ = await session(with: .target(address), on: central, for: .seconds(6)) }
            return []
        }
        await #expect(throws: ProcedureDifference.self) {
            try await recording.play(.equivalently) { central in
                try await central.withConnection(to: addresses[0]) { _ in }
                try await central.withConnection(to: addresses[1]) { peer in
                    let point = try await peer.discover().characteristic(0x2A39)
                    try await peer.write([0x01], to: #require(point).valueHandle)
                }
            }
        }
    }

    /// Who asks again is told what was told after the second time, not all of it anew.
    @Test func aSecondSubscriptionHasItsOwnValues() async throws {
        let strap = StrapPlan.simulated(1).address
        @Sendable func subscribeTwice(_ central: Central) async throws -> [[UInt8]] {
            try await central.withConnection(to: strap) { peer in
                var values: [[UInt8]] = []
                let subscription = try await peer.subscribe(service: 0x180D, characteristic: 0x2A37)
                let switchHandle = subscription.characteristic.configurationHandle
                for await delivery in subscription.notifications {
                    if case .value(let notification) = delivery { values.append(notification.value) }
                    if values.count == 6 { break }
                    guard values.count == 3 else { continue }
                    try await peer.write([0, 0], to: switchHandle)
                    try await peer.write([1, 0], to: switchHandle)
                }
                return values
            }
        }
        let (told, recording) = try await record(.strap) { try await subscribeTwice($0).map(\.description) }
        let again = try await recording.play(.equivalently) { try await subscribeTwice($0).map(\.description) }
        #expect(told.count == 6)
        #expect(again == told)
    }

    /// A host that goes on without the subscription is found by the next thing that it does.
    @Test func aSubscriptionThatIsLeftOutIsFound() async throws {
        let recording = try bumble()
        let difference = try #require(
            await #expect(throws: ProcedureDifference.self) {
                try await recording.play(.equivalently) { central in
                    try await central.withConnection(to: Self.strap) { try await $0.write([0x01], to: 0x001E) }
                }
            })
        #expect(difference.recorded?.description.contains("configuration of 2A37") == true)
    }

    /// Every service, characteristic and descriptor has the handle that it had, and every value that was read is read again.
    @Test func theDeviceHoldsWhatItHeld() async throws {
        let recording = try bumble()
        let seen = recording.seen()
        let known = try #require(seen.databases[Self.strap])
        try await recording.play(.equivalently) { central in
            try await central.withConnection(to: Self.strap) { peer in
                let found = try await peer.discover()
                #expect(found.services.map(\.uuid) == known.services.map(\.uuid))
                #expect(
                    found.services.flatMap(\.characteristics).map(\.valueHandle)
                        == known.services.flatMap(\.characteristics).map(\.valueHandle))
                for value in seen.values where value.opcode == .readResponse {
                    #expect(try await peer.read(value.handle) == value.value)
                }
                // What nobody read, nobody knows.
                let name = try #require(found.characteristic(0x2A00))
                #expect(await isRefused { _ = try await peer.read(name.valueHandle) })
            }
        }
    }

    @Test func aWriteOfSomethingElseIsFound() async throws {
        let recording = try bumble()
        let difference = try #require(
            await #expect(throws: ProcedureDifference.self) {
                try await recording.play(.equivalently) { central in
                    try await central.withConnection(to: Self.strap) { peer in
                        let subscription = try await peer.subscribe(service: 0x180D, characteristic: 0x2A37)
                        try await peer.write([0x03], to: 0x001E)
                        _ = subscription
                    }
                }
            })
        #expect(difference.frame == 115)
        #expect(difference.description.contains("write 01 to 2A39"), "\(difference)")
        #expect(difference.description.contains("write 03 to"), "\(difference)")
    }

    /// A recording of our own is played equivalently, too: the strap is as it was, the host free to go another way.
    @Test func ourOwnRecordingsAreNoDifferent() async throws {
        let (_, recording) = try await record(.strap) { await session(with: .any, on: $0, for: .seconds(20)) }
        let rates = recording.seen().heartRates.map(\.raw)
        let events = try await recording.play(.equivalently) { await session(with: .any, on: $0, for: .seconds(25)) }
        let told = events.filter { $0.starts(with: "measurement") }
        try #require(rates.count > 15 && told.count == rates.count)
        for (event, rate) in zip(told, rates) { #expect(event.contains("raw: \(rate))"), "\(event)") }
    }

    /// Whatever is in a capture: a world comes of it, and a host finds its way in it.
    @Test(arguments: [
        "wangdalian__btsnooper", "csacca__horizon-74-at-ble", "corbanvilla__BLETools", "edge/le_session",
        "edge/btsnoop_2001_monitor", "edge/btsnoop_1002_h4", "edge/midstream",
    ])
    func aWorldComesOfEveryCapture(_ name: String) async throws {
        let recording = try Recording(contentsOf: Fixtures.path("captures/\(name).btsnoop"))
        do {
            let heard = try await recording.play(.equivalently) { central in
                try await central.withSightings { sightings in
                    var heard = Set<DeviceAddress>()
                    for await delivery in sightings {
                        if case .value(let sighting) = delivery { heard.insert(sighting.advertisement.advertiser) }
                        if heard.count > 2 { break }
                    }
                    return heard.count
                }
            }
            #expect(heard > 2 || name.starts(with: "edge/"))
        } catch HostError.linkEnded(.recordingEnded) {
            #expect(name.starts(with: "edge/"))
        } catch is Unplayable {
            #expect(name.starts(with: "edge/"))
        }
    }

    @Test func whoIsRecordedIsFoundOut() async throws {
        let (_, ours) = try await record(.strap) { await session(with: .any, on: $0, for: .seconds(5)) }
        let loop = try EventLoop()
        #expect(try StandIn(ours, on: loop).matching == .strictly)
        #expect(try StandIn(bumble(), on: loop).matching == .equivalently)
    }
}
