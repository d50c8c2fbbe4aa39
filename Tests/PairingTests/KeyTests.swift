import HCI
import Testing
import Wire

@testable import SMP

/// What is kept of the keys that the peer hands out, and under which name.
@Suite struct KeyTests {
    private static let privateAddress = DeviceAddress(.random, Address(rawValue: 0x4A0B_0C0D_0E0F))
    private static let staticAddress = DeviceAddress(.random, Address(rawValue: 0xCA0B_0C0D_0E0F))
    private static let identity = DeviceAddress(.public, Address(rawValue: 0x0102_0304_0506))

    /// A pairing with a peripheral at that address that hands out the given keys.
    private func pair(
        at address: DeviceAddress = Bench.peripheralAddress, knownAs bond: Bond? = nil, _ keys: KeyDistribution,
        _ pdus: [PairingPDU]
    ) -> Bench {
        var bench = Bench(bonds: bond.map { [.central: $0] } ?? [:])
        bench.configure(.central) { $0.peerAddress = address }
        bench.configure(.peripheral) { $0.ownAddress = address }
        // Not proven in Secure Connections, so that they can be changed on the way.
        bench.alter { from, pdu in
            if from == .peripheral { pdu.changeFeatures { $0.responderKeys = keys } }
        }
        bench.run(.central, .pair(.encrypted))
        #expect(bench[.central].bonds == [] || keys.isDisjoint(with: [.identity, .signing]))
        for pdu in pdus {
            #expect(bench[.central].secured == [])
            bench.send(to: .central, pdu)
        }
        return bench
    }

    private func identity(
        _ key: UInt8 = 0xEE, _ address: DeviceAddress = identity
    ) -> [PairingPDU] {
        [
            .identityInformation(PairingValue([UInt8](repeating: key, count: 16))),
            .identityAddressInformation(IdentityAddress(address)),
        ]
    }

    @Test func everyKindOfKeyIsAwaitedAndKept() throws {
        let signing = PairingPDU.signingInformation(PairingValue([UInt8](repeating: 0x5C, count: 16)))
        let bench = pair(at: Self.privateAddress, [.identity, .signing, .link], identity() + [signing])
        let bond = try #require(bench[.central].bonds.first)
        #expect(bond.identity == Self.identity)
        #expect(try bond.identityResolvingKey == secret(0xEE))
        #expect(try bond.signingKey == secret(0x5C))
        #expect(bond.centralKey?.size == 16)
        #expect(bond.peripheralKey == nil)
        #expect(bond.ownAddress == Bench.centralAddress)
        #expect(bond.ownIdentity == nil)
        // First what is to be kept, then the news.
        let words = bench[.central].effects.suffix(2).map(\.word)
        #expect(words == ["bonded", "secured"])
        #expect(bench.managers[.central]?.bond == bond)
    }

    /// The encryption key bit means nothing in Secure Connections.
    @Test func noEncryptionKeyInSecureConnections() {
        let bench = pair([.encryption], [])
        #expect(bench[.central].bonds.count == 1)
        #expect(bench[.central].secured.count == 1)
    }

    /// A resolving key of zeros is none (Core Vol 3, Part H, 2.4.2.1).
    @Test func aResolvingKeyOfZeros() throws {
        let bench = pair(at: Self.privateAddress, [.identity], identity(0))
        let bond = try #require(bench[.central].bonds.first)
        #expect(bond.identity == Self.identity)
        #expect(bond.identityResolvingKey == nil)
    }

    /// Whoever shows an address that lasts is known by it, whatever else it claims to be: it could claim to be another peer.
    @Test(arguments: [staticAddress, Bench.peripheralAddress]) func anAddressThatLasts(_ address: DeviceAddress) throws
    {
        let bench = pair(at: address, [.identity], identity())
        let bond = try #require(bench[.central].bonds.first)
        #expect(bond.identity == address)
        #expect(try bond.identityResolvingKey == secret(0xEE))
    }

    /// A controller that has resolved the address says so in its kind.
    @Test func anAddressThatTheControllerResolved() throws {
        let bench = pair(at: DeviceAddress(.randomIdentity, Self.staticAddress.address), [.identity], identity())
        #expect(bench[.central].bonds.first?.identity == Self.staticAddress)
    }

    @Test func anAddressAndNothingElse() {
        #expect(pair(at: Self.privateAddress, [], [])[.central].bonds.first?.identity == Self.privateAddress)
        #expect(pair(at: Self.staticAddress, [], [])[.central].bonds.first?.identity == Self.staticAddress)
    }

