import HCI
import Wire

extension StrapPlan {
    /// A strap of the simulator, from 1: its address is random static, its name says what it is.
    public static func simulated(_ number: UInt8, _ adjust: (inout StrapPlan) -> Void = { _ in }) -> StrapPlan {
        let address = Address(rawValue: 0xC0_00_5E_00_53_00 | UInt64(number))
        var plan = StrapPlan(
            address: DeviceAddress(.random, address), name: "Simulated H7 " + UInt16(number).paddedHexadecimal)
        adjust(&plan)
        return plan
    }
}

// What the milestones of the project are shown with.
extension Scenario {
    /// A plain strap.
    public static let strap = Scenario(
        name: "strap", summary: "one plain strap (the default)", straps: [.simulated(1)])

    /// Several, of several kinds.
    public static let straps = Scenario(
        name: "straps",
        summary: "four straps: two plain, one with a public address, one without RR",
        straps: [
            .simulated(1),
            .simulated(2) {
                $0.heart = HeartPlan(rate: 128, swing: 22, variability: 0.02)
                $0.level = -71
            },
            .simulated(3) {
                $0.address = DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_03))
                $0.heart = HeartPlan(rate: 54, swing: 6, variability: 0.08)
            },
            .simulated(4) {
                $0.offers = .heartRate
                $0.contact = .unsupported
                $0.measurement = MeasurementPlan(energyEvery: 0, hasIntervals: false)
                $0.mtu = 23
                $0.parameterWish = nil
            },
        ])

    /// More than most controllers hold.
    public static let twenty = Scenario(
        name: "twenty", summary: "twenty straps at once, each with a heart of its own",
        straps: (1...20).map { number in
            .simulated(number) {
                $0.heart = HeartPlan(rate: 50 + 4 * Double(number), swing: 8, variability: 0.04)
                $0.level = -50 - Int8(number)
            }
        })

    /// A strap whose link ends now and then.
    public static let dropping = Scenario(
        name: "dropping", summary: "a strap that drops the link about every 40 s and comes back after 3 s",
        straps: [.simulated(1) { $0.departure = .init(.after(.seconds(40)), .vanishing, returnsAfter: .seconds(3)) }])

    /// A strap that is taken off.
    public static let noContact = Scenario(
        name: "no-contact", summary: "a strap taken off now and then: heart rate 0, contact lost and regained",
        straps: [.simulated(1) { $0.contact = .changing(worn: .seconds(20), off: .seconds(10)) }])

    /// Measurements with everything in them.
    public static let wide = Scenario(
        name: "wide", summary: "16-bit heart rates with energy and nine RR intervals in each measurement",
        straps: [
            .simulated(1) {
                $0.heart = .mouse
                $0.measurement = MeasurementPlan(isWide: true, energyEvery: 1, period: .milliseconds(1360))
            }
        ])

    /// A strap hard to find.
    public static let crowd = Scenario(
        name: "crowd", summary: "one strap among 240 phones, beacons, televisions and other devices",
        straps: [.simulated(1)], crowd: 240)

    /// More devices than anybody can keep in mind.
    public static let flood = Scenario(
        name: "flood", summary: "one strap and 200 devices that change their address with every advertisement",
        straps: [.simulated(1)],
        others: Array(
            repeating: AdvertiserPlan(
                identity: .changing(every: .milliseconds(20)), form: .nonConnectable, interval: .milliseconds(20),
                data: [0x02, 0x01, 0x04]),
            count: 200))
}
