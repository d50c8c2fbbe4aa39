import GAP
import TestSupport
import Testing
import Wire

@Suite struct AdvertisingDataTests {
    @Test(arguments: AdvertisingVector.published + AdvertisingVector.real)
    func vectors(_ vector: AdvertisingVector) {
        let data = AdvertisingData(decoding: octets(vector.data))
        #expect(data.values == vector.values)
        #expect(data.malformed == vector.malformed)
        if vector.malformed == nil {
            #expect(octets(vector.data).starts(with: data.encoded))
        }
    }

    /// One structure of each kind, hand-typed, with data that appears nowhere else.
    @Test(arguments: [
        (
            "05 04 78563412",
            ADValue.services(ADServiceList(width: .bits32, isComplete: false, [BluetoothUUID(UInt32(0x1234_5678))]))
        ),
        ("05 05 0d180000", .services(ADServiceList(width: .bits32, [0x180D]))),
        (
            "11 06 fb349b5f80000080001000000d180000",
            .services(ADServiceList(width: .bits128, isComplete: false, [0x180D]))
        ),
        ("01 03", .services(ADServiceList([]))),
        ("04 08 506f6c", .name("Pol", isComplete: false)),
        ("02 0a ec", .txPower(-20)),
        ("04 0d 04025a", .classOfDevice(0x5A0204)),
        ("05 12 2800ffff", .connectionIntervalRange(ADIntervalRange(min: 40, max: nil))),
        ("03 14 0d18", .solicitedServices([0x180D], width: .bits16)),
        ("05 1f 0d180000", .solicitedServices([0x180D], width: .bits32)),
        ("06 20 0d180000 07", .serviceData(ServiceData(0x180D, [7]), width: .bits32)),
        ("12 21 fb349b5f80000080001000000d180000 07", .serviceData(ServiceData(0x180D, [7]), width: .bits128)),
        (
            "0d 18 060504030201 0c0b0a090807",
            .targetAddresses([address("01:02:03:04:05:06"), address("07:08:09:0A:0B:0C")], isRandom: true)
        ),
        ("03 19 4103", .appearance(833)),
        ("03 1a 4006", .advertisingInterval(1600, octets: 2)),
        ("04 2f 400601", .advertisingInterval(0x010640, octets: 3)),
        ("05 2f 40060000", .advertisingInterval(1600, octets: 4)),
        ("08 1b 060504030201 01", .deviceAddress(address("01:02:03:04:05:06"), isRandom: true)),
        ("02 1c 02", .role(.peripheralPreferred)),
        ("0d 24 17 2f2f6578616d706c65 2e6f", .uri("\u{17}//example.o")),
        ("03 27 0102", .supportedFeatures([1, 2])),
        ("03 30 c3a4", .broadcastName("\u{E4}")),
        ("03 ef 0102", .other(ADType(rawValue: 0xEF), [1, 2])),
        ("01 2a", .other(ADType(rawValue: 0x2A), [])),
    ])
    func structures(_ text: String, _ value: ADValue) {
        let data = AdvertisingData(decoding: octets(text))
        #expect(data == AdvertisingData([value]))
        #expect(AdvertisingData([value]).encoded == octets(text))
    }

    @Test(arguments: [
        ("01 01", "Flags at offset 0 has only 0 octets", [ADValue.other(.flags, [])]),
        ("03 01 06 01", "Flags at offset 0 has 1 octets left over", [.flags(ADFlags(rawValue: 6))]),
        ("02 19 41", "Appearance at offset 0 has only 1 octets", [.other(.appearance, [0x41])]),
        (
            "02 ff 4c", "Manufacturer Specific Data at offset 0 has only 1 octets",
            [.other(.manufacturerSpecificData, [0x4C])]
        ),
        (
            "04 03 0d18 0f", "Complete List of 16-bit Service Class UUIDs at offset 0 has 1 octets left over",
            [.services(ADServiceList([0x180D]))]
        ),
        (
            "02 0a 04 04 17 010203", "Public Target Address at offset 3 has 3 octets left over",
            [.txPower(4), .targetAddresses([], isRandom: false)]
        ),
        ("02 0a 04 00 02 01 06", "3 octets after the end marked at offset 3", [.txPower(4)]),
        ("02 0a 04 05", "AD structure at offset 3 needs 5 octets, 0 remain", [.txPower(4)]),
        (
            "03 09 41 80", "Complete Local Name at offset 0 is no text in its last 1 octets",
            [.name("A", isComplete: true)]
        ),
    ])
    func damaged(_ text: String, _ malformed: String, _ values: [ADValue]) {
        let data = AdvertisingData(decoding: octets(text))
        #expect(data.values == values)
        #expect(data.malformed == malformed)
    }

    @Test func namesFilledUpWithZeros() {
        let data = AdvertisingData(decoding: octets("06 09 41424300 00"))
        #expect(data == AdvertisingData([.name("ABC", isComplete: true)]))
    }

    @Test func nothing() {
        #expect(AdvertisingData(decoding: []) == AdvertisingData())
        #expect(AdvertisingData(decoding: [0, 0, 0]) == AdvertisingData())
    }

    @Test func everyTypeDescribesItself() {
        let assigned = (UInt8.min...UInt8.max).filter { ADType(rawValue: $0).name != nil }
        #expect(assigned.count == 50)
        #expect(ADType(rawValue: 0x33).description == "0x33")
        #expect(ADType(rawValue: 0x34).description == "Electronic Shelf Label")
        for raw in UInt8.min...UInt8.max {
            for count in [0, 1, 2, 3, 4, 7, 8, 17, 29] {
                let data = AdvertisingData(decoding: [UInt8(count + 1), raw] + Array(repeating: 0x41, count: count))
                #expect(data.values.count == 1)
                #expect(data.values.first?.type.rawValue == raw)
            }
        }
    }
}

private func address(_ text: String) -> Address { Address(text) ?? .zero }