    /// A peer that is recognised by its resolving key, and hands out none again, is recognised by it on.
    @Test func aKnownPeerUnderAPrivateAddress() throws {
        var known = Bond(identity: Self.identity, level: .encrypted, ownAddress: Bench.centralAddress)
        known.identityResolvingKey = try secret(0x11)
        known.name = "Strap"
        let bond = try #require(pair(at: Self.privateAddress, knownAs: known, [], [])[.central].bonds.first)
        #expect(bond.identity == Self.identity)
        #expect(try bond.identityResolvingKey == secret(0x11))
        #expect(bond.name == "Strap")
        let new = pair(at: Self.privateAddress, knownAs: known, [.identity], identity(0x22, Self.staticAddress))
        #expect(new[.central].bonds.first?.identity == Self.staticAddress)
        #expect(try new[.central].bonds.first?.identityResolvingKey == secret(0x22))
    }

    /// Legacy pairing whose responder hands out no key leaves nothing to keep.
    @Test func aLegacyPeripheralWithoutAKey() throws {
        let terms = try terms(legacy: true, responderKeys: [])
        var effects: [SecurityManager.Effect] = []
        let exchange = try KeyExchange(context(terms), gives: nil, into: &effects)
        #expect(exchange.isComplete)
        #expect(effects == [])
        let configuration = SecurityManager.Configuration(
            role: .central, ownAddress: Bench.centralAddress, peerAddress: Self.staticAddress)
        #expect(exchange.bond(terms, longTermKey: nil, configuration, known: nil) == nil)
    }

    /// Octets beyond the agreed size do not count, whatever the peer sends.
    @Test func aLegacyKeyIsCut() throws {
        let terms = try terms(legacy: true, responderKeys: [.encryption], size: 9)
        var effects: [SecurityManager.Effect] = []
        var exchange = try KeyExchange(context(terms), gives: nil, into: &effects)
        let key = PairingPDU.encryptionInformation(PairingValue(Array(0xA0...0xAF)))
        try exchange.receive(key, context(terms), into: &effects)
        #expect(!exchange.isComplete)
        let name = CentralIdentification {
            $0.encryptedDiversifier = 0x1234
            $0.random = 0x0102_0304_0506_0708
        }
        try exchange.receive(.centralIdentification(name), context(terms), into: &effects)
        #expect(exchange.isComplete)
        let configuration = SecurityManager.Configuration(
            role: .central, ownAddress: Bench.centralAddress, peerAddress: Self.staticAddress)
        let bond = try #require(exchange.bond(terms, longTermKey: nil, configuration, known: nil))
        let expected = Array(0xA0...0xA8) + [UInt8](repeating: 0, count: 7)
        #expect(bond.centralKey?.key.octets == expected)
        #expect(bond.centralKey?.size == 9)
        #expect(bond.centralKey?.encryptedDiversifier == 0x1234)
        #expect(bond.centralKey?.random == 0x0102_0304_0506_0708)
        #expect(!bond.isSecureConnections)
    }

    /// The responder first, each in the specification's order (Core Vol 3, Part H, 3.6.1).
    @Test func theOrderOfAll() throws {
        var bench = Bench(central: PairingPolicy(.noInputNoOutput) { $0.generation = .legacyOnly })
        for side in Bench.Side.allCases {
            try bench.configure(side) {
                $0.ownIdentity = OwnIdentity(resolvingKey: try secret(side == .central ? 1 : 2), address: $0.ownAddress)
            }
        }
        var order: [String] = []
        bench.intercept = { from, pdu, _ in
            order.append("\(from == .central ? "C" : "P") \(pdu.code.name ?? "")")
            return [.init(to: from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(.encrypted))
        #expect(
            order == [
                "C Pairing Request", "P Pairing Response", "C Pairing Confirm", "P Pairing Confirm",
                "C Pairing Random", "P Pairing Random", "P Encryption Information", "P Central Identification",
                "P Identity Information", "P Identity Address Information", "C Identity Information",
                "C Identity Address Information",
            ])
        #expect(bench[.central].bonds.first?.ownIdentity == Bench.centralAddress)
    }

    private func terms(legacy: Bool, responderKeys: KeyDistribution, size: UInt8 = 16) throws -> PairingTerms {
        var configuration = SecurityManager.Configuration(
            role: .central, ownAddress: Bench.centralAddress, peerAddress: Self.staticAddress)
        configuration.policy.minimumKeySize = 7
        let features = PairingFeatures {
            $0.ioCapability = .noInputNoOutput
            $0.authentication = legacy ? .bonding : [.bonding, .secureConnections]
            $0.maximumKeySize = size
            $0.responderKeys = responderKeys
        }
        return try PairingTerms(
            configuration, request: features, response: features, for: PairingGoal(.encrypted, replacing: nil))
    }

    private func context(_ terms: PairingTerms) -> PairingContext {
        PairingContext(terms: terms, policy: PairingPolicy(), toolbox: RepeatingToolbox(from: 1))
    }
}
