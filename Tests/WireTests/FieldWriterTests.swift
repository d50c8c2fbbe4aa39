import TestSupport
import Testing
import Wire

@Suite struct FieldWriterTests {
    private func written(_ form: FieldWriter.Form, reader: FieldWriter.Reader? = nil) -> String {
        var writer = FieldWriter(form, reader: reader)
        writer.field("Handle") { $0.octets.append(upperHexadecimal: UInt16(0x40)) }
        writer.field("Nothing") { _ in }
        writer.group("Report", index: 1) { writer in
            writer.field("Name") { $0.append("Belt \"1\"\n\u{202E}") }
            writer.field("a bit")
        }
        return String(decoding: writer.octets, as: UTF8.self)
    }

    @Test func linesAreIndentedAndKeepTheTerminalOutOfIt() {
        #expect(
            written(.lines(depth: 1)) == """
                  Handle: 0040
                  Nothing
                  Report 1
                    Name: Belt "1"\u{FFFD}\u{FFFD}
                    a bit

                """)
    }

    @Test func objectsStandAsInAnArray() {
        #expect(
            written(.json) == #"{"name":"Handle","value":"0040"},{"name":"Nothing"},{"name":"Report 1","fields":["#
                + #"{"name":"Name","value":"Belt \"1\"\n"# + "\u{202E}" + #""},{"name":"a bit"}]}"#)
    }

    @Test func valuesAreKeptAsTheyAre() {
        var writer = FieldWriter(.tree)
        writer.group("Report", index: 1) { writer in
            writer.field("Name") { $0.append("a\nb") }
            writer.field("Empty") { _ in }
        }
        #expect(
            writer.tree == [
                DescribedField(
                    name: "Report 1", text: "",
                    children: [DescribedField(name: "Name", text: "a\nb"), DescribedField(name: "Empty", text: "")])
            ])
        #expect(writer.octets.isEmpty)
    }

    private struct Heard: Fielded {
        var address = Address.zero
        var data: [UInt8] = []
        var commands: [UInt8] = []
        var name: [UInt8] = []

        mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.randomAddress("Address", &address)
            try pass.content("Data", .advertisingData, &data, count: 2)
            try pass.bits("Bits", &commands, count: 2) { $0 == 9 ? "ninth" : nil }
            try pass.text("Name", &name, count: 4)
        }
    }

    @Test func whatOctetsMeanStandsBelowThem() throws {
        var writer = FieldWriter(.lines(depth: 0)) { content, octets, writer in
            writer.field("AD") { $0.octets.append(decimal: octets.count) }
        }
        let packet = octets("01 02 03 04 05 C6 aabb 0102 4142 0043")
        #expect(Heard.dissect(packet.span, to: &writer) == DissectionEnd())
        #expect(
            String(decoding: writer.octets, as: UTF8.self) == """
                Address: C6:05:04:03:02:01 (static)
                Data: aabb
                  AD: 2
                Bits: 0102
                  octet 0 bit 0
                  ninth
                Name: AB

                """)
        let described = try Heard(decoding: packet).described
        #expect(Heard.dissect(packet.span) == DissectedFields(fields: described))
    }
}
