import ATT
import TestSupport
import Testing
import Wire

@Suite struct AnyPDUTests {
    @Test(
        arguments: [
            ("0a 03 00", 0x03, ""), ("0c 04 00 16 00", 0x04, "16 00"), ("12 04 00 01 00", 0x04, "01 00"),
            ("16 82 00 03 00 04", 0x82, "03 00 04"), ("17 82 00 03 00 04", 0x82, "03 00 04"),
            ("1b 12 00 06 46", 0x12, "06 46"),
            ("1d 12 00 06 46", 0x12, "06 46"), ("52 07 00 01", 0x07, "01"), ("d2 07 00 01", 0x07, "01"),
        ] as [(String, UInt16, String)])
    func pdusWithALeadingHandle(hex: String, handle: UInt16, value: String) throws {
        let whole = octets(hex)
        let pdu = try #require(AnyPDU(whole))
        #expect(pdu.opcode.rawValue == whole[0])
        #expect(pdu.handle == Handle(handle))
        #expect(pdu.value(of: whole) == octets(value))
    }

    @Test(arguments: [
        "04 01 00 ff ff", "08 01 00 ff ff 03 28", "0b 01 02", "0e 03 00 08 00", "13", "1e", "7e 01 02 03",
    ])
    func pdusWithoutOne(hex: String) throws {
        let whole = octets(hex)
        let pdu = try #require(AnyPDU(whole))
        #expect(pdu.handle == nil)
        #expect(pdu.handleInError == nil)
        #expect(pdu.value(of: whole) == [UInt8](whole.dropFirst()))
    }

    @Test func theHandleInErrorStaysInTheValue() throws {
        let whole = octets("01 0a 03 00 02")
        let pdu = try #require(AnyPDU(whole))
        #expect(pdu.handle == nil)
        #expect(pdu.handleInError == 0x0003)
        #expect(pdu.value(of: whole) == octets("0a 03 00 02"))
    }

    @Test func cutPDUs() throws {
        #expect(AnyPDU([UInt8]()) == nil)
        for hex in ["1b", "1b 12", "01", "01 0a", "01 0a 03"] {
            let whole = octets(hex)
            let pdu = try #require(AnyPDU(whole))
            #expect(pdu.handle == nil)
            #expect(pdu.handleInError == nil)
            #expect(pdu.value(of: whole) == [UInt8](whole.dropFirst()))
        }
        let whole = octets("1b 12 00")
        let pdu = try #require(AnyPDU(whole))
        #expect(pdu.value(of: []) == [])
    }
}
