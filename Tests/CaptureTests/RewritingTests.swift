import Capture
import TestSupport
import Testing
import Wire

/// The fixtures, edge files and others.
let allCaptures: [String] =
    EdgeTruth.names.map { "edge/" + $0 } + [
        "csacca__horizon-74-at-ble.btsnoop", "google__bumble__hci_data_001.bin",
        "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcap", "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcapng",
    ]

/// What a writer makes of records.
func write(_ records: [Record], _ format: CaptureFormat) -> (file: [UInt8], losses: CaptureLosses) {
    var writer = CaptureWriter(format)
    var file = writer.header
    for record in records { writer.append(record, to: &file) }
    return (file, writer.losses)
}

extension CaptureFormat {
    /// Every format that can be written.
    static let all: [CaptureFormat] =
        [.btsnoop(.h1), .btsnoop(.h4), .btsnoop(.monitor), .h4] + ByteOrder.allCases.map { .packetLogger($0) }
        + [LinkType.h4, .h4WithDirection, .linuxMonitor].flatMap { link in
            ByteOrder.allCases.flatMap { order in
                [
                    .pcap(link, order, .microseconds), .pcap(link, order, .nanoseconds), .pcapng(link, order),
                ]
            }
        }
}

@Suite struct RewritingTests {
    /// Reading a file and writing its records again gives the file.
    @Test(arguments: allCaptures.filter { !$0.hasSuffix(".pcapng") }) func recordsWriteBackAsTheyWereRead(
        _ name: String
    ) throws {
        let file = try capture(name)
        var reader = CaptureReader()
        reader.feed(file)
        reader.finish()
        var records: [Record] = []
        while let record = try? reader.next() { records.append(record) }
        let again = write(records, try #require(reader.format))
        // A btsnoop record without octets has no flags of its own to be told by, and the snapshot length is each program's own.
        guard !name.contains("zero_length.btsnoop") else { return }
        let isPcap = name.hasSuffix(".pcap")
        #expect(isPcap ? file.prefix(16) == again.file.prefix(16) : true)
        let start = isPcap ? 20 : 0
        #expect(file.dropFirst(start).starts(with: again.file.dropFirst(start)))
        #expect(file.count - again.file.count < 31)
        #expect(again.losses.counts.isEmpty)
    }

    /// What a format was read from holds all that it tells, in every format.
    @Test(arguments: CaptureFormat.all) func whatAFormatTellsItHoldsAgain(_ format: CaptureFormat) throws {
        for name in allCaptures {
            let (first, _) = write(read(try capture(name)).records, format)
            let records = read(first).records
            let (second, losses) = write(records, format)
            #expect(first == second, "\(name)")
            #expect(losses.counts.isEmpty, "\(name)")
            for piece in [1, 7, 100] where first.count < 20000 {
                #expect(read(first, piece: piece).records == records, "\(name)")
            }
        }
    }

    /// Packets, directions and times come through a format that can hold them, and what it cannot hold is counted.
    @Test(arguments: CaptureFormat.all) func nothingIsLostInSilence(_ format: CaptureFormat) throws {
        for name in allCaptures {
            let records = read(try capture(name)).records
            let (file, losses) = write(records, format)
            let again = read(file).records
            let wholes: [CaptureLosses.Kind] = [
                .notes, .scoPackets, .isoPackets, .unassignedPackets, .emptyRecords, .foreignPackets, .brokenPackets,
            ]
            let left = wholes.reduce(0) { $0 + (losses.counts[$1] ?? 0) }
            #expect(again.count + left == records.count, "\(name)")
            guard left == 0 else { continue }
            for (old, new) in zip(records, again) {
                #expect(old.octets == new.octets || old.kind.packetType == nil, "\(name)")
                #expect(
                    old.kind == new.kind || old.kind == .loggerNote(.note) || old.kind == .note(.systemNote), "\(name)")
                if losses.counts[.times] == nil, old.timestamp != nil {
                    #expect(old.timestamp == new.timestamp, "\(name)")
                }
                if losses.counts[.nanoseconds] == nil, losses.counts[.times] == nil {
                    #expect(old.nanoseconds == new.nanoseconds, "\(name)")
                }
                if losses.counts[.directions] == nil, old.direction != nil {
                    #expect(old.direction == new.direction, "\(name)")
                }
                if losses.counts[.originalLengths] == nil { #expect(old.isCutShort == new.isCutShort, "\(name)") }
                if losses.counts[.drops] == nil { #expect(old.cumulativeDrops == new.cumulativeDrops, "\(name)") }
                if losses.counts[.comments] == nil { #expect(old.comments == new.comments, "\(name)") }
            }
        }
    }
}
