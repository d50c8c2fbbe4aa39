import Capture
import TestSupport
import Testing
import Wire

/// All records of a file fed in pieces, and the damage at its end.
func read(_ file: [UInt8], piece: Int = 4096) -> (records: [Record], damage: CaptureError?) {
    var reader = CaptureReader()
    var records: [Record] = []
    do throws(CaptureError) {
        for start in stride(from: 0, to: file.count, by: piece) {
            reader.feed(file[start..<min(start + piece, file.count)])
            while let record = try reader.next() { records.append(record) }
        }
        reader.finish()
        while let record = try reader.next() { records.append(record) }
        return (records, nil)
    } catch {
        return (records, error)
    }
}

@Suite struct CaptureReaderTests {
    @Test(arguments: EdgeTruth.names) func edgeFilesHoldWhatTheyWereBuiltFrom(_ name: String) throws {
        let truth = try EdgeTruth(of: name)
        let (records, damage) = read(try capture("edge/\(name)"))
        #expect((damage == nil) == (truth.octetsLeftOver == nil))
        try #require(records.count == truth.records.count)
        for (record, row) in zip(records, truth.records) {
            #expect(record.frame == row.frame)
            #expect(record.timestamp?.microseconds == row.timeUs ?? row.timeNs.map { $0.floored(by: 1000) })
            #expect(Int64(record.nanoseconds) == (row.timeNs.map { $0 - $0.floored(by: 1000) * 1000 } ?? 0))
            #expect(record.direction == row.dir.map { $0 == "TX" ? .sent : .received })
            #expect(record.includedLength == row.included)
            #expect(record.originalLength == row.original)
            #expect(record.cumulativeDrops == row.cumulativeDrops ?? 0)
            #expect(record.adapter == row.adapter ?? row.interface.flatMap { EdgeTruth.adapters[Int($0)] })
            let packet = record.kind.packetType == nil ? record.octets[...] : record.octets.dropFirst()
            #expect([UInt8](packet).hexadecimal == row.packetHex ?? "")
            switch row.type {
            case "CMD": #expect(record.kind == .command)
            case "EVT": #expect(record.kind == .event)
            case "ACL": #expect(record.kind == .acl)
            case "SCO": #expect(record.kind == .sco)
            case "ISO": #expect(record.kind == .iso)
            case "NOT_HCI": #expect(record.kind == .foreign(LinkType(rawValue: 1)))
            case nil: #expect(record.kind == .empty)
            default: #expect(record.kind == row.noteKind)
            }
        }
    }

    @Test func thereAreEdgeFilesOfEveryContainer() {
        for ending in ["btsnoop", "pklg", "pcap", "pcapng"] {
            #expect(EdgeTruth.names.filter { $0.hasSuffix("." + ending) }.count >= 2, "\(ending)")
        }
    }

    @Test func theSizeOfThePiecesChangesNothing() throws {
        for name in EdgeTruth.names {
            let file = try capture("edge/\(name)")
            let whole = read(file, piece: file.count)
            for piece in [1, 2, 7, 23, 24, 25, 100] {
                let pieces = read(file, piece: piece)
                #expect(pieces.records == whole.records, "\(name), \(piece)")
                #expect(pieces.damage == whole.damage, "\(name), \(piece)")
            }
        }
    }

    @Test func offsetsPointAtTheRecords() throws {
        let file = try capture("edge/btsnoop_1002_h4.btsnoop")
        for record in read(file, piece: 64).records {
            #expect(file[(record.offset + 24)...].starts(with: record.octets))
        }
    }

    @Test func aHalfHeaderIsDamageAfterTheRecordsBeforeIt() throws {
        let (records, damage) = read(try capture("edge/half_header.btsnoop"))
        #expect(records.count == 5)
        #expect(damage == .recordCut(frame: 6, offset: 171, octets: 10, needed: 24))
    }

