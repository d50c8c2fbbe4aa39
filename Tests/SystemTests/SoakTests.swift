import GAP
import Glibc
import HCI
import Simulator
import TestSupport
import Testing
import Wire

@testable import Host

/// Long runs, each in a process of its own, so that its memory is its own.
@Suite struct SoakTests {
    /// A million reports of a hundred thousand addresses that change: more than any table may keep.
    @Test func aMillionReportsLeaveTheMemoryFlat() async {
        await #expect(processExitsWith: .success) {
            var host = ScanningHost()
            for _ in 0..<40_000 { host.hearFive() }
            let before = residentOctets()
            for _ in 0..<160_000 { host.hearFive() }
            #expect(host.sightings == 1_000_000)
            #expect(host.devices.count <= 4096)
            #expect(residentOctets() - before < 8 << 20)
        }
    }

    /// A day of heartbeats: the host and the world on a clock that jumps.
    @Test func aDayOfHeartbeatsLeavesTheMemoryFlat() async {
        await #expect(processExitsWith: .success) {
            var stage = Stage(.strap)
            stage.keepsValues = false
            #expect(stage.start() == nil)
            guard case .subscribed(let id) = stage.subscribe(to: Scenario.strap.straps[0].address) else {
                Issue.record("not subscribed")
                return
            }
            stage.pass(.seconds(3600))
            let before = residentOctets()
            stage.pass(.seconds(23 * 3600))
            #expect(stage.valueCount > 86_000)
            #expect(stage.ending(of: id) == nil)
            #expect(residentOctets() - before < 8 << 20)
            #expect(stage.remains() == [])
        }
    }
}

/// A host that hears advertisements, and a table of the devices that sent them, as `scan` keeps it.
private struct ScanningHost {
    private var engine = HostEngine(configuration: .init())
    private var effects: [HostEngine.Effect] = []
    private var generator = SeededGenerator(seed: 1)
    private var now = Moment.zero
    private(set) var devices = DeviceTable(capacity: 4096)
    private(set) var sightings = 0

    init() {
        engine.request(.start, ticket: Ticket(rawValue: 1), at: now, into: &effects)
        let answers = [
            "030C 00", "0210 00" + String(repeating: "00", count: 64), "0110 00 06 0000 06 0F00 0000",
            "0310 00 0000000060000000", "0910 00 060504030201", "0220 00 1B0004", "0320 00 0000000000000000", "010C 00",
            "0120 00",
        ]
        for answer in answers { bring("04 0E", "01" + answer) }
    }

    private mutating func bring(_ header: String, _ parameters: String) {
        let parameters = octets(parameters)
        engine.receive(octets(header) + [UInt8(parameters.count)] + parameters, at: now, into: &effects)
        effects.removeAll(keepingCapacity: true)
    }

    /// An event with five reports: flags, the Heart Rate service and a name, each of another of 100,000 addresses.
    mutating func hearFive() {
        now = now + .milliseconds(1)
        var event = octets("04 3E 00 02 05")
        for _ in 0..<5 {
            let address = UInt32.random(in: 0..<100_000, using: &generator)
            event += [0x00, 0x01] + (0..<4).map { UInt8(truncatingIfNeeded: address >> (8 * $0)) } + [0x00, 0xC0]
            event += [0x0F, 0x02, 0x01, 0x06, 0x03, 0x03, 0x0D, 0x18, 0x07, 0x09] + Array("Strap ".utf8) + [0xC8]
        }
        event[2] = UInt8(event.count - 3)
        engine.receive(event, at: now, into: &effects)
        for case .sighting(let sighting) in effects {
            sightings += 1
            devices.record(sighting.advertisement, at: sighting.moment)
        }
        effects.removeAll(keepingCapacity: true)
    }
}

/// The memory of this process that lies in RAM.
func residentOctets() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe fgets(&text, 128, file) != nil else { return 0 }
    let fields = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
