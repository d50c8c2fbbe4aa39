import Testing
import Wire

@Suite struct OctetsTextTests {
    /// What `body` appends, as text.
    private func text(_ body: (inout [UInt8]) -> Void) -> String {
        var octets = Array("=".utf8)
        body(&octets)
        return String(decoding: octets, as: UTF8.self)
    }

    @Test func decimalNumbersAreFilledUp() {
        #expect(text { $0.append(decimal: 0, digits: 1) } == "=0")
        #expect(text { $0.append(decimal: 7, digits: 3) } == "=007")
        #expect(text { $0.append(decimal: 1234, digits: 2) } == "=1234")
        #expect(text { $0.append(decimal: .max, digits: 0) } == "=18446744073709551615")
    }

    @Test func hexadecimalDigitsInBothCases() {
        #expect(text { $0.append(upperHexadecimal: UInt8(0x0A)) } == "=0A")
        #expect(text { $0.append(upperHexadecimal: UInt64(0xFEDC_BA98_7654_3210)) } == "=FEDCBA9876543210")
        #expect(text { $0.append(lowerHexadecimal: [0x00, 0x9F, 0xFA]) } == "=009ffa")
        #expect(text { $0.append(lowerHexadecimal: []) } == "=")
    }

    @Test func identifiersAsTheirDescriptions() {
        let long = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        for uuid in [0x180D, BluetoothUUID(UInt32(0x1234_5678)), BluetoothUUID(long)].compactMap(\.self) {
            #expect(text { uuid.append(to: &$0) } == "=\(uuid)")
        }
        #expect(BluetoothUUID(long)?.description == long)
        #expect(text { Address(rawValue: 0x0102_0304_0506).append(to: &$0) } == "=01:02:03:04:05:06")
    }
}
