import HCI
import Testing
import Wire

@testable import SMP

/// What the two sides say of themselves, and what comes of it.
@Suite struct NegotiationTests {
    /// Protection against a third party is asked for exactly where the level needs it.
    @Test(arguments: SecurityLevel.allCases) func theLeastThatSuffices(_ level: SecurityLevel) throws {
        guard level != .none else { return }
        var bench = Bench(central: PairingPolicy(.keyboardDisplay), peripheral: PairingPolicy(.keyboardDisplay))
        bench.run(.central, .secure(level))
        let request = try bench.features(.central)
        #expect(request.authentication.contains(.manInTheMiddle) == (level >= .authenticated))
        #expect(request.authentication.contains(.secureConnections))
        #expect(request.initiatorKeys == [])
        #expect(request.responderKeys == [.encryption, .identity, .signing])
        let response = try bench.features(.peripheral)
        #expect(!response.authentication.contains(.manInTheMiddle))
        #expect(response.responderKeys == [])
        let reached: SecurityLevel = level == .encrypted ? .encrypted : .authenticatedSecureConnections
        #expect(
            bench[.central].secured == [
                LinkProtection(level: reached, keySize: 16, isBonded: true, isSecureConnections: true)
            ])
    }

    /// What the peer asks for is honoured: it protects better than was needed here.
    @Test func thePeersWishIsHonoured() {
        var bench = Bench(central: PairingPolicy(.displayYesNo), peripheral: PairingPolicy(.displayYesNo))
        bench.alter { from, pdu in
            if from == .peripheral { pdu.changeFeatures { $0.authentication.insert(.manInTheMiddle) } }
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].models == [.numericComparison])
    }

    @Test func theBestThatCannotBeReached() {
        var bench = Bench(
            central: PairingPolicy(.keyboardDisplay) { $0.generation = .legacyOnly },
            peripheral: PairingPolicy(.keyboardDisplay))
        bench.run(.central, .secure(.authenticatedSecureConnections))
        #expect(bench[.central].effects == [.failed(.levelOutOfReach(.authenticatedSecureConnections))])
        bench = Bench(
            central: PairingPolicy(.keyboardDisplay),
            peripheral: PairingPolicy(.keyboardDisplay) { $0.generation = .legacyOnly })
        bench.run(.central, .secure(.authenticatedSecureConnections))
        #expect(bench[.central].failures == [.levelOutOfReach(.authenticatedSecureConnections)])
        #expect(bench[.central].reasons == [.authenticationRequirements])
        bench = Bench(central: PairingPolicy(.keyboardDisplay) { $0.maximumKeySize = 15 })
        bench.run(.central, .secure(.authenticatedSecureConnections))
        #expect(bench[.central].effects == [.failed(.levelOutOfReach(.authenticatedSecureConnections))])
    }

    /// Shorter keys, where both allow them: what counts of the key is at its end, and the best level needs all of it.
    @Test(arguments: [7, 12, 16], [true, false]) func keySizes(_ size: Int, _ isLegacy: Bool) throws {
        let short = PairingPolicy(.displayYesNo) {
            $0.minimumKeySize = 7
            $0.maximumKeySize = size
            if isLegacy { $0.generation = .legacyOnly }
        }
        let any = PairingPolicy(.keyboardDisplay) { $0.minimumKeySize = 7 }
        for (central, peripheral) in [(short, any), (any, short)] {
            var bench = Bench(central: central, peripheral: peripheral)
            bench.run(.central, .secure(.authenticated))
            let level: SecurityLevel = !isLegacy && size == 16 ? .authenticatedSecureConnections : .authenticated
            #expect(
                bench[.central].secured == [
                    LinkProtection(level: level, keySize: size, isBonded: true, isSecureConnections: !isLegacy)
                ])
            let keys = bench[.central].keys + [try #require(bench[.central].bonds.first?.centralKey)]
            for key in keys {
                #expect(key.size == size)
                #expect(key.key.octets.dropFirst(size).allSatisfy { $0 == 0 })
                #expect(key.key.octets.prefix(size).contains { $0 != 0 })
            }
        }
    }

    @Test func aWholeKeyIsNeededForTheBestLevel() {
        let short = PairingPolicy(.displayYesNo) { $0.minimumKeySize = 7 }
        var bench = Bench(central: short, peripheral: PairingPolicy(.displayYesNo))
        bench.alter { from, pdu in if from == .peripheral { pdu.changeFeatures { $0.maximumKeySize = 15 } } }
        bench.run(.central, .secure(.authenticatedSecureConnections))
        #expect(bench[.central].failures == [.refused(.encryptionKeySize, .shortKey(15))])
        #expect(bench[.central].reasons == [.encryptionKeySize])
    }

    /// A bound that makes no sense is one that does.
    @Test func keySizesOfNonsense() {
        for (least, most, expected) in [(0, 0, 7...7), (99, 99, 16...16), (16, 7, 7...7), (-1, 16, 7...16)] {
            var policy = PairingPolicy()
            policy.minimumKeySize = least
            policy.maximumKeySize = most
            #expect(policy.keySizes == expected)
        }
    }

    /// Cross-transport keys are neither asked for nor promised, whatever the peer says.
    @Test func noLinkKeys() throws {
        for isLegacy in [true, false] {
            var bench = Bench()
            if isLegacy { bench.configure(.central) { $0.policy.generation = .legacyOnly } }
            bench.alter { _, pdu in
                pdu.changeFeatures {
                    $0.initiatorKeys.insert(.link)
                    $0.responderKeys.insert(.link)
                }
            }
            bench.run(.central, .secure(.encrypted))
            #expect(try !bench.features(.central).initiatorKeys.contains(.link))
            #expect(try !bench.features(.central).responderKeys.contains(.link))
            #expect(try !bench.features(.peripheral).responderKeys.contains(.link))
        }
    }

    @Test func capabilitiesThatAreReserved() {
        for change in [
            { $0.ioCapability = IOCapability(rawValue: 5) }, { $0.outOfBand = 2 }, { $0.maximumKeySize = 17 },
        ] as [(inout PairingFeatures) -> Void] {
            for side in Bench.Side.allCases {
                var bench = Bench()
                bench.alter { from, pdu in if from != side { pdu.changeFeatures(change) } }
                bench.run(.central, .secure(.encrypted))
                let code: PairingCode = side == .central ? .pairingResponse : .pairingRequest
                #expect(bench[side].failures == [.refused(.invalidParameters, .malformed(code))])
                #expect(bench[side].reasons == [.invalidParameters])
            }
        }
    }

    /// A responder that promises more than it was asked for is not asked for more.
    @Test func keysThatWereNotAskedFor() {
        var bench = Bench(central: PairingPolicy(.noInputNoOutput) { $0.isBonding = false })
        bench.alter { from, pdu in
            if from == .peripheral { pdu.changeFeatures { $0.responderKeys = [.encryption, .identity, .signing] } }
        }
        bench.run(.central, .secure(.encrypted))
        #expect(
            bench[.central].secured == [
                LinkProtection(level: .encrypted, keySize: 16, isBonded: false, isSecureConnections: true)
            ])
        #expect(bench[.central].bonds == [])
    }

    // MARK: Who is asked

    @Test(arguments: [true, false]) func nobodyToAsk(_ isComparison: Bool) {
        let policies =
            isComparison
            ? (PairingPolicy(.displayYesNo), PairingPolicy(.displayYesNo))
            : (PairingPolicy(.keyboardOnly), PairingPolicy(.displayOnly))
        var bench = Bench(central: policies.0, peripheral: policies.1)
        bench.users[.central] = { _, _ in PairingAnswer.none }
        bench.run(.central, .secure(.authenticated))
        let reason: PairingFailure = isComparison ? .numericComparisonFailed : .passkeyEntryFailed
        #expect(
            bench[.central].failures == [.nobodyToAsk(isComparison ? .numericComparison : .passkeyEntered)])
        #expect(bench[.central].reasons == [reason])
        #expect(bench[.central].withdrawals == 0)
        #expect(bench[.peripheral].failures == [.peerRefused(reason)])
    }

    /// The user may take his time within the 30 s, and the peer's commitment may come first.
    @Test func theUserTakesHisTime() {
        for generation in [PairingPolicy.Generation.any, .legacyOnly] {
            for slow in Bench.Side.allCases {
                let keyboard = PairingPolicy(.keyboardOnly) { $0.generation = generation }
                var bench = Bench(central: keyboard, peripheral: keyboard)
                bench.users[slow] = { _, _ in nil }
                bench.run(.central, .secure(.authenticated))
                bench.wait(.seconds(29))
                #expect(bench.managers[slow]?.isBusy == true)
                bench.run(slow, .answered(.passkey(.init(remainder: 480_017))))
                #expect(bench[slow].secured.count == 1)
                #expect(bench[slow.other].secured.count == 1)
            }
        }
    }

    /// A question that nobody has answered in time is taken back.
    @Test func theUserTakesTooLong() {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.users[.central] = { _, _ in nil }
        bench.run(.central, .secure(.authenticated))
        bench.wait(.seconds(30))
        #expect(
            bench[.central].effects.suffix(3) == [
                .withdraw, .failed(.timedOut), .disconnect(.authenticationFailure),
            ])
        // What was shown there, too.
        #expect(bench[.peripheral].withdrawals == 1)
        bench.run(.central, .answered(.passkey(.init(remainder: 480_017))))
        #expect(bench[.central].effects.last == .disconnect(.authenticationFailure))
    }

    /// Answers to nothing, and to something else than was asked, are none.
    @Test func answersToOtherQuestions() {
        var bench = Bench(central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly))
        bench.users[.central] = { _, _ in .comparison(true) }
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.central].questions == [.passkey])
        #expect(bench.managers[.central]?.isBusy == true)
        bench.users[.central] = { _, bench in bench[.peripheral].shown.map { .passkey($0) } }
        if let shown = bench[.peripheral].shown { bench.run(.central, .answered(.passkey(shown))) }
        #expect(bench[.central].secured.count == 1)
        // What was shown is not shown any more.
        #expect(bench[.peripheral].withdrawals == 1)
        #expect(bench[.central].withdrawals == 0)
    }

    @Test func theFixedPasskeyIsShown() {
        let label = Passkey(remainder: 7)
        var bench = Bench(
            central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly) { $0.fixedPasskey = label })
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.peripheral].shown == label)
        #expect(label.description == "000007")
        #expect(bench[.central].secured.count == 1)
    }

    /// Passkeys are new ones each time, and of any value that six digits have.
    @Test func passkeysAreNew() {
        var shown: Set<Passkey> = []
        for seed in 0..<100 {
            var bench = Bench(
                central: PairingPolicy(.keyboardOnly), peripheral: PairingPolicy(.displayOnly), seed: UInt64(seed))
            bench.run(.central, .secure(.authenticated))
            if let passkey = bench[.peripheral].shown { shown.insert(passkey) }
        }
        #expect(shown.count > 98)
        #expect(shown.contains { $0.value > 900_000 })
        #expect(shown.contains { $0.value < 100_000 })
        #expect(Passkey(1_000_000) == nil)
    }

    // MARK: Keys for debugging

    @Test func debugKeysOfBothSides() {
        let debugging = PairingPolicy(.noInputNoOutput) { $0.usesDebugKeys = true }
        var bench = Bench(central: debugging, peripheral: debugging)
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].secured.count == 1)
        let known = try? PairingPDU(
            decoding: [0x0C]
                + [
                    0xE6, 0x9D, 0x35, 0x0E, 0x48, 0x01, 0x03, 0xCC, 0xDB, 0xFD, 0xF4, 0xAC, 0x11, 0x91, 0xF4, 0xEF,
                    0xB9, 0xA5, 0xF9, 0xE9, 0xA7, 0x83, 0x2C, 0x5E, 0x2C, 0xBE, 0x97, 0xF2, 0xD2, 0x03, 0xB0, 0x20,
                    0x8B, 0xD2, 0x89, 0x15, 0xD0, 0x8E, 0x1C, 0x74, 0x24, 0x30, 0xED, 0x8F, 0xC2, 0x45, 0x63, 0x76,
                    0x5C, 0x15, 0x52, 0x5A, 0xBF, 0x9A, 0x32, 0x63, 0x6D, 0xEB, 0x2A, 0x65, 0x49, 0x9C, 0x80, 0xDC,
                ])
        #expect(bench[.central].transmitted.filter { $0.code == .pairingPublicKey } == [known].compactMap { $0 })
    }
}

extension Bench {
    /// The features that a side has sent first.
    func features(_ side: Side) throws -> PairingFeatures {
        try #require(
            self[side].transmitted.lazy.compactMap {
                switch $0 {
                case .pairingRequest(let features), .pairingResponse(let features): features
                default: nil
                }
            }.first)
    }
}
