import Capture
import Foundation

/// The reading of a scan's reports, each way.
struct HotPath {
    private let packets: [[UInt8]]
    /// The most that the library's views may take, in times of what the loop in C takes.
    private static let mostTimes = 3.0

    /// - Parameter capture: holds LE Advertising Report events
    init(capture path: String) throws {
        packets = try Self.advertisingReports(in: path)
        let expected = Way.c.read(packets, times: 1)
        guard expected.straps > 0, Way.allCases.allSatisfy({ $0.read(packets, times: 1) == expected }) else {
            print("The ways do not agree: \(Way.allCases.map { $0.read(packets, times: 1) })")
            exit(1)
        }
    }

    /// Reads and no more.
    func read(_ way: Way, times: Int) { print(packets.count, way.read(packets, times: times)) }

    /// Prints what each way takes, and ends the program where the views take too long.
    func compare() {
        print("\(packets.count) LE Advertising Report events: read, their AD structures walked, 180D looked for")
        var times: [Way: Double] = [:]
        // In turns, so that what else the machine does falls on all; the best of many is what the code takes.
        for _ in 0..<30 {
            for way in Way.allCases {
                let rounds = way == .values ? 20 : 400
                let time = nanoseconds { way.read(packets, times: rounds).mixed } / Double(rounds * packets.count)
                times[way] = min(times[way] ?? .infinity, time)
            }
        }
        let base = times[.c] ?? .nan
        for way in Way.allCases {
            let time = times[way] ?? .nan
            print(
                way.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0),
                String(format: "%8.1f ns/event   %6.2f × C", time, time / base))
        }
        let ratio = (times[.views] ?? .infinity) / base
        if ratio > Self.mostTimes { exit(1) }
    }

    /// The report of a strap at F0:F1:F2:F3:F4:01: flags, services 180D and 180F, name; −56 dBm.
    private static let strap: [UInt8] =
        [0x04, 0x3E, 0x21, 0x02, 0x01, 0x00, 0x01, 0x01, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x15]
        + [0x02, 0x01, 0x06, 0x05, 0x02, 0x0D, 0x18, 0x0F, 0x18, 0x0B, 0x09]
        + Array("Heart Belt".utf8) + [0xC8]

    /// The capture's LE Advertising Report events, each with its H4 type octet.
    private static func advertisingReports(in path: String) throws -> [[UInt8]] {
        var reader = CaptureReader()
        reader.feed([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        reader.finish()
        var packets: [[UInt8]] = []
        while let record = try reader.next() {
            let packet = record.octets
            guard record.kind == .event, packet.count > 3, packet[1] == 0x3E, packet[3] == 0x02 else { continue }
            packets.append(packet)
            // The capture was taken where nobody wore a strap; one in ten is like a crowded gym.
            if packets.count % 10 == 0 { packets.append(strap) }
        }
        return packets
    }
}

/// How much of the processor's time `body` takes. What it gives is looked at, so that it is not left out.
func nanoseconds(_ body: () -> UInt64) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let start = now()
    let result = body()
    return result == .max ? .nan : now() - start
}
