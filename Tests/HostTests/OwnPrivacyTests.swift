import HCI
import SMP
import TestSupport
import Testing
import Wire

@testable import Host

private let stranger = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
private let bonded = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))

/// How the host shows itself, in the octets of its commands (Core Vol 4, Part E, 7.8.4, 7.8.10 and 7.8.12).
@Suite struct OwnPrivacyTests {
    private static func setup(_ bonds: [Bond] = [], _ policy: OwnAddressPolicy = .private) -> SecuritySetup {
        var setup = SecuritySetup(toolbox: ToyToolbox())
        setup.ownAddress = policy
        setup.bonds = KnownBonds(ownKey: SecretKey([UInt8](repeating: 0x33, count: 16)), bonds: bonds)
        return setup
    }

    private static func bond(knowsUs: Bool) -> Bond {
        var bond = Bond(
            identity: bonded, level: .encrypted, ownAddress: DeviceAddress(.public, Address(rawValue: 0x0102_0304_0506))
        )
        if knowsUs { bond.ownIdentity = DeviceAddress(.public, Address(rawValue: 0x0102_0304_0506)) }
        return bond
    }

    /// The toolbox's numbers are 01 02 03 … : the private address that means nothing.
    private static let meaningless = octets("01 0520 06 060504030201")
    /// prand 41 02 03 and its hash with the key 33 33 33.
    private static let resolvable = octets("01 0520 06 363574 030241")

    @Test func theScanShowsNobody() {
        var bench = HostBench.ready(security: Self.setup())
        bench.ask(.scan(isActive: true))
        #expect(bench.sent() == [Self.meaningless])
        bench.complete("0520")
        #expect(bench.sent() == [octets("01 0B20 07 01 6000 3000 01 00")])
    }

    @Test func withoutBondsTheIdentityConnects() {
        var bench = HostBench.ready(security: Self.setup())
        bench.ask(.connect(stranger, .heartRate, within: .seconds(30)))
        #expect(bench.sent().first?.prefix(3) == octets("01 0D20")[...])
    }

    @Test func withBondsAPrivateAddressConnects() {
        var bench = HostBench.ready(security: Self.setup([Self.bond(knowsUs: true)]))
        let ticket = bench.ask(.connect(stranger, .heartRate, within: .seconds(30)))
        #expect(bench.sent() == [Self.resolvable])
        bench.complete("0520")
        // Own_Address_Type is Random.
        #expect(bench.sent().first?[16] == 0x01)
        bench.status("0D20")
        bench.connected()
        #expect(bench.connection(ticket)?.ownAddress == DeviceAddress(.random, Address(rawValue: 0x4102_0374_3536)))
    }

    @Test func aPeerThatWasNotToldTheKeyMeetsTheIdentity() {
        var bench = HostBench.ready(security: Self.setup([Self.bond(knowsUs: false)]))
        bench.ask(.connect(bonded, .heartRate, within: .seconds(30)))
        #expect(bench.sent().first?.prefix(3) == octets("01 0D20")[...])
    }

    @Test func theAddressIsExchangedAfterAQuarterOfAnHour() {
        var bench = HostBench.ready(security: Self.setup())
        bench.ask(.scan(isActive: true))
        bench.complete("0520")
        bench.complete("0B20")
        bench.complete("0C20")
        bench.pass(.seconds(31))
        // The relaxed scan.
        bench.complete("0C20")
        bench.complete("0B20")
        bench.complete("0C20")
        bench.pass(.seconds(868))
        _ = bench.sent()
        bench.pass(.seconds(2))
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        bench.complete("0C20")
        #expect(bench.sent() == [octets("01 0520 06 070605040302")])
    }

    @Test func theIdentityIsShownOnRequest() {
        var bench = HostBench.ready(security: Self.setup([Self.bond(knowsUs: true)], .public))
        bench.ask(.scan(isActive: true))
        #expect(bench.sent() == [octets("01 0B20 07 01 6000 3000 00 00")])
    }
}
