import GAP
import HCI
import Wire

/// The devices that are around wherever people are: phones, beacons, televisions, earphones. None of them measures a heart.
struct Crowd {
    let advertisers: [AdvertiserPlan]

    init(count: Int, noise: Noise) {
        advertisers = (0..<max(count, 0)).map { number in
            let own = noise.branch(UInt64(number))
            return switch number % 8 {
            case 0, 1, 2: Self.phone(own)
            case 3: Self.beacon(own)
            case 4: Self.television(number, own)
            case 5: Self.earphones(own)
            case 6: Self.thermometer(number, own)
            default: Self.audioBroadcast(number, own)
            }
        }
    }

    /// Hides behind addresses that change every 15 minutes.
    private static func phone(_ noise: Noise) -> AdvertiserPlan {
        let payload = octets(9, noise)
        return AdvertiserPlan(
            identity: .changing(every: .seconds(900)), form: .connectable, interval: interval(270...350, noise),
            data: AdvertisingData([
                .flags([.generalDiscoverable, .simultaneousController]), .txPower(8), manufacturerData(payload),
            ]).encoded, level: level(noise))
    }

    /// Says who it is to anybody, and takes no connection.
    private static func beacon(_ noise: Noise) -> AdvertiserPlan {
        AdvertiserPlan(
            identity: .fixed(fixedAddress(noise)), form: .nonConnectable, interval: interval(100...1000, noise),
            data: AdvertisingData([
                .flags([.generalDiscoverable, .brEdrNotSupported]),
                manufacturerData([0x02, 0x15] + octets(20, noise) + [0xC5]),
            ]).encoded, level: level(noise))
    }

    private static func television(_ number: Int, _ noise: Noise) -> AdvertiserPlan {
        AdvertiserPlan(
            identity: .fixed(publicAddress(number)), form: .scannable, interval: interval(500...1000, noise),
            data: AdvertisingData([.flags(.generalDiscoverable), manufacturerData(octets(18, noise))]).encoded,
            scanResponse: AdvertisingData([.name("Simulated TV \(number)", isComplete: true)]).encoded,
            level: level(noise))
    }

    /// Advertises the battery service: not everything with a battery is a strap.
    private static func earphones(_ noise: Noise) -> AdvertiserPlan {
        AdvertiserPlan(
            identity: .changing(every: .seconds(900)), form: .connectable, interval: interval(150...300, noise),
            data: AdvertisingData([
                .flags([.generalDiscoverable, .brEdrNotSupported]),
                .services(ADServiceList(isComplete: false, [0x180F])),
            ]).encoded,
            scanResponse: AdvertisingData([.name("Simulated buds", isComplete: false)]).encoded, level: level(noise))
    }

    private static func thermometer(_ number: Int, _ noise: Noise) -> AdvertiserPlan {
        AdvertiserPlan(
            identity: .fixed(publicAddress(number)), form: .nonConnectable, interval: interval(2000...5000, noise),
            data: AdvertisingData([
                .flags([.generalDiscoverable, .brEdrNotSupported]),
                .serviceData(ServiceData(0x181A, octets(13, noise)), width: .bits16),
            ]).encoded, level: level(noise))
    }

    /// Sends more data than a legacy advertisement holds.
    private static func audioBroadcast(_ number: Int, _ noise: Noise) -> AdvertiserPlan {
        AdvertiserPlan(
            identity: .fixed(fixedAddress(noise)), form: .extended, interval: interval(300...1000, noise),
            data: AdvertisingData([
                .serviceData(ServiceData(0x1852, octets(3, noise)), width: .bits16),
                .broadcastName("Simulated hall \(number)"),
                manufacturerData(octets(200, noise)), manufacturerData(octets(200, noise.branch(7))),
            ]).encoded, level: level(noise))
    }

    /// Data of 0xFFFF, which is no company's number.
    private static func manufacturerData(_ octets: [UInt8]) -> ADValue {
        .manufacturer(ManufacturerData(0xFFFF, octets))
    }

    private static func interval(_ milliseconds: ClosedRange<Int>, _ noise: Noise) -> Duration {
        .milliseconds(milliseconds.lowerBound + Int(noise.fraction(11) * Double(milliseconds.count)))
    }

    private static func level(_ noise: Noise) -> Int8 { Int8(clamping: -95 + Int(noise.fraction(12) * 50)) }

    private static func octets(_ count: Int, _ noise: Noise) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: noise.bits(100 + UInt64($0))) }
    }

    /// A random static address.
    private static func fixedAddress(_ noise: Noise) -> DeviceAddress {
        DeviceAddress(.random, Address(rawValue: noise.bits(13) >> 18 | 0b11 << 46))
    }

    /// 00:00:5E:00:52:xx and on, set aside for documents (RFC 7042, 2.1.2).
    private static func publicAddress(_ number: Int) -> DeviceAddress {
        DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_52_00 + UInt64(number & 0xFF)))
    }
}
