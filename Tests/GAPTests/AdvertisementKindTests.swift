import GAP
import HCI
import Testing

@Suite struct AdvertisementKindTests {
    @Test(
        arguments: [
            (0, "ADV_IND", true), (1, "ADV_DIRECT_IND", true), (2, "ADV_SCAN_IND", false),
            (3, "ADV_NONCONN_IND", false),
            (4, "SCAN_RSP", nil), (5, nil, nil), (255, nil, nil),
        ] as [(UInt8, String?, Bool?)])
    func legacyReports(_ raw: UInt8, _ name: String?, _ isConnectable: Bool?) {
        let kind = AdvertisementKind(AdvertisingKind(rawValue: raw))
        #expect(kind.name == name)
        #expect(kind.isConnectable == isConnectable)
        #expect(kind.isScanResponse == (raw == 4))
    }

    @Test(
        arguments: [
            (0x0013, "ADV_IND", true, false), (0x0015, "ADV_DIRECT_IND", true, false),
            (0x0012, "ADV_SCAN_IND", false, false), (0x0010, "ADV_NONCONN_IND", false, false),
            (0x001A, "SCAN_RSP", false, true), (0x001B, "SCAN_RSP", true, true),
            // Reserved bits as a controller really set them (PureSwift/Bluetooth HCITests.swift).
            (0xA613, "ADV_IND", true, false),
            (0x0011, nil, true, false),
            (0x0000, "AUX", false, false), (0x0001, "AUX", true, false), (0x0041, "AUX", true, false),
            (0x0008, "AUX", false, true), (0x000B, "AUX", true, true),
        ] as [(UInt16, String?, Bool, Bool)])
    func extendedReports(_ raw: UInt16, _ name: String?, _ isConnectable: Bool, _ isScanResponse: Bool) {
        let kind = AdvertisementKind(ExtendedAdvertisingKind(rawValue: raw))
        #expect(kind.name == name)
        #expect(kind.isConnectable == isConnectable)
        #expect(kind.isScanResponse == isScanResponse)
    }

    @Test func bothReportsNameTheSamePDUAlike() {
        #expect(
            AdvertisementKind(AdvertisingKind.connectable) == AdvertisementKind(ExtendedAdvertisingKind(rawValue: 0x13))
        )
    }

    @Test func everyEventType() {
        let wrong = (UInt16.min...UInt16.max).filter { raw in
            let kind = AdvertisementKind(ExtendedAdvertisingKind(rawValue: raw))
            return kind.isConnectable != (raw & 1 == 1) || (kind.name == "AUX") != (raw & 0x10 == 0)
        }
        #expect(wrong.isEmpty)
    }
}
