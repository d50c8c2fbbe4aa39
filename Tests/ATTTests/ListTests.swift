import ATT
import TestSupport
import Testing
import Wire

@Suite struct ListTests {
    /// Heart-rate service of a real Mi Band 4.
    @Test func groupsOfARealBand() throws {
        guard
            case .readByGroupType(let pdu) = try ServerPDU(
                decoding: octets("11 06 1a 00 20 00 11 18 21 00 23 00 02 18 24 00 29 00 0d 18"))
        else {
            Issue.record("another outcome")
            return
        }
        #expect(
            try pdu.entries() == [
                .init(range: HandleRange(0x1A, 0x20), value: [0x11, 0x18]),
                .init(range: HandleRange(0x21, 0x23), value: [0x02, 0x18]),
                .init(range: HandleRange(0x24, 0x29), value: [0x0D, 0x18]),
            ])
    }

    @Test func informationOfBothWidths() throws {
        let short = FindInformationResponse(format: 1, informationData: octets("05 00 02 29 06 00 01 29"))
        #expect(try short.entries() == [.init(handle: 5, type: 0x2902), .init(handle: 6, type: 0x2901)])
        let long = FindInformationResponse(
            format: 2, informationData: octets("05 00 f0 de bc 9a 78 56 34 12 ef cd ab 89 67 45 23 01"))
        #expect(
            try long.entries() == [
                .init(handle: 5, type: BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 0x1234_5678_9ABC_DEF0))
            ])
    }

    /// The octets of a cut entry are asked for again; the whole ones before it count.
    @Test func aCutEntryIsPassedOver() throws {
        let list = ReadByTypeResponse(length: 7, attributeData: octets("02 00 20 03 00 00 2a 04 00 20"))
        #expect(try list.entries() == [.init(handle: 2, value: octets("20 03 00 00 2a"))])
        #expect(
            try FindByTypeValueResponse(handlesInformation: octets("05 00 08 00 09")).groups() == [HandleRange(5, 8)])
    }

    @Test func listsWithoutAnEntryAreErrors() {
        #expect(throws: WireError.truncated(field: "Handles Information List", at: 1, needed: 4, remaining: 0)) {
            try FindByTypeValueResponse().groups()
        }
        #expect(throws: WireError.truncated(field: "Attribute Data List", at: 2, needed: 7, remaining: 6)) {
            try ReadByTypeResponse(length: 7, attributeData: octets("02 00 20 03 00 00")).entries()
        }
        #expect(throws: WireError.truncated(field: "Information Data", at: 2, needed: 18, remaining: 4)) {
            try FindInformationResponse(format: 2, informationData: octets("05 00 02 29")).entries()
        }
    }

    @Test(arguments: [0, 1]) func lengthsThatHoldNoHandleAreErrors(length: UInt8) {
        #expect(
            throws: WireError.invalid(field: "Length", at: 1, reason: "\(length) octets cannot hold a handle")
        ) {
            try ReadByTypeResponse(length: length, attributeData: [1, 2, 3, 4]).entries()
        }
        #expect(
            throws: WireError.invalid(field: "Length", at: 1, reason: "\(length) octets cannot hold two handles")
        ) {
            try ReadByGroupTypeResponse(length: length, attributeData: [1, 2, 3, 4]).entries()
        }
    }

    @Test(arguments: [0, 3, 255]) func unknownFormatsAreErrors(format: UInt8) {
        #expect(throws: WireError.self) {
            try FindInformationResponse(format: format, informationData: [1, 2, 3, 4]).entries()
        }
    }

    @Test func valuesOfVariableLengthMayBeCutAtTheEnd() {
        let list = ReadMultipleVariableResponse(lengthValueTuples: octets("01 00 aa 00 00 05 00 bb cc"))
        #expect(list.values == [[0xAA], [], [0xBB, 0xCC]])
        #expect(ReadMultipleVariableResponse(lengthValueTuples: octets("01 00 aa 07")).values == [[0xAA]])
    }
}
