import GAP
import HCI
import TestSupport
import Testing
import Wire

@Suite struct DeviceTableTests {
    private let strap = DeviceAddress(.random, Address("F0:F1:F2:F3:F4:01") ?? .zero)

    @Test func advertisementAndScanResponseMakeOneDevice() {
        var table = DeviceTable()
        var device = table.record(advertisement("0201060303 0d18 020a04 03194103", rssi: -50), at: .zero)
        #expect(device.name == nil)
        #expect(device.isHeartRateSensor)
        device = table.record(scanResponse("06 09 5374726170 05ff6b003b1b", rssi: -55), at: .zero + .seconds(1))
        #expect(table.count == 1)
        #expect(table[strap] == device)
        #expect(device.name == "Strap")
        #expect(device.flags == [.generalDiscoverable, .brEdrNotSupported])
        #expect(device.services == [0x180D])
        #expect(device.appearance == 833)
        #expect(device.txPower == 4)
        #expect(device.manufacturerData == [ManufacturerData(0x006B, [0x3B, 0x1B])])
        #expect(device.rssi == -55)
        // A scan response does not say whether its sender can be connected to.
        #expect(device.isConnectable == true)
        #expect(device.reports == 2)
        #expect(device.lastSeen - device.firstSeen == .seconds(1))
    }

    @Test func theSameBitsAsPublicAndAsRandomAreTwoDevices() {
        var table = DeviceTable()
        table.record(advertisement("020106"), at: .zero)
        var other = advertisement("020104")
        other.advertiser.kind = .public
        table.record(other, at: .zero)
        #expect(table.count == 2)
        #expect(table.all.map(\.address.kind) == [.public, .random])
    }

    @Test func namesGrowAndNeverShrink() {
        var table = DeviceTable()
        #expect(table.record(advertisement("04 08 506f6c"), at: .zero).name == "Pol")
        #expect(table.record(scanResponse("06 09 506f6c6172"), at: .zero).name == "Polar")
        #expect(table.record(advertisement("03 08 506f"), at: .zero).name == "Polar")
        #expect(table.record(scanResponse("01 09"), at: .zero).name == "Polar")
        #expect(table.record(scanResponse("03 09 4837"), at: .zero).name == "H7")
    }

    @Test func valuesChange() {
        var table = DeviceTable()
        table.record(advertisement("04 16 0f18 57"), at: .zero)
        let device = table.record(advertisement("04 16 0f18 56 020a f6"), at: .zero)
        #expect(device.serviceData == [ServiceData(0x180F, [0x56])])
        #expect(device.txPower == -10)
    }

    @Test func anonymousSendersAreNotOneDevice() {
        var table = DeviceTable()
        var nobody = advertisement("03 03 0d18")
        nobody.advertiser = DeviceAddress(.anonymous, .zero)
        #expect(table.record(nobody, at: .zero).services == [0x180D])
        nobody.data = octets("04 08 506f6c")
        #expect(table.record(nobody, at: .zero).services.isEmpty)
        #expect(table.count == 0)
    }

    /// Every address heard is new: the table stays as it is, and the count tells what was forgotten.
    @Test func addressesWithoutEnd() {
        var table = DeviceTable(capacity: 64)
        var generator = SeededGenerator(seed: 2)
        table.record(advertisement("03 03 0d18"), at: .zero)
        for step in 1...20_000 {
            var stranger = advertisement("02 01 06")
            stranger.advertiser = DeviceAddress(.random, Address(rawValue: generator.next()))
            table.record(stranger, at: Moment(nanoseconds: Int64(step)))
            // One that is heard now and then stays.
            if step % 60 == 0 { table.record(advertisement("03 03 0d18"), at: Moment(nanoseconds: Int64(step))) }
        }
        #expect(table.count == 64)
        #expect(table.evicted == 20_001 - 64)
        #expect(table[strap]?.reports == 20_000 / 60 + 1)
    }

    /// One sender that makes up new services, companies and data all the time.
    @Test func contentWithoutEnd() {
        var table = DeviceTable()
        for number in UInt16.min..<5000 {
            let content = AdvertisingData([
                .services(ADServiceList([BluetoothUUID(number)])),
                .serviceData(ServiceData(BluetoothUUID(number), [1]), width: .bits16),
                .manufacturer(ManufacturerData(number, [2])),
            ])
            var report = advertisement("")
            report.data = content.encoded
            table.record(report, at: .zero)
        }
        let device = table[strap]
        #expect(device?.services.count == Device.longestList)
        #expect(device?.services.last == BluetoothUUID(UInt16(4999)))
        #expect(device?.serviceData.count == Device.longestList)
        #expect(device?.manufacturerData.count == Device.longestList)
    }

    @Test func randomContent() {
        var table = DeviceTable(capacity: 16)
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<5000 {
            var report = advertisement("")
            report.advertiser.address = Address(rawValue: UInt64.random(in: 0..<40, using: &generator))
            report.data = (0..<Int.random(in: 0...31, using: &generator)).map { _ in
                UInt8.random(in: 0...40, using: &generator)
            }
            table.record(report, at: .zero)
            #expect(table.count <= 16)
        }
    }

    @Test func filters() {
        var table = DeviceTable()
        let before = table.record(advertisement("020106", rssi: -70), at: .zero)
        table.record(scanResponse("06 09 5374726170", rssi: -70), at: .zero)
        let after = table.record(advertisement("03030d18", rssi: -70), at: .zero)

        let byService = DeviceFilter(services: [0x1816, 0x180D])
        #expect(!byService.matches(before))
        #expect(byService.matches(after))
        #expect(!DeviceFilter(services: [0x1816]).matches(after))
        // Name and service came in different reports.
        #expect(DeviceFilter(services: [0x180D], name: "TRAP").matches(after))
        #expect(!DeviceFilter(services: [0x180D], name: "polar").matches(after))
        #expect(!DeviceFilter(name: "s").matches(before))
        #expect(DeviceFilter(minimumRSSI: -70).matches(after))
        #expect(!DeviceFilter(minimumRSSI: -69).matches(after))
        #expect(DeviceFilter().matches(before))
    }

    @Test func anUnknownStrengthIsNotEnough() {
        var table = DeviceTable()
        #expect(!DeviceFilter(minimumRSSI: -128).matches(table.record(advertisement("020106", rssi: nil), at: .zero)))
    }

    private func advertisement(_ data: String, rssi: Int8? = -60) -> Advertisement {
        Advertisement(
            advertiser: strap, kind: AdvertisementKind(AdvertisingKind.connectable), rssi: rssi, data: octets(data))
    }

    private func scanResponse(_ data: String, rssi: Int8? = -60) -> Advertisement {
        Advertisement(
            advertiser: strap, kind: AdvertisementKind(AdvertisingKind.scanResponse), rssi: rssi, data: octets(data))
    }
}
