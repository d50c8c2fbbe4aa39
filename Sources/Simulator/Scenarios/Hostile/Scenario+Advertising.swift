import HCI
import Wire

// What makes a strap hard to find or to keep.
extension Scenario {
    static let elusive: [Scenario] = [
        hostile("taken", "is another device's, and advertises that it cannot be connected to") {
            $0.advertises = .nonConnectable
        },
        hostile("unannounced", "has a heart-rate service and does not advertise it") { $0.advertisesService = false },
        hostile("changing-address", "takes another private address every 20 s, and drops the link every 30 s") {
            $0.changesAddressEvery = .seconds(20)
            $0.departure = .init(.after(.seconds(30)), .leaving(.remoteUserTerminated), returnsAfter: .seconds(1))
        },
        hostile("zero", "tells a heart rate of 0 now and then, and nothing of contact") {
            $0.contact = .changingUntold(worn: .seconds(20), off: .seconds(10))
        },
        hostile(
            "late-and-rare", "measures every 5 s only, and first 25 s after it was subscribed to",
            .on(.measurement, turns: 1...4)
        ) { $0.measurement = MeasurementPlan(hasIntervals: false, period: .seconds(5)) },
        hostile("stuck", "repeats one and the same measurement from the first on") { $0.measurement.freezesAfter = 1 },
        hostile("off-at-once", "ends the link 12 s after it feels no skin, and never feels any") {
            $0.contact = .changing(worn: .zero, off: .seconds(100_000))
            $0.departure = .init(
                .after(.seconds(12)), .leaving(.remoteUserTerminated), returnsAfter: .seconds(3))
        },
        Scenario(
            name: "new-address", summary: "comes back under another address, as with a new battery",
            straps: [
                .simulated(1) {
                    $0.departure = .init(.after(.seconds(20)), .vanishing, returnsAfter: nil)
                },
                .simulated(2) {
                    $0.name = StrapPlan.simulated(1).name
                    $0.appearsAfter = .seconds(30)
                },
            ]),
        Scenario(
            name: "garbled", summary: "is plain itself, among twelve devices whose advertisements are damaged",
            straps: [.simulated(1)], others: damaged.map(damagedAdvertiser)),
    ]

    /// Lengths that reach too far, lengths of 0 and 1, lists with half an entry, names that are no text.
    private static let damaged: [[UInt8]] = [
        [], [0x00], [0xFF], [0x01], [0x02, 0x01], [0x1F, 0x09, 0x41], [0x04, 0x03, 0x0A, 0x18, 0x0F],
        [0x02, 0x03, 0x0D], [0x10, 0x06, 0x01], [0x03, 0x09, 0xFF, 0xFE], [0x01, 0x09, 0x01, 0x03, 0x01, 0xFF],
        [0x02, 0xFF, 0x6B, 0x01, 0x16, 0x00, 0x00, 0x00],
    ]

    private static func damagedAdvertiser(_ data: [UInt8]) -> AdvertiserPlan {
        let number = UInt64(damaged.firstIndex(of: data) ?? 0)
        return AdvertiserPlan(
            identity: .fixed(DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_DA_00 + number))),
            form: .connectable, interval: .milliseconds(50), data: data, scanResponse: data)
    }
}
