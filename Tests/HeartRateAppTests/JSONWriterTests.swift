import Foundation
import Testing
import Wire

@testable import HeartRateApp

/// What `body` writes, as text.
private func json(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.octets, as: UTF8.self)
}

@Suite struct JSONWriterTests {
    @Test func objectsArraysAndCommas() {
        let text = json { json in
            json.object { json in
                json.key("a")
                json.integer(1)
                json.key("b")
                json.array { json in
                    json.bool(true)
                    json.object { _ in }
                    json.array { _ in }
                    json.string("x")
                }
                json.key(text: "k\"")
                json.hexadecimal([0x0A, 0xFF])
            }
        }
        #expect(text == #"{"a":1,"b":[true,{},[],"x"],"k\"":"0aff"}"#)
    }

    @Test func linesFollowEachOther() {
        var buffer = Array("before\n".utf8)
        JSONWriter.line(to: &buffer) { json in
            json.key("n")
            json.integer(UInt8.max)
        }
        JSONWriter.line(to: &buffer) { _ in }
        #expect(String(decoding: buffer, as: UTF8.self) == "before\n{\"n\":255}\n{}\n")
    }

    @Test func numbers() {
        #expect(json { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(json { $0.integer(0) } == "0")
        #expect(json { $0.integer(UInt64.max) } == "9223372036854775807")
        #expect(json { $0.thousandths(48_750) } == "48.75")
        #expect(json { $0.thousandths(750_000) } == "750.0")
        #expect(json { $0.thousandths(799_805) } == "799.805")
        #expect(json { $0.thousandths(-5) } == "-0.005")
        #expect(json { $0.thousandths(0) } == "0.0")
    }

    @Test func textReadsBackWhateverItHolds() throws {
        for text in ["", "plain", "q\" b\\ n\n t\t r\r", "\u{0}\u{1}\u{1F}\u{7F}", "\u{2028}é漢字\u{1F600}", "</script>"]
        {
            let written = json { json in json.array { $0.string(text) } }
            let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String]
            #expect(read == [text])
            #expect(!written.utf8.contains { $0 < 0x20 })
        }
    }

    /// A terminal obeys U+009B, and others of U+0080 to U+009F, as it does ESC.
    @Test func noControlCharacterReachesATerminal() throws {
        let text = "a\u{9B}31m\u{80}\u{9F}\u{A0}\u{C2}\u{29B}\u{1B}["
        let written = json { json in json.array { $0.string(text) } }
        #expect(written == #"["a\u009b31m\u0080\u009f\#u{A0}\#u{C2}\#u{29B}\u001b["]"#)
        #expect(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String] == [text])
    }

    @Test func octetsThatAreNoTextAreReplaced() {
        #expect(json { $0.string(utf8: [0x41, 0xC3, 0x28, 0xFF]) } == "\"A\u{FFFD}(\u{FFFD}\"")
    }

    @Test func addressesAndTimes() {
        #expect(json { $0.address(Address(rawValue: 0xF0F1_F2F3_0401)) } == "\"F0:F1:F2:F3:04:01\"")
        #expect(json { $0.timestamp(Timestamp(microseconds: -1)) } == "\"1969-12-31T23:59:59.999999Z\"")
        #expect(json { $0.timestamp(Timestamp(microseconds: .min)) } == "\"0000-01-01T00:00:00.000000Z\"")
        #expect(json { $0.timestamp(Timestamp(microseconds: .max)) } == "\"9999-12-31T23:59:59.999999Z\"")
    }
}
