import ATT
import Capture
import Dissection
import Foundation
import GAP
import HCI
import HeartRate
import Wire

/// A function that the commands spend their time in, and how to call it.
struct Function: Sendable {
    let name: String
    /// Calls it so often, and gives something of every result.
    let run: @Sendable (_ times: Int) -> UInt64

    /// Prints the nanoseconds of each.
    static func measureAll() {
        var times = Array(repeating: Double.infinity, count: all.count)
        for _ in 0..<12 {
            for (index, function) in all.enumerated() {
                times[index] = min(times[index], nanoseconds { function.run(rounds) } / Double(rounds))
            }
        }
        for (function, time) in zip(all, times) {
            print(
                function.name.padding(toLength: 44, withPad: " ", startingAt: 0),
                String(format: "%8.1f ns", time))
        }
    }

    private static let rounds = 20_000

    private static let all = decoding + describing + reading

    // MARK: Packets

    private static let advertisement: [UInt8] =
        [0x02, 0x01, 0x06, 0x05, 0x03, 0x0D, 0x18, 0x0F, 0x18, 0x0B, 0x09] + Array("Heart Belt".utf8)
    private static let measurement: [UInt8] = [0x16, 0x48, 0x00, 0x03, 0x33, 0x03]
    private static let notification: [UInt8] = [0x1B, 0x0E, 0x00] + measurement
    private static let update: [UInt8] = [0x00, 0x40, 0x00, 0x27, 0x00, 0x00, 0x00, 0xF4, 0x01]
    private static let report: [UInt8] =
        [0x04, 0x3E, UInt8(12 + advertisement.count), 0x02, 0x01, 0x00, 0x01, 0x01, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
        + [UInt8(advertisement.count)] + advertisement + [0xC8]

    private static let decoding = [
        Function(name: "advertising data walked by a view") { times in
            count(times) { AdvertisingDataView(advertisement.span).lists(service: 0x180D) ? 1 : 0 }
        },
        Function(name: "advertising data decoded into values") { times in
            count(times) { AdvertisingData(decoding: advertisement.span).values.count }
        },
        Function(name: "notification decoded") { times in
            count(times) {
                guard case .notification(let pdu) = try? ServerPDU(decoding: notification) else { return 0 }
                return pdu.value.count
            }
        },
        Function(name: "heart rate measurement decoded") { times in
            count(times) { HeartRateMeasurement(decoding: measurement.span).intervals.count }
        },
        Function(name: "LE Connection Update Complete decoded") { times in
            count(times) { (try? LEConnectionUpdateComplete(decoding: update.span)) == nil ? 0 : 1 }
        },
    ]

    private static let describing = [
        Function(name: "LE Connection Update Complete described") { times in
            var writer = FieldWriter(.lines(depth: 0))
            return count(times) {
                LEConnectionUpdateComplete.dissect(update.span, to: &writer)
                defer { writer.octets.removeAll(keepingCapacity: true) }
                return writer.octets.count
            }
        },
        Function(name: "advertising report dissected") { times in
            var dissector = Dissector()
            let record = record(report)
            return count(times) { dissector.dissect(record).reports.count }
        },
        Function(name: "advertising report described in lines") { times in
            describe(times, .lines(depth: 4))
        },
        Function(name: "advertising report described in JSON") { times in
            describe(times, .json)
        },
    ]

    private static func describe(_ times: Int, _ form: FieldWriter.Form) -> UInt64 {
        var dissector = Dissector()
        var describer = RecordDescriber(form, NameMemory())
        var octets: [UInt8] = []
        let dissected = dissector.dissect(record(report))
        return count(times) {
            describer.append(dissected, to: &octets)
            defer { octets.removeAll(keepingCapacity: true) }
            return octets.count
        }
    }

    private static func record(_ packet: [UInt8]) -> Record {
        Record(
            frame: 1, kind: .event, octets: packet, includedLength: packet.count, originalLength: packet.count)
    }

    // MARK: Captures

    /// A record read, in every kind of file.
    private static let reading = [
        CaptureFormat.btsnoop(.h4), .btsnoop(.monitor), .packetLogger(.big),
        .pcap(.h4WithDirection, .little, .microseconds),
        .pcapng(.h4WithDirection, .little), .h4,
    ].map { format in
        var writer = CaptureWriter(format)
        var octets = writer.header
        for frame in 1...1000 {
            var record = record(report)
            (record.frame, record.direction) = (frame, .received)
            record.timestamp = Timestamp(microseconds: 1_767_268_800_000_000 + Int64(frame))
            _ = writer.append(record, to: &octets)
        }
        return Function(name: "record read from \(format.name)") { [octets] times in
            var sum: UInt64 = 0
            for _ in 0..<times / 1000 {
                var reader = CaptureReader()
                reader.feed(octets)
                reader.finish()
                while let record = try? reader.next() { sum &+= UInt64(record.octets.count) }
            }
            return sum
        }
    }

    private static func count(_ times: Int, _ body: () -> Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times { sum &+= UInt64(truncatingIfNeeded: body()) }
        return sum
    }
}
