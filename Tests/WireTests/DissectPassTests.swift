import TestSupport
import Testing
import Wire

private struct Row: Fielded {
    var key: UInt8 = 0
    var value: UInt16 = 0

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Key", &key)
        try pass.uint16("Value", &value)
    }
}

private struct Table: Fielded {
    var rows: [Row] = []

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.restList("Row", &rows)
    }
}

@Suite struct DissectPassTests {
    @Test func aWholePacketIsDescribedAsItself() throws {
        let text = octets("01 0100 02 0200")
        #expect(Table.dissect(text.span) == DissectedFields(fields: try Table(decoding: text).described))
    }

    @Test func fieldsBeforeACutStay() {
        let dissected = Table.dissect(octets("01 0100 02 02").span)
        #expect(
            dissected.fields == [
                DescribedField(
                    name: "Row 0", text: "",
                    children: [DescribedField(name: "Key", text: "1"), DescribedField(name: "Value", text: "1")]),
                DescribedField(name: "Row 1", text: "", children: [DescribedField(name: "Key", text: "2")]),
            ])
        #expect(dissected.error == .truncated(field: "Value", at: 4, needed: 2, remaining: 1))
    }

    @Test func octetsBehindThePacketAreCounted() {
        #expect(Row.dissect(octets("01 0100 ff ff").span).trailing == 2)
    }
}
