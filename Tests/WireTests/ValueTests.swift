import TestSupport
import Testing
import Wire

@Suite struct ValueTests {
    @Test func addressesReadAsTheyArePrinted() {
        #expect(Address("f0:F1:f2:f3:f4:01")?.description == "F0:F1:F2:F3:F4:01")
        #expect(Address("F0:F1:F2:F3:F4:01")?.littleEndian == octets("01f4f3f2f1f0"))
        for wrong in [
            "", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:0", "F0:F1:F2:F3:F4:0G", "F0F1F2F3F401", "F0:F1:F2:F3:F4:01:02",
            "+0:F1:F2:F3:F4:01",
        ] {
            #expect(Address(wrong) == nil, "\(wrong)")
        }
    }

    /// Forms and refusals as in BlueZ's unit/test-uuid.c.
    @Test func uuidsInAllTheirForms() {
        #expect(BluetoothUUID("1234") == 0x1234)
        #expect(BluetoothUUID("0x1234") == 0x1234)
        #expect(BluetoothUUID("00001234-0000-1000-8000-00805F9B34FB") == 0x1234)
        #expect(BluetoothUUID("12345678")?.description == "12345678")
        #expect(BluetoothUUID("F0000000-0000-1000-8000-00805f9b34fb")?.short16 == nil)
        #expect(
            BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")?.description == "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        )
        for wrong in [
            "0", "01", "012", "xxxx", "00001234-0000-1000-8000-00805F9B34F", "00001234-0000-1000-8000000805F9B34FB", "",
        ] {
            #expect(BluetoothUUID(wrong) == nil, "\(wrong)")
        }
        #expect(BluetoothUUID(littleEndian: octets("0d18").span) == 0x180D)
        #expect(BluetoothUUID(0x180D).littleEndian(octets: 16) == octets("fb349b5f80000080001000000d180000"))
        #expect(BluetoothUUID(littleEndian: octets("0d1800").span) == nil)
    }

    @Test func timestampsInRFC3339() {
        #expect(Timestamp(microseconds: 0).description == "1970-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: 1_582_977_600_123_456).description == "2020-02-29T12:00:00.123456Z")
        #expect(Timestamp(microseconds: -62_167_219_200_000_000).description == "0000-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: .max).description.hasSuffix("Z"))
        #expect(Timestamp(microseconds: .min).description.hasPrefix("-"))
    }

    @Test func momentsSaturate() {
        #expect(Moment(nanoseconds: 5) + .nanoseconds(7) == Moment(nanoseconds: 12))
        #expect(Moment(nanoseconds: .max) + .seconds(1) == Moment(nanoseconds: .max))
        #expect(Moment.zero + .seconds(Int64.max) == Moment(nanoseconds: .max))
        #expect(Moment(nanoseconds: 12) - Moment(nanoseconds: 5) == .nanoseconds(7))
    }

    @Test func hexadecimal() {
        #expect([UInt8](hexadecimal: "00fF") == [0, 255])
        #expect([UInt8](hexadecimal: "0") == nil)
        #expect([UInt8](hexadecimal: "0x") == nil)
        #expect([0, 255].map { UInt8($0) }.hexadecimal == "00ff")
        #expect(UInt16(13).paddedHexadecimal == "000D")
    }
}
