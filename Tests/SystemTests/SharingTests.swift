import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Synchronization
import Testing
import Wire

/// Several users of one strap in one process.
@Suite struct SharingTests {
    private let strap = Scenario.strap.straps[0].address
    private let heartRate = BluetoothUUID(0x180D)
    private let measurement = BluetoothUUID(0x2A37)

    @Test func twoMonitorsShareTheLinkAndHearTheSame() async throws {
        let requests = Requests()
        let controller = TappedController(SimulatedWorld(.strap), sent: requests.note)
        let (one, other) = try await withVirtualCentral(over: controller) { [strap] central in
            async let one = watch(central, .target(strap), for: .seconds(60))
            async let other = watch(central, .target(strap), for: .seconds(90))
            return await (one, other)
        }
        #expect(one.error == nil && other.error == nil)
        #expect(Set((one.subscribed + other.subscribed).map(\.id)).count == 1)
        let heard = one.measurements.map(\.moment)
        #expect(heard.count > 50)
        // Who came later, or stays longer, hears the same meanwhile.
        let first = max(try #require(heard.first), try #require(other.measurements.first).moment)
        #expect(heard.filter { $0 >= first } == other.measurements.map(\.moment).filter { heard.contains($0) })
        #expect(other.measurements.count > heard.count + 25)
        #expect(one.gaps == [] && other.gaps == [])
        // The configuration of the heart rate was written once, and the MTU asked for once.
        #expect(requests.count { $0.first == 0x02 } == 1)
        let writes = requests.all.filter { $0.first == 0x12 }
        #expect(Set(writes).count == writes.count)
    }

    @Test func theLastToLeaveDisconnects() async throws {
        try await withVirtualCentral(.strap) { [strap, heartRate, measurement] central in
            let one = try await central.connect(to: strap)
            let other = try await central.connect(to: strap)
            #expect(one.id == other.id)
            let values = try await one.subscribe(service: heartRate, characteristic: measurement)
            let others = try await other.subscribe(service: heartRate, characteristic: measurement)
            try await central.wait(.seconds(5))
            await one.disconnect()
            // His stream ends, with what had come before.
            var heard = 0
            for await _ in values.notifications { heard += 1 }
            #expect(heard >= 4)
            #expect(await one.connection == nil)
            #expect(await one.ending == .terminatedByLocalHost)
            await #expect(throws: HostError.disconnected(.terminatedByLocalHost)) { try await one.discover() }
            // The other's goes on.
            #expect(await other.connection != nil)
            var iterator = others.notifications.makeAsyncIterator()
            for _ in 0..<10 { #expect(await iterator.next() != nil) }
            // Leaving twice is leaving once.
            await one.disconnect()
            #expect(await other.connection != nil)
            await other.disconnect()
            #expect(await other.connection == nil)
            // And who comes now has a connection of his own.
            let later = try await central.connect(to: strap)
            #expect(later.id.generation > other.id.generation)
            await later.disconnect()
        }
    }

    @Test(arguments: [0, 5, 20, 40, 100, 300])
    func whoGivesUpConnectingDoesNotGiveUpForTheOther(_ milliseconds: Int) async throws {
        var scenario = Scenario.strap
        scenario.straps[0].appearsAfter = .milliseconds(200)
        try await withVirtualCentral(scenario) { [strap] central in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                let impatient = { @Sendable in
                    try await central.within(central.now + .milliseconds(milliseconds), .connecting) {
                        try await central.connect(to: strap)
                    }
                }
                group.addTask { (try? await impatient()) != nil }
                let peer = try await central.connect(to: strap)
                #expect(await peer.connection != nil)
                _ = try await group.next()
                #expect(await peer.connection != nil)
                #expect(try await peer.discover(service: 0x180D) != nil)
                await peer.disconnect()
            }
        }
    }

    @Test(arguments: Array(stride(from: 0, through: 400, by: 20)))
    func whoGivesUpSubscribingDoesNotGiveUpForTheOther(_ milliseconds: Int) async throws {
        try await withVirtualCentral(.strap) { [strap, heartRate, measurement] central in
            let one = try await central.connect(to: strap)
            let other = try await central.connect(to: strap)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await central.within(central.now + .milliseconds(milliseconds), .subscribing) {
                        try await one.subscribe(service: heartRate, characteristic: measurement)
                    }
                    await one.disconnect()
                }
                group.addTask {
                    try await central.wait(.milliseconds(10))
                    let values = try await other.subscribe(service: heartRate, characteristic: measurement)
                    var iterator = values.notifications.makeAsyncIterator()
                    for _ in 0..<5 { #expect(await iterator.next() != nil) }
                }
                try await group.waitForAll()
            }
            await other.disconnect()
        }
    }

    /// What one enabled by its UUID, another who has its handle need not enable again.
    @Test func aKnownCharacteristicIsSharedToo() async throws {
        let requests = Requests()
        let controller = TappedController(SimulatedWorld(.strap), sent: requests.note)
        try await withVirtualCentral(over: controller) { [strap, heartRate, measurement] central in
            let peer = try await central.connect(to: strap)
            let values = try await peer.subscribe(service: heartRate, characteristic: measurement)
            let again = try await peer.subscribe(service: heartRate, characteristic: measurement)
            #expect(values.valueHandle == again.valueHandle)
            try await central.wait(.seconds(3))
            await peer.disconnect()
            var counts = (0, 0)
            for await _ in values.notifications { counts.0 += 1 }
            for await _ in again.notifications { counts.1 += 1 }
            #expect(counts.0 >= 2 && counts.0 == counts.1)
        }
        #expect(requests.count { $0.first == 0x12 } == 1)
    }

    /// A refusal is told to all who asked, and the next may try again.
    @Test func aRefusalIsSharedAndNotKept() async throws {
        let scenario = try #require(Scenario.named("refusing"))
        let requests = Requests()
        let controller = TappedController(SimulatedWorld(scenario), sent: requests.note)
        try await withVirtualCentral(over: controller) { [strap, heartRate, measurement] central in
            let peer = try await central.connect(to: strap)
            async let one = try? peer.subscribe(service: heartRate, characteristic: measurement)
            async let other = try? peer.subscribe(service: heartRate, characteristic: measurement)
            #expect(await one == nil)
            #expect(await other == nil)
            let again = try? await peer.subscribe(service: heartRate, characteristic: measurement)
            #expect(again == nil)
            await peer.disconnect()
        }
        #expect(requests.count { $0.first == 0x12 } == 2)
    }
}

/// The ATT PDUs that the host sent.
private final class Requests: Sendable {
    private let sent = Mutex<[[UInt8]]>([])

    var all: [[UInt8]] { sent.withLock { $0 } }

    func count(where isWanted: ([UInt8]) -> Bool) -> Int { all.count(where: isWanted) }

    func note(_ packet: [UInt8]) {
        guard packet.count > 9, packet[0] == 0x02, packet[2] & 0x30 == 0, packet[7...8] == [0x04, 0x00] else { return }
        sent.withLock { $0.append(Array(packet[9...])) }
    }
}
