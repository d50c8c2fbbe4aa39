import GAP
import HCI
import Wire

extension AdvertiserPlan {
    /// How a strap advertises: its services at once, its name to those who ask.
    init(strap: StrapPlan) {
        if let recorded = strap.recorded {
            self = recorded.advertises
            return
        }
        var services: [ADValue] = [.flags([.generalDiscoverable, .brEdrNotSupported])]
        if strap.offers.contains(.heartRate), strap.advertisesService {
            services.append(.services(ADServiceList([0x180D] + (strap.offers.contains(.battery) ? [0x180F] : []))))
        }
        self.init(
            identity: Self.identity(of: strap),
            form: strap.advertises, interval: strap.advertisingInterval,
            data: AdvertisingData(services).encoded,
            scanResponse: AdvertisingData([.name(strap.name, isComplete: true), .txPower(0)]).encoded,
            level: strap.level, appearsAfter: strap.appearsAfter)
    }

    private static func identity(of strap: StrapPlan) -> Identity {
        if let hiding = strap.security?.hiding { return .hidden(key: hiding.key, every: hiding.period) }
        return strap.changesAddressEvery.map { .changing(every: $0) } ?? .fixed(strap.address)
    }
}
