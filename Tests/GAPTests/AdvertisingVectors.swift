import GAP
import TestSupport
import Testing
import Wire

/// Advertising data with what it says.
struct AdvertisingVector: Sendable, CustomTestStringConvertible {
    let name: String
    let data: String
    let values: [ADValue]
    var malformed: String?
    let source: String

    var testDescription: String { "\(name) (\(source))" }

    /// From published unit tests; texts and numbers as these state them.
    static let published: [AdvertisingVector] = {
        let bluez = "bluez/bluez unit/test-eir.c"
        let beacons = "PureSwift/Bluetooth iBeaconTests.swift"
        return [
            AdvertisingVector(
                name: "Mio Alpha", data: "02010603020d180609414c504841",
                values: [.flags([.generalDiscoverable, .brEdrNotSupported]), some([0x180D]), full("ALPHA")],
                source: bluez),
            AdvertisingVector(
                name: "Wahoo BlueSC", data: "0201060302161812095761686f6f20426c756553432076312e34",
                values: [.flags(le), some([0x1816]), full("Wahoo BlueSC v1.4")], source: bluez),
            AdvertisingVector(
                name: "Wahoo Scale", data: "0201060302011911095761686f6f205363616c652076312e3305ff0000009c",
                values: [
                    .flags(le), some([0x1901]), full("Wahoo Scale v1.3"),
                    .manufacturer(ManufacturerData(0, octets("009c"))),
                ],
                source: bluez),
            AdvertisingVector(
                name: "COOKOO", data: "020105050202180a180d09434f4f4b4f4f207761746368",
                values: [
                    .flags([.limitedDiscoverable, .brEdrNotSupported]), some([0x1802, 0x180A]), full("COOKOO watch"),
                ],
                source: bluez),
            AdvertisingVector(
                name: "Citizen, advertisement",
                data: "02010505127f018f01140945636f2d44726976652050726f78696d697479",
                values: [
                    .flags([.limitedDiscoverable, .brEdrNotSupported]),
                    .connectionIntervalRange(ADIntervalRange(min: 0x017F, max: 0x018F)), full("Eco-Drive Proximity"),
                ],
                source: bluez),
            AdvertisingVector(
                name: "Citizen, scan response", data: "020a0011071bc5d5a50200469ae111b78d60b4452d",
                values: [.txPower(0), long("2d45b460-8db7-11e1-9a46-0002a5d5c51b")], source: bluez),
            AdvertisingVector(
                name: "G-Tag", data: "0201060dff8001021512348091d0f2bbc503020f18000000000000000000",
                values: [
                    .flags(le), .manufacturer(ManufacturerData(0x0180, octets("021512348091d0f2bbc5"))), some([0x180F]),
                ],
                source: bluez),
            AdvertisingVector(
                name: "URI beacon", data: "0303d8fe0c16d8fe002000626c75657a08",
                values: [
                    all([0xFED8]), .serviceData(ServiceData(0xFED8, octets("002000 626c75657a 08")), width: .bits16),
                ],
                source: bluez),
            AdvertisingVector(
                name: "FuelBand",
                data: padded("0f094e696b652b204675656c42616e64110700000000decafadedecadeafdecacaff020a00", to: 240),
                values: [full("Nike+ FuelBand"), long("ffcacade-afde-cade-defa-cade00000000"), .txPower(0)],
                source: bluez),
            AdvertisingVector(
                name: "bad UTF-8",
                data: "22097465737420e0a4aae0a4b0e0a580e0a4e0a58de0a4b7e0a4be20696e76616c6964",
                values: [full("test \u{92A}\u{930}\u{940}")],
                malformed: "Complete Local Name at offset 0 is no text in its last 19 octets", source: bluez),
            AdvertisingVector(
                name: "UTF-16", data: "1709005500540046002d0031003600200074006500730074", values: [full("")],
                malformed: "Complete Local Name at offset 0 is no text in its last 22 octets", source: bluez),
            AdvertisingVector(
                name: "ISO-2022-JP", data: "130974657374201b2442bbfab8b51b2842204f4b",
                values: [full("test \u{1B}$B")],
                malformed: "Complete Local Name at offset 0 is no text in its last 10 octets", source: bluez),
            AdvertisingVector(
                name: "iBeacon", data: "02011a1aff4c000215f7826da64fa24e988024bc5b71e0893e00aa00bbb3",
                values: [
                    .flags(dual),
                    .manufacturer(
                        ManufacturerData(0x004C, octets("0215 f7826da64fa24e988024bc5b71e0893e 00aa 00bb b3"))),
                ],
                source: beacons),
            AdvertisingVector(
                name: "iBeacon, cut", data: "02011a1a4c00", values: [.flags(dual)],
                malformed: "AD structure at offset 3 needs 26 octets, 2 remain", source: beacons),
            AdvertisingVector(
                name: "iBeacon, cut after the type", data: "02011a03ff", values: [.flags(dual)],
                malformed: "AD structure at offset 3 needs 3 octets, 1 remain", source: beacons),
            AdvertisingVector(
                name: "iBeacon, without a payload", data: "02011a03ff4c00",
                values: [.flags(dual), .manufacturer(ManufacturerData(0x004C, []))], source: beacons),
            AdvertisingVector(
                name: "UriBeacon", data: "0201040303d8fe1016d8fe002000757269626561636f6e08",
                values: [
                    .flags(.brEdrNotSupported), all([0xFED8]),
                    .serviceData(ServiceData(0xFED8, octets("002000 757269626561636f6e 08")), width: .bits16),
                ],
                source: "google/uribeacon TestData.java"),
            AdvertisingVector(
                name: "service data", data: "020102030350fe051650fee6c2",
                values: [
                    .flags(.generalDiscoverable), all([0xFE50]),
                    .serviceData(ServiceData(0xFE50, octets("e6c2")), width: .bits16),
                ],
                source: "secdev/scapy bluetooth.uts"),
        ]
    }()

