import Cryptography
import Foundation
import HCI
import SMP
import Simulator
import TestSupport
import Testing
import Wire

@Suite("Straps that demand protection")
struct StrapSecurityTests {
    private func bench(_ name: String, _ adjust: (inout PairingPolicy) -> Void = { _ in }) throws -> SecureBench {
        var policy = PairingPolicy()
        adjust(&policy)
        return SecureBench(try #require(Scenario.named(name)), policy)
    }

    /// How each is paired with, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var level: SecurityLevel = .encrypted
        var io = IOCapability.noInputNoOutput
        var answer: PairingAnswer? = nil
        /// The error that the strap refuses with before.
        var refusal = "0F"
        var model: AssociationModel
        var isSecureConnections = true
        var protection: LinkProtection
        var testDescription: String { name }

        init(
            _ name: String, _ model: AssociationModel, refusal: String = "0F", level: SecurityLevel = .encrypted,
            io: IOCapability = .noInputNoOutput, answer: PairingAnswer? = nil, isSecureConnections: Bool = true,
            gives: SecurityLevel, keySize: Int = 16, isBonded: Bool = true
        ) {
            self.name = name
            self.model = model
            self.refusal = refusal
            self.level = level
            self.io = io
            self.answer = answer
            self.isSecureConnections = isSecureConnections
            protection = LinkProtection(
                level: gives, keySize: keySize, isBonded: isBonded, isSecureConnections: isSecureConnections)
        }
    }

    private static let label = Passkey.simulated.map { PairingAnswer.passkey($0) }

    static let cases = [
        Case("encrypted", .justWorks, gives: .encrypted),
        Case("authentication", .justWorks, refusal: "05", gives: .encrypted),
        Case("authorization", .justWorks, refusal: "08", gives: .encrypted),
        Case("key-size", .justWorks, refusal: "0C", gives: .encrypted),
        Case("closed", .justWorks, gives: .encrypted),
        Case(
            "passkey", .passkeyEntered, refusal: "05", level: .authenticated, io: .keyboardOnly, answer: label,
            gives: .authenticatedSecureConnections),
        Case(
            "passkey-entry", .passkeyShown, refusal: "05", level: .authenticated, io: .displayOnly,
            gives: .authenticatedSecureConnections),
        Case(
            "comparison", .numericComparison, refusal: "05", level: .authenticated, io: .displayYesNo,
            answer: .comparison(true), gives: .authenticatedSecureConnections),
        Case("legacy-pairing", .justWorks, isSecureConnections: false, gives: .encrypted),
        Case(
            "legacy-passkey", .passkeyEntered, refusal: "05", level: .authenticated, io: .keyboardOnly, answer: label,
            isSecureConnections: false, gives: .authenticated),
        Case("secure-only", .justWorks, refusal: "05", gives: .encrypted),
        Case("short-key", .justWorks, gives: .encrypted, keySize: 7),
        Case("not-bonding", .justWorks, gives: .encrypted, isBonded: false),
        Case("signing", .justWorks, gives: .encrypted),
        Case("rotating", .justWorks, gives: .encrypted),
        Case("rotating-public", .justWorks, gives: .encrypted),
    ]