    @Test func aHalfPayloadIsDamageAfterTheRecordsBeforeIt() throws {
        let (records, damage) = read(try capture("edge/half_payload.btsnoop"))
        #expect(records.count == 5)
        #expect(damage == .recordCut(frame: 6, offset: 171, octets: 27, needed: 31))
    }

    @Test func everyCutOfAFileGivesTheWholeRecordsBeforeIt() throws {
        let file = try capture("edge/btsnoop_1002_h4.btsnoop")
        let all = read(file).records
        for count in 16..<file.count {
            let (records, damage) = read([UInt8](file[..<count]), piece: 1000)
            let whole = all.filter { $0.offset + 24 + $0.includedLength <= count }
            #expect(records == whole)
            let boundary = whole.last.map { $0.offset + 24 + $0.includedLength } ?? 16
            #expect((damage == nil) == (boundary == count))
        }
    }

    @Test func whatIsNoCaptureIsNamed() {
        #expect(read([]).damage == .empty)
        #expect(read(octets("6274736e6f6f7000 0000")).damage == .fileHeaderCut(octets: 10, needed: 16))
        #expect(read(octets("6274736e6f6f7000 00000002 000003ea")).damage == .unsupportedVersion("btsnoop", 2))
        #expect(
            read(octets("6274736e6f6f7000 00000001 000003ec")).damage == .unsupportedDataLink(.init(rawValue: 1004)))
        #expect(read([UInt8]("Some text, and more of it".utf8)).damage == .notACapture)
        #expect(read([UInt8](repeating: 0, count: 1000)).damage == .notACapture)
        #expect(read(octets("1f8b0800 00000000")).damage == .unsupportedContainer("gzip"))
        for piece in [1, 3, 9] {
            #expect(read(octets("736e6f6f70000000 00000002"), piece: piece).damage == .unsupportedContainer("snoop"))
        }
        #expect(read(octets("fd377a585a0000")).damage == .unsupportedContainer("xz"))
    }

    @Test func aRecordLongerThanAnyPacketEndsTheReading() {
        let header = octets("6274736e6f6f7000 00000001 000003ea")
        let good = octets("00000004 00000004 00000002 00000000 00e2f0411db43ca0 01030c00")
        let long = octets("00000004 ffffffff 00000002 00000000 00e2f0411db43ca0 01030c00")
        let (records, damage) = read(header + good + long + good)
        #expect(records.count == 1)
        #expect(damage == .recordTooLong(frame: 2, offset: 44, length: 0xFFFF_FFFF))
    }

    @Test func damageIsReportedOnce() throws {
        var reader = CaptureReader()
        reader.feed([UInt8]("nonsense".utf8))
        #expect(throws: CaptureError.notACapture) { try reader.next() }
        reader.feed(octets("6274736e6f6f7000 00000001 000003ea"))
        #expect(try reader.next() == nil)
    }

    @Test func randomOctetsBehindAGoodHeaderNeverTrap() {
        var generator = SeededGenerator(seed: 2)
        for dataLink in [Btsnoop.DataLink.h1, .h4, .monitor] {
            for _ in 0..<500 {
                let count = Int.random(in: 0...600, using: &generator)
                // Small numbers make short lengths, so that many records are found.
                let body = (0..<count).map { _ in
                    generator.next() % 3 == 0 ? UInt8(truncatingIfNeeded: generator.next()) : 0
                }
                let (records, _) = read(Btsnoop.fileHeader(dataLink) + body, piece: 100)
                #expect(records.allSatisfy { $0.includedLength <= count })
            }
        }
    }
}

extension EdgeTruth.Row {
    /// What a record that holds no packet is.
    fileprivate var noteKind: Record.Kind? {
        if let opcode = monitorOpcode { return .note(MonitorOpcode(rawValue: opcode)) }
        return packetloggerType.flatMap { UInt8($0.dropFirst(2), radix: 16) }.map {
            .loggerNote(PacketLogger.RecordType(rawValue: $0))
        }
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity.
    fileprivate func floored(by divisor: Int64) -> Int64 { (self - (self % divisor + divisor) % divisor) / divisor }
}
