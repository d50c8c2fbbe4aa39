import Capture
import TestSupport
import Testing
import Wire

/// Damaged files of every container: no trap, no invention, the same whatever the size of the pieces.
@Suite struct HostileTests {
    private static let files = allCaptures.filter { $0.hasPrefix("edge/") }

    @Test(arguments: files) func everyCutGivesTheWholeRecordsBeforeIt(_ name: String) throws {
        let file = try capture(name)
        var reader = CaptureReader()
        reader.feed(file)
        reader.finish()
        // Each record, and where it ends.
        var all: [(record: Record, end: Int)] = []
        while let record = try? reader.next() { all.append((record, reader.offset)) }
        for count in 1..<min(file.count, 1500) {
            let (records, damage) = read([UInt8](file[..<count]), piece: 1000)
            let whole = all.filter { $0.end <= count }
            #expect(records == whole.map(\.record), "\(name), \(count)")
            if all.contains(where: { $0.record.offset < count && count < $0.end }) {
                #expect(damage != nil, "\(name), \(count)")
            }
            if whole.last?.end == count { #expect(damage == nil, "\(name), \(count)") }
        }
    }

    @Test(arguments: files) func exchangedOctetsNeverTrap(_ name: String) throws {
        let file = try capture(name)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<150 {
            var damaged = file
            for _ in 0...round % 4 {
                let index = Int.random(in: damaged.indices, using: &generator)
                // Large and small numbers, for what they do as lengths.
                damaged[index] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: generator.next())].randomElement(
                        using: &generator) ?? 0
            }
            let whole = read(damaged, piece: damaged.count)
            let pieces = read(damaged, piece: 1 + round % 50)
            #expect(whole.records == pieces.records && whole.damage == pieces.damage, "\(name), \(round)")
            #expect(whole.records.reduce(0) { $0 + $1.octets.count } <= damaged.count + whole.records.count)
            for format in [
                CaptureFormat.btsnoop(.h4), .btsnoop(.monitor), .packetLogger(.big), .pcapng(.h4WithDirection, .little),
                .h4,
            ] {
                let (again, _) = write(whole.records, format)
                #expect(read(again).damage == nil || again.isEmpty, "\(name), \(round), \(format)")
            }
        }
    }

    /// What was taken, together, is the file as far as it was read.
    @Test(arguments: files) func whatWasTakenIsTheFile(_ name: String) throws {
        let file = try capture(name)
        for piece in [1, 9, 5000] {
            var reader = CaptureReader()
            var taken: [UInt8] = []
            func drain() {
                while (try? reader.next()) != nil {}
                taken += reader.takeOctets()
            }
            for start in stride(from: 0, to: file.count, by: piece) {
                reader.feed(file[start..<min(start + piece, file.count)])
                drain()
            }
            reader.finish()
            drain()
            let isDamaged = name.contains("half_")
            #expect(isDamaged ? file.starts(with: taken) && taken.count > 150 : taken == file, "\(name), \(piece)")
        }
    }

    @Test func randomOctetsAreNoCapture() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let file = (0..<1000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(read(file).records.isEmpty)
            #expect(read(file).damage != nil)
        }
    }
}

@Suite struct FormatNameTests {
    @Test func everyFormatHasANameThatLeadsBack() {
        for format in CaptureFormat.all { #expect(CaptureFormat(name: format.name) == format, "\(format)") }
        #expect(CaptureFormat(name: "pcap") == .pcap(.h4WithDirection, .little, .microseconds))
        #expect(CaptureFormat(name: "pcap-ns-187-be") == .pcap(.h4, .big, .nanoseconds))
        #expect(CaptureFormat(name: "packetlogger") == .packetLogger(.big))
        #expect(CaptureFormat(name: "btsnoop-h4") == .btsnoop(.h4))
    }

    @Test(arguments: [
        "", "snoop", "pcap-", "pcap-ns-us", "pcap-ns-ns", "pcapng-ns", "h4-le", "btsnoop-le", "packetlogger-254",
        "pcap-200", "-pcap",
    ]) func whatIsNoNameIsNone(_ name: String) {
        #expect(CaptureFormat(name: name) == nil)
    }

    @Test func endingsTellTheContainer() {
        let endings: [(String, CaptureFormat.Container)] = [
            ("log", .btsnoop), ("BTSNOOP", .btsnoop), ("pklg", .packetLogger), ("cap", .pcap), ("pcapng", .pcapng),
            ("bin", .h4),
        ]
        for (ending, container) in endings { #expect(CaptureFormat.Container(ending: ending) == container) }
        #expect(CaptureFormat.Container(ending: "txt") == nil)
    }
}