    /// As real devices sent it; names, serial numbers and identifiers are made up where it says so.
    static let real: [AdvertisingVector] = {
        let analyzer = "BeanCounterTop/ble-pcap-analyzer"
        return [
            AdvertisingVector(
                name: "Polar H7, advertisement and scan response; number in the name made up",
                data: "02010603020d1807ff6b003b1b5452020a001209506f6c6172204837203030303030303031",
                values: [
                    .flags(le), some([0x180D]), .manufacturer(ManufacturerData(0x006B, octets("3b1b5452"))),
                    .txPower(0),
                    full("Polar H7 00000001"),
                ],
                source: "polarofficial/polar-ble-sdk"),
            AdvertisingVector(
                name: "heart-rate watch; name made up",
                data: "0b094e3138392d616263646502010603030d180bff01012f5e00000000088d",
                values: [
                    full("N189-abcde"), .flags(le), all([0x180D]),
                    .manufacturer(ManufacturerData(0x0101, octets("2f5e00000000088d"))),
                ],
                source: "wangdalian/btsnooper"),
            AdvertisingVector(
                name: "iBeacon", data: "0201061aff4c000215fda50693a4e24fb1afcfc6eb0764782500050006b0",
                values: [
                    .flags(le),
                    .manufacturer(
                        ManufacturerData(0x004C, octets("0215 fda50693a4e24fb1afcfc6eb07647825 0005 0006 b0"))),
                ],
                source: "cnrd/yeelock"),
            AdvertisingVector(
                name: "exposure notification; identifier made up",
                data: "02011a03036ffd17166ffd101112131415161718191a1b1c1d1e1fa0a1a2a3",
                values: [
                    .flags(dual), all([0xFD6F]),
                    .serviceData(
                        ServiceData(0xFD6F, octets("101112131415161718191a1b1c1d1e1fa0a1a2a3")), width: .bits16),
                ],
                source: analyzer),
            AdvertisingVector(
                name: "Apple nearby", data: "02011a020a0c0aff4c0010051e1826d38b",
                values: [
                    .flags(dual), .txPower(12), .manufacturer(ManufacturerData(0x004C, octets("10 05 1e1826d38b"))),
                ],
                source: analyzer),
            AdvertisingVector(
                name: "Apple handoff", data: "02010613ff4c000c0e0851a36df33c0a6771cd54d97033",
                values: [
                    .flags(le), .manufacturer(ManufacturerData(0x004C, octets("0c 0e 0851a36df33c0a6771cd54d97033"))),
                ],
                source: "csacca/horizon-74-at-ble"),
            AdvertisingVector(
                name: "Apple proximity",
                data: "1eff4c000719010e200b778f00000559dc3d222e02474d912843bfe0fd6072",
                values: [
                    .manufacturer(
                        ManufacturerData(0x004C, octets("07 19 01 0e20 0b778f00000559dc3d222e02474d912843bfe0fd6072")))
                ],
                source: analyzer),
            AdvertisingVector(
                name: "Apple 0x12", data: "07ff4c0012020001",
                values: [.manufacturer(ManufacturerData(0x004C, octets("12 02 0001")))],
                source: "darkmentorllc/Blue2thprinting"),
            AdvertisingVector(
                name: "overrun; all but the first octet made up",
                data: "200b30557a9fc4e90e33587da2c7ec11365b80a5caef14395e", values: [],
                malformed: "AD structure at offset 0 needs 32 octets, 24 remain", source: "choonkiatlee/wban-python"),
        ]
    }()

    private static let le: ADFlags = [.generalDiscoverable, .brEdrNotSupported]
    private static let dual = ADFlags(rawValue: 0x1A)

    private static func full(_ name: String) -> ADValue { .name(name, isComplete: true) }
    private static func all(_ uuids: [BluetoothUUID]) -> ADValue { .services(ADServiceList(uuids)) }
    private static func some(_ uuids: [BluetoothUUID]) -> ADValue {
        .services(ADServiceList(isComplete: false, uuids))
    }
    private static func long(_ text: String) -> ADValue {
        .services(ADServiceList(width: .bits128, BluetoothUUID(text).map { [$0] } ?? []))
    }
    private static func padded(_ text: String, to count: Int) -> String {
        text + String(repeating: "00", count: count - text.utf8.count / 2)
    }
}