    @Test("it refuses with its error, is paired, and then measures", arguments: cases)
    func pairing(_ expected: Case) throws {
        var bench = try bench(expected.name) {
            $0.ioCapability = expected.io
            $0.minimumKeySize = 7
        }
        bench.answer = expected.answer
        bench.connectToWhoever()
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00" + expected.refusal))
        bench.secure(expected.level)
        #expect(bench.failure == nil)
        #expect(
            bench.effects.contains(
                .note(.pairing(expected.model, isSecureConnections: expected.isSecureConnections))))
        #expect(bench.security == expected.protection)
        #expect(bench.ask("12 0F00 0100") == octets("13"))
        #expect(bench.bench.wait(for: "02 4020") != nil)
        #expect(bench.bench.world.offences == [])
    }

    @Test("with a bond, the next link is encrypted by its key", arguments: cases.filter(\.protection.isBonded))
    func bonded(_ expected: Case) throws {
        var bench = try bench(expected.name) {
            $0.ioCapability = expected.io
            $0.minimumKeySize = 7
        }
        bench.answer = expected.answer
        bench.connectToWhoever()
        bench.secure(expected.level)
        bench.disconnect()
        bench.connectToWhoever()
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00" + expected.refusal))
        bench.secure(expected.level)
        #expect(!bench.hasPaired && bench.failure == nil)
        #expect(bench.security == expected.protection)
        #expect(bench.ask("12 0F00 0100") == octets("13"))
    }

    @Test("pairing anew on an encrypted link gives it another key")
    func refresh() throws {
        var bench = try bench("encrypted")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        let first = bench.manager.bond?.centralKey
        bench.pair(.encrypted)
        #expect(bench.failure == nil && bench.manager.bond?.centralKey != first)
        #expect(bench.bench.received.contains { $0.packet == octets("04 30 03 00 4000") })
        #expect(bench.ask("12 0F00 0100") == octets("13"))
    }

    @Test("a leaflet's data pairs", arguments: ["out-of-band", "legacy-out-of-band"])
    func outOfBand(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        var policy = PairingPolicy()
        policy.outOfBand = try scenario.straps.first?.security?.outOfBand?.read(LibcryptoToolbox())
        var bench = SecureBench(scenario, policy)
        bench.connectToWhoever()
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00 05"))
        bench.secure(.authenticated)
        #expect(bench.failure == nil)
        #expect(bench.security.level == (name == "out-of-band" ? .authenticatedSecureConnections : .authenticated))
        #expect(bench.ask("12 0F00 0100") == octets("13"))
        // Other data does not.
        policy.outOfBand = OutOfBand()
        policy.outOfBand?.temporaryKey = SecretKey([UInt8](repeating: 1, count: 16))
        if let key = SecretKey([UInt8](repeating: 2, count: 16)) {
            policy.outOfBand?.peer = .init(confirm: key, random: key)
        }
        var wrong = SecureBench(scenario, policy)
        wrong.connectToWhoever()
        wrong.secure(.authenticated)
        #expect(wrong.failure != nil && wrong.security.level == .none)
    }

    /// The confirm value was computed by Python's cryptography: f4(PKx, PKx, random, 0) (Core Vol 3, Part H, 2.3.5.6.4).
    @Test("leaflets say what the documents say that they do")
    func leaflets() throws {
        func read(_ name: String) throws -> OutOfBand? {
            try Scenario.named(name)?.straps.first?.security?.outOfBand?.read(LibcryptoToolbox())
        }
        let confirm = "f6cd0dfb4dfdeac6042336c0e88eb877"
        let peer = try #require(try read("out-of-band")?.peer)
        #expect(peer.confirm.mostSignificantFirst.hexadecimal == confirm)
        #expect(peer.random.octets == [UInt8](repeating: 0x20, count: 16))
        #expect(try read("legacy-out-of-band")?.temporaryKey?.octets == [UInt8](repeating: 0x22, count: 16))
        let page = try String(contentsOfFile: Fixtures.packageRoot + "/Docs/Simulation.md", encoding: .utf8)
        #expect(page.contains("confirm=\(confirm)") && page.contains("random=" + String(repeating: "20", count: 16)))
        #expect(page.contains("temporary-key=" + String(repeating: "22", count: 16)))
        for scenario in Scenario.protected + Scenario.bonded {
            #expect(page.contains("`\(scenario.name)`"), "\(scenario.name)")
        }
    }

    @Test("the wrong passkey does not pair; neither does a wearer who says no")
    func wrongPasskey() throws {
        var bench = try bench("passkey") { $0.ioCapability = .keyboardOnly }
        bench.answer = Passkey(654_321).map { .passkey($0) }
        bench.connectToWhoever()
        bench.secure(.authenticated)
        #expect(bench.security.level == .none)
        #expect(
            bench.failure == .peerRefused(.confirmValueFailed)
                || bench.failure == .refused(.confirmValueFailed, .confirmMismatch))
        var other = try self.bench("refuses-number") { $0.ioCapability = .displayYesNo }
        other.connectToWhoever()
        other.secure(.authenticated)
        #expect(other.failure == .peerRefused(.numericComparisonFailed))
    }

    @Test("a wearer who sees nothing enters what the plan says, which is not what the host shows")
    func blindWearer() throws {
        var bench = try bench("passkey-entry") { $0.ioCapability = .displayOnly }
        bench.isScreenHidden = true
        bench.connectToWhoever()
        bench.secure(.authenticated)
        #expect(bench.failure != nil && bench.security.level == .none)
    }

    // MARK: What is demanded

    @Test("a closed strap lets nothing be read but what every device has")
    func closed() throws {
        var bench = try bench("closed")
        bench.connectToWhoever()
        #expect(bench.ask("0A 1100") == octets("01 0A 1100 0F"))
        let model = bench.ask("08 0100 FFFF 242A")
        #expect(model?.first == 0x01 && model?.last == 0x0F)
        #expect(bench.ask("08 0100 FFFF 002A")?.first == 0x09)
        // What there is can be found all the same.
        #expect(bench.ask("06 0100 FFFF 0028 0D18") == octets("07 0C00 1300"))
        #expect(bench.ask("04 0F00 0F00") == octets("05 01 0F00 0229"))
        bench.secure(.encrypted)
        #expect(bench.ask("0A 1100") == octets("0B 01"))
    }

    @Test("a battery may be all that is closed")
    func closedBattery() throws {
        var bench = try bench("closed-battery")
        bench.connectToWhoever()
        #expect(bench.ask("12 0F00 0100") == octets("13"))
        bench.ask("12 0F00 0000")
        bench.bench.run(for: .seconds(1))
        #expect(bench.ask("0A 2500") == octets("01 0A 2500 0F"))
        #expect(bench.ask("12 2600 0100") == octets("01 12 2600 0F"))
        bench.secure(.encrypted)
        #expect(bench.ask("0A 2500") == octets("0B 5B"))
        #expect(bench.ask("12 2600 0100") == octets("13"))
    }

    @Test("less than is demanded is refused on an encrypted link, too")
    func tooLittle() throws {
        var bench = try bench("passkey")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.security.level == .encrypted)
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00 05"))
    }

    @Test("a short key is known by its size")
    func shortKey() throws {
        var scenario = try #require(Scenario.named("short-key"))
        scenario.straps[0].security?.measurement?.keySize = 16
        var policy = PairingPolicy()
        policy.minimumKeySize = 7
        var bench = SecureBench(scenario, policy)
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.security.keySize == 7)
        #expect(bench.manager.bond?.centralKey?.key.octets.dropFirst(7) == [UInt8](repeating: 0, count: 9)[...])
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00 0C"))
    }

    @Test("without a toolbox it does not pair")
    func noToolbox() throws {
        var bench = Bench(try #require(Scenario.named("encrypted")))
        bench.world = SimulatedWorld(try #require(Scenario.named("encrypted")))
        bench.start()
        bench.connect()
        bench.send("02 4000 0B00 0700 0600 01 03 00 01 10 00 00")
        #expect(bench.wait(for: "02 4020") == octets("02 4020 0600 0200 0600 05 05"))
    }
}

@Suite("Straps that remember, forget or hide")
struct StrapMemoryTests {
    private func bench(_ name: String, _ adjust: (inout Scenario) -> Void = { _ in }) throws -> SecureBench {
        var scenario = try #require(Scenario.named(name))
        adjust(&scenario)
        var policy = PairingPolicy()
        policy.ioCapability = .noInputNoOutput
        return SecureBench(scenario, policy)
    }

    @Test("one that asks for protection does so when it is connected")
    func securityRequest() throws {
        var bench = try bench("security-request")
        bench.connectToWhoever()
        // Security Request: bonding, Secure Connections
        let request = bench.bench.wait(for: "02 4020")
        #expect(request == octets("02 4020 0600 0200 0600 0B 09"))
        bench.pass(.zero)
        bench.settle()
        #expect(bench.hasPaired && bench.security.level == .encrypted)
        bench.disconnect()
        bench.connectToWhoever()
        bench.pass(.milliseconds(100))
        bench.settle()
        #expect(!bench.hasPaired && bench.security.level == .encrypted)
    }

    @Test("a forgetful one misses its key", arguments: ["forgetful", "new-battery"])
    func forgetful(_ name: String) throws {
        var bench = try bench(name)
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.security.isBonded)
        if name == "new-battery" {
            _ = bench.bench.wait(for: "04 05", within: .seconds(60))
            bench.bench.run(for: .seconds(4))
        }
        bench.disconnect()
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.failure == .keyMissing && !bench.hasPaired)
        #expect(bench.security.level == .none)
        // Until it is paired anew.
        bench.pair(.encrypted)
        #expect(bench.security.level == .encrypted)
    }

    @Test("another key than the host's is not understood: the link ends with 0x3D")
    func otherKey() throws {
        var bench = try bench("impostor")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        bench.disconnect()
        bench.connectToWhoever()
        bench.secure(.encrypted, within: .seconds(5))
        #expect(bench.bench.received.last?.packet == octets("04 05 04 00 4000 3D"))
        #expect(!bench.bench.received.dropFirst(200).contains { $0.packet == octets("04 08 04 00 4000 01") })
    }

    @Test("a key that is never given ends the link after 40 s: 0x22")
    func noKey() throws {
        var bench = try bench("mute-encryption")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        bench.disconnect()
        bench.connectToWhoever()
        let begin = bench.bench.now
        bench.secure(.encrypted, within: .seconds(42))
        let end = try #require(bench.bench.received.last { $0.packet[1] == 0x05 })
        #expect(end.packet == octets("04 05 04 00 4000 22"))
        #expect((40...41).contains((end.moment - begin).wholeNanoseconds / 1_000_000_000))
    }

    @Test("what was subscribed to is kept with the bond, and told once the link is encrypted")
    func subscriptions() throws {
        var bench = try bench("subscribed")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.ask("12 0F00 0100") == octets("13"))
        bench.disconnect()
        bench.connectToWhoever()
        #expect(bench.bench.wait(for: "02 4020", within: .seconds(5)) == nil)
        bench.secure(.encrypted)
        let notification = bench.bench.wait(for: "02 4020") ?? []
        #expect(notification.dropFirst(9).prefix(3) == [0x1B, 0x0E, 0x00])
        // Others do not keep it.
        var other = try self.bench("encrypted")
        other.connectToWhoever()
        other.secure(.encrypted)
        #expect(other.ask("12 0F00 0100") == octets("13"))
        other.disconnect()
        other.connectToWhoever()
        other.secure(.encrypted)
        #expect(other.bench.wait(for: "02 4020", within: .seconds(5)) == nil)
    }

    @Test("one that accepts only bonded centrals does not hear others")
    func bondedOnly() throws {
        var bench = try bench("bonded-only")
        bench.connectToWhoever()
        bench.secure(.encrypted)
        bench.disconnect()
        bench.connectToWhoever()
        bench.secure(.encrypted)
        #expect(bench.security.level == .encrypted)
        bench.disconnect()
        // Under another address the central is another one.
        bench.bench.send("01 0520 06 0102030405C0")
        bench.bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 01 2800 2800 0000 F401 0000 0000")
        #expect(bench.bench.wait(for: "04 3E 1F 0A 00") != nil)
        #expect(bench.bench.wait(for: "04 05") == octets("04 05 04 00 4000 3E"))
    }

    @Test("one that has its central advertises to that alone, under a private address where it has the key for it")
    func directed() throws {
        for key in [nil, SecretKey(octets(PrivacyTests.key))] {
            var bench = try bench("directed")
            bench.identity = key.map { OwnIdentity(resolvingKey: $0, address: bench.own) }
            if key != nil {
                bench.own = DeviceAddress(.random, Address(rawValue: 0x70_81_94_0D_FB_AA))
                bench.bench.send("01 0520 06" + PrivacyTests.example)
                bench.ownKind = "01"
            }
            bench.connectToWhoever()
            #expect(bench.bench.received.allSatisfy { !$0.packet.starts(with: octets("04 3E 0C 02 01 01")) })
            bench.secure(.encrypted)
            bench.disconnect()
            bench.bench.send("01 0B20 07 00 1000 1000 00 02")
            bench.bench.send("01 0C20 02 01 00")
            let reports = bench.bench.run(for: .seconds(1))
            #expect(reports.count > 5)
            for report in reports {
                guard let key else {
                    // Our identity, and no data
                    #expect(report.dropLast() == octets("04 3E 0C 02 01 01 01 0153005E00C0 00")[...])
                    continue
                }
                #expect(report.starts(with: octets("04 3E 12 0B 01 01 01 0153005E00C0 01")))
                let target = report.dropFirst(14).prefix(6)
                let address = Address(rawValue: target.reversed().reduce(0) { $0 << 8 | UInt64($1) })
                #expect(try LibcryptoToolbox().resolves(address, with: key))
            }
        }
    }

    @Test(
        "one that hides is recognised by the key that it hands out, and by nothing else",
        arguments: [
            ("rotating", DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_53_01))),
            ("rotating-public", DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_01))),
        ])
    func rotating(_ name: String, _ identity: DeviceAddress) throws {
        var bench = try bench(name)
        bench.connectToWhoever()
        bench.secure(.encrypted)
        let bond = try #require(bench.manager.bond)
        let key = try #require(bond.identityResolvingKey)
        #expect(bond.identity == identity)
        bench.disconnect()
        bench.bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.bench.send("01 0C20 02 01 00")
        var addresses: Set<Address> = []
        for report in bench.bench.run(for: .seconds(200)) where report[3] == 0x02 {
            #expect(report[6] == 0x01)
            addresses.insert(Address(rawValue: report[7..<13].reversed().reduce(0) { $0 << 8 | UInt64($1) }))
        }
        #expect((6...8).contains(addresses.count))
        for address in addresses { #expect(try LibcryptoToolbox().resolves(address, with: key)) }
    }

    @Test("it is paired with under the addresses on air, whoever makes them")
    func addressesOnAir() throws {
        var bench = try bench("encrypted")
        bench.own = DeviceAddress(.random, Address(rawValue: 0xC5_04_03_02_01_00))
        bench.bench.send("01 0520 06 0001020304C5")
        let isConnected = bench.connect("01 0D20 19 6000 3000 00 01 0153005E00C0 01 2800 2800 0000 F401 0000 0000")
        #expect(isConnected)
        bench.secure(.encrypted)
        #expect(bench.security.level == .encrypted)
        // A private one of the controller's making
        var hidden = try self.bench("rotating")
        let hiding = try #require(Scenario.named("rotating")?.straps.first?.security?.hiding)
        hidden.bench.send(
            PrivacyTests.add(peerKey: hiding.key.octets.hexadecimal, localKey: PrivacyTests.key))
        hidden.bench.send(PrivacyTests.enable)
        let isHiddenConnected = hidden.connect(
            "01 0D20 19 6000 3000 00 01 0153005E00C0 02 2800 2800 0000 F401 0000 0000")
        #expect(isHiddenConnected)
        #expect(hidden.manager.configuration.peerAddress.randomness == .resolvable)
        #expect(hidden.manager.configuration.ownAddress.randomness == .resolvable)
        hidden.secure(.encrypted)
        #expect(hidden.failure == nil && hidden.security.level == .encrypted)
    }
}
