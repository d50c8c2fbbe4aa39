import HCI
import Testing
import Wire

@testable import SMP

/// Encryption, what the peer asks for, and what changes in the midst of it.
@Suite struct LinkTests {
    private func bonds(
        authenticated: Bool = false, change: (inout PairingPolicy) -> Void = { _ in }
    ) throws -> [Bench.Side: Bond] {
        var bench = Bench(
            central: PairingPolicy(.keyboardOnly, change),
            peripheral: PairingPolicy(.displayOnly) {
                $0.minimumKeySize = 7
            })
        bench.run(.central, .secure(authenticated ? .authenticated : .encrypted))
        return [
            .central: try #require(bench[.central].bonds.first),
            .peripheral: try #require(bench[.peripheral].bonds.first),
        ]
    }

    // MARK: With a bond

    @Test(arguments: [true, false]) func aBondedPeerIsEncryptedWithoutPairing(_ isLegacy: Bool) throws {
        let bonds = try bonds { if isLegacy { $0.generation = .legacyOnly } }
        var bench = Bench(bonds: bonds)
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].transmitted == [])
        #expect(bench[.central].keys == [bonds[.central]?.centralKey].compactMap { $0 })
        for side in Bench.Side.allCases {
            #expect(
                bench[side].secured == [
                    LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: !isLegacy)
                ])
            #expect(bench[side].bonds == [])
        }
    }

    /// A bond that does not protect well enough is no help: the two pair for more.
    @Test func aBondThatIsTooWeak() throws {
        var bench = Bench(
            central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly), bonds: try bonds(), seed: 7)
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.central].keys.count == 1)
        #expect(bench[.central].secured.map(\.level) == [.authenticatedSecureConnections])
        #expect(bench.managers[.central]?.bond?.level == .authenticatedSecureConnections)
    }

    /// A key that has become too short for the policy is not used, by neither side.
    @Test func aBondWhoseKeyIsTooShort() throws {
        let short = try bonds {
            $0.minimumKeySize = 7
            $0.maximumKeySize = 7
        }
        #expect(short[.central]?.centralKey?.size == 7)
        var bench = Bench(bonds: short)
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].keys.map(\.size) == [16])
        #expect(
            bench[.central].secured == [
                LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: true)
            ])
        bench = Bench(bonds: short)
        bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
        #expect(bench[.peripheral].effects == [.provide(nil)])
    }

    @Test func otherFailuresOfEncryption() throws {
        for status in [Status.unsupportedRemoteFeature, .micFailure, .linkResponseTimeout, .commandDisallowed] {
            var bench = Bench(bonds: try bonds())
            bench.hasControllers = false
            bench.run(.central, .secure(.encrypted))
            bench.run(.central, .encryptionChanged(status, isOn: false))
            #expect(bench[.central].failures == [.encryptionFailed(status)])
            #expect(bench.managers[.central]?.isBusy == false)
        }
    }

    /// A controller that says nothing.
    @Test func encryptionThatNeverComes() throws {
        var bench = Bench(bonds: try bonds())
        bench.hasControllers = false
        bench.run(.central, .secure(.encrypted))
        bench.wait(.seconds(44))
        #expect(bench.managers[.central]?.isBusy == true)
        bench.wait(.seconds(1))
        #expect(bench[.central].failures == [.encryptionFailed(.linkResponseTimeout)])
        // It may be tried again: nothing was said about pairing.
        bench.hasControllers = true
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].secured.count == 1)
    }

    /// The new key of a pairing does not work either.
    @Test func encryptionThatFailsAfterPairing() {
        var bench = Bench()
        bench.hasControllers = false
        bench.run(.central, .secure(.encrypted))
        bench.run(.central, .encryptionChanged(.pinOrKeyMissing, isOn: false))
        #expect(bench[.central].failures == [.encryptionFailed(.pinOrKeyMissing)])
        #expect(bench[.central].bonds == [])
        #expect(bench.managers[.central]?.security == LinkProtection())
    }

    @Test func encryptionThatEnds() throws {
        var bench = Bench(bonds: try bonds())
        bench.run(.central, .secure(.encrypted))
        bench.run(.central, .encryptionChanged(.success, isOn: false))
        #expect(bench.managers[.central]?.security == LinkProtection())
        #expect(bench[.central].effects.last == .note(.unprotected(.success)))
        // And comes back.
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].secured.count == 2)
        #expect(bench.managers[.central]?.security.level == .encrypted)
    }

    /// A key refresh that fails leaves the link as it was.
    @Test func aRefreshThatFails() throws {
        var bench = Bench(bonds: try bonds(), seed: 4)
        bench.run(.central, .secure(.encrypted))
        bench.hasControllers = false
        bench.run(.central, .pair(.encrypted))
        bench.run(.central, .encryptionChanged(.unspecifiedError, isOn: true))
        #expect(bench[.central].failures == [.encryptionFailed(.unspecifiedError)])
        #expect(
            bench.managers[.central]?.security
                == LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: true))
    }

    // MARK: Pairing on an encrypted link

    @Test func pairingAnewOnAnEncryptedLink() throws {
        let bonds = try bonds()
        var bench = Bench(bonds: bonds, seed: 8)
        bench.run(.central, .secure(.encrypted))
        bench.run(.central, .pair(.encrypted))
        for side in Bench.Side.allCases {
            #expect(bench[side].failures == [])
            #expect(bench[side].bonds.count == 1)
            #expect(bench[side].bonds.first?.centralKey != bonds[side]?.centralKey)
            #expect(bench[side].secured.count == 2)
        }
        #expect(bench[.central].bonds.first?.centralKey == bench[.peripheral].bonds.first?.centralKey)
    }

    /// More is wanted while less is on its way: one after the other, one answer.
    @Test func moreIsWantedMeanwhile() {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.hasControllers = false
        bench.run(.central, .secure(.encrypted))
        bench.run(.central, .secure(.authenticated))
        bench.run(.central, .secure(.encrypted))
        bench.hasControllers = true
        bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
        #expect(bench[.central].secured.map(\.level) == [.authenticatedSecureConnections])
        #expect(bench[.central].bonds.count == 2)
        #expect(bench[.central].models == [.justWorks, .passkeyEntered])
    }

    // MARK: Security Request

    private func request(_ bench: inout Bench, _ authentication: AuthenticationRequirements) {
        bench.send(to: .central, .securityRequest(SecurityRequest { $0.authentication = authentication }))
    }

    @Test func aPeripheralAsksForABondedLink() throws {
        var bench = Bench(bonds: try bonds())
        bench.run(.peripheral, .secure(.encrypted))
        #expect(bench[.peripheral].transmitted.map(\.code) == [.securityRequest])
        #expect(bench[.central].transmitted == [])
        #expect(
            bench[.peripheral].secured == [
                LinkProtection(level: .encrypted, keySize: 16, isBonded: true, isSecureConnections: true)
            ])
        #expect(bench[.central].secured == bench[.peripheral].secured)
        // It has what it wants.
        request(&bench, .bonding)
        #expect(
            bench[.central].effects.suffix(2) == [
                .note(.securityRequested(.bonding)), .note(.passedOver(.securityRequest)),
            ])
    }

    @Test(arguments: [SecurityLevel.encrypted, .authenticated]) func aPeripheralAsksAStranger(_ level: SecurityLevel)
        throws
    {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.run(.peripheral, .secure(level))
        let asked = try #require(bench[.peripheral].transmitted.first)
        let request = try SecurityRequest(decoding: Array(asked.encoded.dropFirst()))
        #expect(asked.code == .securityRequest)
        #expect(request.authentication.contains(.manInTheMiddle) == (level == .authenticated))
        #expect(try bench.features(.central).authentication.contains(.manInTheMiddle) == (level == .authenticated))
        let reached: SecurityLevel = level == .encrypted ? .encrypted : .authenticatedSecureConnections
        for side in Bench.Side.allCases { #expect(bench[side].secured.map(\.level) == [reached]) }
    }

    /// It asks for more than the central can show or ask: the two do what they can, and whether it is enough is the peripheral's to say.
    @Test func aPeripheralAsksForMoreThanThereIs() {
        var bench = Bench(peripheral: PairingPolicy(.displayOnly))
        bench.run(.peripheral, .secure(.authenticated))
        #expect(bench[.peripheral].failures == [.levelOutOfReach(.authenticated)])
        #expect(bench[.central].failures == [.peerRefused(.authenticationRequirements)])
        bench = Bench()
        request(&bench, [.bonding, .manInTheMiddle])
        #expect(bench[.central].secured.map(\.level) == [.encrypted])
    }

    @Test func aPeripheralAsksForMoreThanTheBondHas() throws {
        var bench = Bench(
            central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly), bonds: try bonds(), seed: 3)
        // First the bond's key: who has it may ask for more.
        bench.run(.peripheral, .secure(.authenticated))
        #expect(bench[.peripheral].failures == [.levelOutOfReach(.authenticated)])
        bench.run(.peripheral, .secure(.authenticated))
        #expect(bench[.peripheral].secured.map(\.level) == [.authenticatedSecureConnections])
    }

    /// A central that is content with what there is.
    @Test func aPeripheralWhoseWishIsNotFulfilled() throws {
        var bench = Bench(peripheral: PairingPolicy(.displayOnly), bonds: try bonds())
        bench.intercept = { _, _, _ in [] }
        bench.run(.peripheral, .secure(.authenticated))
        bench.run(.central, .secure(.encrypted))
        #expect(bench.managers[.peripheral]?.security.level == .encrypted)
        #expect(bench[.peripheral].failures == [.levelOutOfReach(.authenticated)])
        #expect(bench[.peripheral].transmitted.count == 1)
    }

    @Test func aPeripheralThatIsNotHeard() {
        var bench = Bench()
        bench.intercept = { _, _, _ in [] }
        bench.run(.peripheral, .secure(.encrypted))
        bench.wait(.seconds(30))
        #expect(bench[.peripheral].failures == [.timedOut])
        #expect(!bench[.peripheral].effects.contains(.disconnect(.authenticationFailure)))
        // Not the end: a central need not answer.
        bench.alter { _, _ in }
        bench.wait(.seconds(1))
        bench.run(.peripheral, .secure(.encrypted))
        #expect(bench[.peripheral].secured.count == 1)
    }

    @Test func aPeripheralThatIsRefused() {
        var bench = Bench()
        bench.configure(.central) { $0.notBefore = Moment(nanoseconds: 60_000_000_000) }
        bench.run(.peripheral, .secure(.encrypted))
        #expect(bench[.central].reasons == [.repeatedAttempts])
        #expect(bench[.peripheral].failures == [.peerRefused(.repeatedAttempts)])
    }

    /// Roles are kept: a peripheral does not request a pairing, a central no security.
    @Test func requestsOfTheWrongSide() throws {
        var bench = Bench()
        bench.send(to: .central, try PairingPDU.blank(.pairingRequest))
        #expect(bench[.central].reasons == [.commandNotSupported])
        bench.send(to: .peripheral, try PairingPDU.blank(.securityRequest))
        #expect(bench[.peripheral].reasons == [.commandNotSupported])
        #expect(bench.managers[.central]?.isBusy == false)
        #expect(bench.managers[.peripheral]?.isBusy == false)
    }

    // MARK: Secrets

    /// However a manager or a bond is printed, at whatever point of a pairing: no key, passkey or private key shows.
    @Test(arguments: RestartTests.Kind.allCases) func nothingIsPrinted(_ kind: RestartTests.Kind) throws {
        for step in 0..<44 {
            var bench = Bench(central: kind.policies.central, peripheral: kind.policies.peripheral)
            bench.intercept = { from, pdu, number in
                from == .peripheral && number == step ? [] : [.init(to: from.other, pdu: pdu)]
            }
            bench.run(.central, .secure(kind.level))
            for side in Bench.Side.allCases {
                let manager = try #require(bench.managers[side])
                var text = "\(manager) \(String(reflecting: manager))"
                dump(manager, to: &text)
                dump(bench[side].bonds, to: &text)
                text += "\(bench[side].keys) \(bench[side].bonds)"
                let secrets = bench[side].keys.map(\.key) + bench[side].bonds.compactMap { $0.centralKey?.key }
                for secret in secrets {
                    #expect(!text.contains(secret.octets.map(String.init).joined(separator: ", ")))
                }
                for word in ["privateKey", "temporaryKey", "passkey", "random:"] where !text.contains("LongTermKey") {
                    #expect(!text.contains(word))
                }
            }
        }
    }

    // MARK: Waiting

    @Test func theWaitGrows() {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.users[.central] = { _, bench in
            .passkey(Passkey(remainder: (bench[.peripheral].shown?.value ?? 0) ^ 1))
        }
        var waits: [Duration] = []
        for _ in 0..<9 {
            bench.run(.central, .secure(.authenticated))
            let begin = bench.now
            bench.run(.central, .secure(.authenticated))
            guard case .tooSoon(let until)? = bench[.central].failures.last else {
                Issue.record("\(bench[.central].failures)")
                return
            }
            waits.append(until - begin)
            bench.now = until
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
        // The right passkey ends it.
        bench.users[.central] = { _, bench in bench[.peripheral].shown.map { .passkey($0) } }
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.central].secured.count == 1)
        #expect(bench.managers[.central]?.notBefore == nil)
        #expect(bench.managers[.peripheral]?.notBefore == nil)
    }

    @Test func aResponderMakesOneWait() throws {
        var bench = Bench()
        bench.configure(.peripheral) { $0.notBefore = $0.notBefore ?? Moment(nanoseconds: 5_000_000_000) }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.peripheral].reasons == [.repeatedAttempts])
        #expect(bench[.peripheral].effects.last == .note(.refused(.pairingRequest, .repeatedAttempts)))
        #expect(bench[.central].failures == [.peerRefused(.repeatedAttempts)])
        bench.wait(.seconds(4))
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].secured.count == 1)
    }

    @Test func cancelled() {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.users[.central] = { _, _ in nil }
        bench.run(.central, .secure(.authenticated))
        bench.run(.central, .cancelled)
        #expect(bench[.central].failures == [.cancelled])
        #expect(bench[.central].reasons == [.passkeyEntryFailed])
        #expect(bench[.central].withdrawals == 1)
        #expect(bench[.peripheral].failures == [.peerRefused(.passkeyEntryFailed)])
        // The user's own change of mind makes nobody wait here.
        #expect(bench.managers[.central]?.notBefore == nil)
    }

    /// A toolbox that fails is no reason to go on.
    @Test func aToolboxThatFails() {
        for count in 0..<60 {
            for victim in Bench.Side.allCases {
                var bench = Bench(
                    central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly),
                    toolboxes: [victim: FailingToolbox(after: count)])
                bench.run(.central, .secure(.authenticated))
                guard bench[.central].secured.isEmpty else { continue }
                #expect(bench[victim].failures == [.toolbox(.failed("after \(count)"))])
                #expect(bench[victim].reasons == [.unspecifiedReason])
                #expect(bench[victim].bonds == [])
                #expect(bench.managers[victim]?.isBusy == false)
                #expect(
                    bench[victim].questions.count + (bench[victim].shown == nil ? 0 : 1) >= bench[victim].withdrawals)
            }
        }
    }
}
