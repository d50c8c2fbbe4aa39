import HCI
import Testing
import Wire

@testable import SMP

/// A peer that pretends to be one that is known, or wants something before it has proven anything.
@Suite struct PretenderTests {
    private let centrals: Bond
    private let peripherals: Bond

    /// A bond that two honest sides have made.
    init() throws { (centrals, peripherals) = try Self.makeBonds() }

    private static func makeBonds(legacy: Bool = false, authenticated: Bool = false) throws -> (Bond, Bond) {
        let policies = (PairingPolicy(.keyboardOnly), PairingPolicy(.displayOnly))
        var bench = Bench(central: policies.0, peripheral: policies.1)
        if legacy { bench.configure(.central) { $0.policy.generation = .legacyOnly } }
        bench.run(.central, .secure(authenticated ? .authenticated : .encrypted))
        return (try #require(bench[.central].bonds.first), try #require(bench[.peripheral].bonds.first))
    }

    // MARK: A peripheral without the key

    /// The bond stays as it is, and nothing weaker takes its place by itself.
    @Test func aPeripheralThatHasNoKey() {
        var bench = Bench(bonds: [.central: centrals])
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].failures == [.keyMissing])
        #expect(bench[.central].transmitted == [])
        #expect(bench[.central].bonds == [])
        #expect(bench.managers[.central]?.bond == centrals)
        #expect(bench.managers[.central]?.security == LinkProtection())
        #expect(bench.managers[.central]?.isBusy == false)
    }

    /// Nor when it asks for it.
    @Test func aPeripheralThatHasNoKeyAndAsksToBePaired() {
        var bench = Bench(bonds: [.central: centrals])
        bench.run(.central, .secure(.encrypted))
        for authentication in [AuthenticationRequirements.bonding, [.bonding, .manInTheMiddle, .secureConnections]] {
            bench.send(to: .central, .securityRequest(SecurityRequest { $0.authentication = authentication }))
            #expect(bench[.central].effects.last == .note(.passedOver(.securityRequest)))
        }
        #expect(bench[.central].keys.count == 1)
        #expect(bench[.central].transmitted == [])
        #expect(bench[.central].failures == [.keyMissing])
    }

    /// The user agrees: the new keys take the bond's place once they are there.
    @Test func theUserPairsAnew() throws {
        var bench = Bench(bonds: [.central: centrals], seed: 2)
        bench.run(.central, .secure(.encrypted))
        bench.run(.central, .pair(.encrypted))
        let new = try #require(bench[.central].bonds.first)
        #expect(new.centralKey != centrals.centralKey)
        #expect(bench.managers[.central]?.bond == new)
        #expect(
            bench[.central].secured.last
                == LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: true))
    }

    /// An impostor that cannot show a passkey does not get into the place of a peer that could, even with the user's word.
    @Test func theUserPairsAnewWithLess() throws {
        let strong = try Self.makeBonds(authenticated: true).0
        var bench = Bench(central: PairingPolicy(.keyboardDisplay), bonds: [.central: strong])
        bench.run(.central, .pair(.encrypted))
        #expect(try bench.features(.central).authentication.contains(.manInTheMiddle))
        #expect(bench[.central].failures == [.refused(.authenticationRequirements, .weakerThanNeeded)])
        #expect(bench[.central].reasons == [.authenticationRequirements])
        #expect(bench.managers[.central]?.bond == strong)
        // With nobody at the keys there is no need to begin.
        bench = Bench(bonds: [.central: strong])
        bench.run(.central, .pair(.encrypted))
        #expect(bench[.central].effects == [.failed(.levelOutOfReach(.authenticatedSecureConnections))])
        // With the passkey it is the same strap.
        bench = Bench(
            central: PairingPolicy(.keyboardDisplay), peripheral: PairingPolicy(.displayOnly),
            bonds: [.central: strong], seed: 5)
        bench.run(.central, .pair(.encrypted))
        #expect(bench[.central].bonds.map(\.level) == [.authenticatedSecureConnections])
    }

    /// A pairing that fails leaves the bond as it was.
    @Test(arguments: [PairingCode.pairingResponse, .pairingPublicKey, .pairingRandom, .pairingDHKeyCheck])
    func pairingAnewThatFails(_ code: PairingCode) {
        var bench = Bench(bonds: [.central: centrals])
        bench.alter { from, pdu in
            if from == .peripheral, pdu.code == code { pdu = .pairingFailed(PairingFailed(.unspecifiedReason)) }
        }
        bench.run(.central, .pair(.encrypted))
        #expect(bench[.central].failures == [.peerRefused(.unspecifiedReason)])
        #expect(bench[.central].bonds == [])
        #expect(bench.managers[.central]?.bond == centrals)
    }

    /// So does one that ends before all keys are there.
    @Test func pairingAnewWithoutTheAnnouncedKeys() throws {
        var bench = Bench(bonds: [.central: centrals])
        try bench.configure(.peripheral) {
            $0.ownIdentity = OwnIdentity(resolvingKey: try secret(1), address: $0.ownAddress)
        }
        bench.intercept = { from, pdu, _ in
            pdu.code == .identityAddressInformation ? [] : [.init(to: from.other, pdu: pdu)]
        }
        bench.run(.central, .pair(.encrypted))
        #expect(bench[.central].secured == [])
        #expect(bench.managers[.central]?.bond == centrals)
        bench.wait(.seconds(30))
        #expect(bench[.central].failures == [.timedOut])
        #expect(bench[.central].effects.last == .disconnect(.authenticationFailure))
        #expect(bench[.central].bonds == [])
        #expect(bench.managers[.central]?.bond == centrals)
    }

    // MARK: A central without the key

    /// Neither the key of another bond, nor one before anything is proven, nor one of zeros.
    @Test(arguments: [(0, 0), (1, 0), (0, 1), (0x1122_3344_5566_7788, 0x99AA)] as [(UInt64, UInt16)])
    func aCentralThatNamesNoKey(_ random: UInt64, _ diversifier: UInt16) throws {
        let legacy = try Self.makeBonds(legacy: true).1
        for bond in [legacy, peripherals, nil] {
            var bench = Bench()
            if let bond { bench = Bench(bonds: [.peripheral: bond]) }
            bench.run(.peripheral, .keyRequested(random: random, encryptedDiversifier: diversifier))
            let isItsOwn = bond == peripherals && random == 0 && diversifier == 0
            let expected: SecretKey? = isItsOwn ? peripherals.centralKey?.key : nil
            #expect(bench[.peripheral].effects == [.provide(expected)])
        }
    }

    @Test func aLegacyCentralIsGivenTheKeyThatItNames() throws {
        let (centrals, peripherals) = try Self.makeBonds(legacy: true)
        let key = try #require(peripherals.peripheralKey)
        #expect(centrals.centralKey == key)
        #expect(key.encryptedDiversifier != 0)
        var bench = Bench(bonds: [.central: centrals, .peripheral: peripherals])
        bench.run(.central, .secure(.encrypted))
        let expected = LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: false)
        for side in Bench.Side.allCases {
            #expect(bench[side].secured == [expected])
            #expect(bench[side].transmitted == [])
        }
    }

    /// Encrypting in the midst of a pairing, with whatever is in the place of the key (the zeros of CVE-2019-19194).
    @Test(arguments: 0..<11) func encryptionBeforeThePairingIsProven(_ step: Int) {
        for policy in [PairingPolicy(.displayOnly) { $0.generation = .legacyOnly }, PairingPolicy(.displayOnly)] {
            var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: policy)
            bench.intercept = { from, pdu, number in
                from == .central && number == step ? [] : [.init(to: from.other, pdu: pdu)]
            }
            bench.run(.central, .secure(.authenticated))
            let isOver = !bench[.peripheral].effects.allSatisfy { if case .provide = $0 { false } else { true } }
            guard !isOver else { continue }
            bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
            #expect(bench[.peripheral].effects.last == .provide(nil))
            bench.run(.peripheral, .encryptionChanged(.success, isOn: true))
            #expect(bench.managers[.peripheral]?.security == LinkProtection())
        }
    }

    /// The new key goes out under its own name, once, and under no other: not when an older key is asked for.
    @Test(arguments: [(1, 0), (0, 1), (7, 9)] as [(UInt64, UInt16)])
    func theNewKeyUnderAnotherName(_ random: UInt64, _ diversifier: UInt16) {
        var bench = Bench()
        bench.hasControllers = false
        bench.run(.central, .secure(.encrypted))
        bench.run(.peripheral, .keyRequested(random: random, encryptedDiversifier: diversifier))
        #expect(bench[.peripheral].effects.last == .provide(nil))
        bench.run(.peripheral, .encryptionChanged(.success, isOn: true))
        #expect(bench[.peripheral].secured == [])
        bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
        #expect(bench[.peripheral].effects.last == .provide(bench[.central].keys.last?.key))
        bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
        #expect(bench[.peripheral].effects.last == .provide(nil))
    }

    /// A pairing that would protect less well than the bond does not take its place: a central that has lost its key is told so.
    @Test func aCentralThatPairsForLess() throws {
        let strong = try Self.makeBonds(authenticated: true).1
        for change in [{ _ in }, { $0.generation = .legacyOnly }] as [(inout PairingPolicy) -> Void] {
            let policies = (PairingPolicy(.noInputNoOutput, change), PairingPolicy(.displayOnly))
            var bench = Bench(central: policies.0, peripheral: policies.1, bonds: [.peripheral: strong])
            bench.run(.central, .secure(.encrypted))
            #expect(bench[.peripheral].failures == [.refused(.authenticationRequirements, .weakerThanNeeded)])
            #expect(bench[.central].failures == [.peerRefused(.authenticationRequirements)])
            #expect(bench.managers[.peripheral]?.bond == strong)
        }
    }

    /// Nor does legacy pairing take the place of Secure Connections at the same level, nor a shorter key that of a longer.
    @Test func aCentralThatPairsByLesserMeans() {
        for change in [
            { $0.generation = .legacyOnly },
            {
                $0.maximumKeySize = 10
                $0.minimumKeySize = 7
            },
        ] as [(inout PairingPolicy) -> Void] {
            let policy = PairingPolicy(.noInputNoOutput) { $0.minimumKeySize = 7 }
            var bench = Bench(
                central: PairingPolicy(.noInputNoOutput, change), peripheral: policy, bonds: [.peripheral: peripherals])
            bench.run(.central, .secure(.encrypted))
            #expect(bench[.peripheral].failures == [.refused(.authenticationRequirements, .weakerThanNeeded)])
            #expect(bench.managers[.peripheral]?.bond == peripherals)
        }
    }

    /// One that pairs for as much, having lost its key, is welcome: nothing is worse than it was.
    @Test func aCentralThatHasLostItsKey() {
        var bench = Bench(bonds: [.peripheral: peripherals])
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.peripheral].failures == [])
        #expect(bench[.peripheral].bonds.first?.centralKey == bench[.central].bonds.first?.centralKey)
        #expect(bench[.peripheral].bonds.count == 1)
    }

    // MARK: Keys out of place

    /// A key that comes while anybody could have sent it.
    @Test(arguments: [true, false]) func keysBeforeEncryption(_ isLegacy: Bool) {
        let keys: [PairingPDU] = [
            .encryptionInformation(PairingValue([UInt8](repeating: 1, count: 16))),
            .centralIdentification(CentralIdentification()),
            .identityInformation(PairingValue([UInt8](repeating: 1, count: 16))),
            .identityAddressInformation(IdentityAddress()),
            .signingInformation(PairingValue([UInt8](repeating: 1, count: 16))),
        ]
        for key in keys {
            for step in [PairingCode.pairingResponse, .pairingConfirm, .pairingRandom, .pairingDHKeyCheck] {
                var bench = Bench()
                if isLegacy { bench.configure(.central) { $0.policy.generation = .legacyOnly } }
                bench.intercept = { from, pdu, _ in
                    let isMoment = from == .peripheral && pdu.code == step
                    return [.init(to: from.other, pdu: pdu)] + (isMoment ? [.init(to: .central, pdu: key)] : [])
                }
                bench.run(.central, .secure(.encrypted))
                guard bench[.peripheral].transmitted.contains(where: { $0.code == step }) else { continue }
                #expect(bench[.central].failures == [.refused(.unspecifiedReason, .outOfPlace(key.code))])
                #expect(bench[.central].bonds == [])
                #expect(bench[.central].secured == [])
            }
        }
    }

    /// A key that was not announced, or comes twice.
    @Test func keysThatNobodyExpects() throws {
        var bench = Bench()
        try bench.configure(.peripheral) {
            $0.ownIdentity = OwnIdentity(resolvingKey: try secret(1), address: $0.ownAddress)
        }
        bench.intercept = { from, pdu, _ in
            let delivery = Bench.Delivery(to: from.other, pdu: pdu)
            return pdu.code == .identityInformation ? [delivery, delivery] : [delivery]
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].effects.contains(.note(.passedOver(.identityInformation))))
        #expect(bench[.central].bonds.count == 1)
    }

    @Test(
        arguments: [
            (2, 0xC0FF_EE00_0001), (0xFF, 0xC0FF_EE00_0001), (1, 0x40FF_EE00_0001), (1, 0x00FF_EE00_0001),
            (1, 0x80FF_EE00_0001), (1, 0xC000_0000_0000), (1, 0xFFFF_FFFF_FFFF), (0, 0),
        ] as [(UInt8, UInt64)])
    func identityThatIsNone(_ kind: UInt8, _ address: UInt64) throws {
        var bench = Bench()
        try bench.configure(.peripheral) {
            $0.ownIdentity = OwnIdentity(resolvingKey: try secret(1), address: $0.ownAddress)
        }
        bench.alter { _, pdu in
            guard case .identityAddressInformation(var identity) = pdu else { return }
            identity.kind = kind
            identity.address = Address(rawValue: address)
            pdu = .identityAddressInformation(identity)
        }
        bench.run(.central, .secure(.encrypted))
        let breach = SecurityBreach.malformed(.identityAddressInformation)
        #expect(bench[.central].failures == [.refused(.invalidParameters, breach)])
        #expect(bench[.central].reasons == [.invalidParameters])
        #expect(bench[.central].bonds == [])
    }
}
