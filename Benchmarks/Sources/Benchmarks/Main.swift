// Measures the hot path of a scan:  Benchmarks CAPTURE            nanoseconds a report, each way, as a ratio to the loop in C
//                                   Benchmarks CAPTURE WAY TIMES  reads that often and no more, for counting instructions

import Capture
import Foundation

@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("Usage: Benchmarks CAPTURE [WAY TIMES]")
            exit(64)
        }
        let packets = try advertisingReports(in: arguments[1])
        if arguments.count > 3, let way = Way(rawValue: arguments[2]), let times = Int(arguments[3]) {
            print(packets.count, way.read(packets, times: times))
            return
        }
        let expected = Way.c.read(packets, times: 1)
        guard expected.straps > 0, Way.allCases.allSatisfy({ $0.read(packets, times: 1) == expected }) else {
            print("The ways do not agree: \(Way.allCases.map { $0.read(packets, times: 1) })")
            exit(1)
        }
        compare(packets)
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

    private static func compare(_ packets: [[UInt8]]) {
        print("\(packets.count) LE Advertising Report events: read, their AD structures walked, 180D looked for")
        var times: [Way: Double] = [:]
        // In turns, so that what else the machine does falls on all; the best of many is what the code takes.
        for _ in 0..<30 {
            for way in Way.allCases {
                let rounds = way == .values ? 20 : 400
                let start = DispatchTime.now().uptimeNanoseconds
                let reading = way.read(packets, times: rounds)
                let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start)
                guard reading.mixed != 0 else { continue }
                times[way] = min(times[way] ?? .infinity, elapsed / Double(rounds * packets.count))
            }
        }
        let base = times[.c] ?? .nan
        for way in Way.allCases {
            let time = times[way] ?? .nan
            print(
                way.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0),
                String(format: "%8.1f ns/event   %6.2f × C", time, time / base))
        }
    }
}
