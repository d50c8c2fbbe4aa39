import GAP
import HCI
import Testing
import Wire

@testable import HeartRateApp

/// Which makers' devices are told apart by what they advertise.
@Suite struct HabitTests {
    private func habit(_ data: [ADValue]) -> Habit? {
        var devices = DeviceTable()
        let address = DeviceAddress(.random, Address(rawValue: 0xC000_5E00_5301))
        let advertisement = Advertisement(
            advertiser: address, kind: AdvertisementKind(AdvertisingKind.connectable), rssi: -50,
            data: AdvertisingData(data).encoded)
        return Habit(devices.record(advertisement, at: .zero))
    }

    @Test func byCompanyServiceOrName() {
        #expect(
            habit([.manufacturer(ManufacturerData(0x0087, [1]))])?.broadcast.contains("Broadcast Heart Rate") == true)
        #expect(habit([.name("Forerunner 255", isComplete: true)])?.broadcast.contains("Garmin") == true)
        #expect(habit([.services(ADServiceList([0xFEE0]))])?.pairing?.contains("key of its own app") == true)
        #expect(habit([.name("Polar H10 12345678", isComplete: true)])?.broadcast.contains("moist") == true)
        #expect(habit([.name("WHOOP 4A0", isComplete: true)])?.broadcast.contains("Whoop") == true)
    }

    @Test func nobodyIsTakenForSomebodyElse() {
        #expect(habit([.name("Unpolar", isComplete: true)]) == nil)
        #expect(habit([.services(ADServiceList([0x180D]))]) == nil)
        #expect(habit([]) == nil)
    }
}
