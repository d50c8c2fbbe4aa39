import Capture
import CaptureFiles
import Foundation
import TestSupport
import Testing

@Suite struct CaptureFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("capture-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func file(_ octets: [UInt8]) throws -> String {
        let url = folder.appendingPathComponent(UUID().uuidString)
        try Data(octets).write(to: url)
        return url.path
    }

    private func octets(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("captures/" + name))))
    }

    @Test(arguments: [
        ("csacca__horizon-74-at-ble.btsnoop", 2572), ("google__bumble__hci_data_001.bin", 118),
        ("edge/pcapng_201_two_sections.pcapng", 38), ("edge/packetlogger_be.pklg", 23),
        ("edge/pcap_201_be_ns.pcap", 18),
    ]) func everyRecordIsReadPlainAndCompressed(_ name: String, _ count: Int) throws {
        let plain = try CaptureFile.records(of: Fixtures.path("captures/" + name))
        #expect(plain.count == count)
        #expect(try CaptureFile.records(of: try file(try compress(try octets(of: name)))) == plain)
    }

    @Test func theFormatIsTold() throws {
        var capture = try CaptureFile(Fixtures.path("captures/edge/pcap_201_be_ns.pcap"))
        #expect(capture.format == nil)
        _ = try capture.next()
        #expect(capture.format == .pcap(.h4WithDirection, .big, .nanoseconds))
    }

    @Test func recordsBeforeTheDamageAreHandedOut() throws {
        var capture = try CaptureFile(Fixtures.path("captures/edge/half_payload.pcap"))
        for frame in 1...5 { #expect(try capture.next()?.frame == frame) }
        #expect(throws: CaptureFileError.capture(.recordCut(frame: 6, offset: 159, octets: 21, needed: 27))) {
            try capture.next()
        }
        #expect(try capture.next() == nil)
        let whole = try compress(try octets(of: "csacca__horizon-74-at-ble.btsnoop"))
        var cut = try CaptureFile(try file([UInt8](whole.prefix(10_000))))
        var count = 0
        #expect(throws: CaptureFileError.compression(.cut(offset: 10_000))) {
            while try cut.next() != nil { count += 1 }
        }
        #expect(count > 300)
        #expect(try cut.next() == nil)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        #expect(throws: CaptureFileError.unreadable(errno: ENOENT)) {
            try CaptureFile.records(of: folder.path + "/none")
        }
        #expect(throws: CaptureFileError.unreadable(errno: EISDIR)) { try CaptureFile.records(of: folder.path) }
        #expect(throws: CaptureFileError.capture(.empty)) { try CaptureFile.records(of: "/dev/null") }
        #expect(throws: CaptureFileError.capture(.notACapture)) { try CaptureFile.records(of: "/dev/zero") }
        #expect(throws: CaptureFileError.capture(.empty)) { try CaptureFile.records(of: try file(try compress([]))) }
    }
}
