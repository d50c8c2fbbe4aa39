import Cryptography
import HCI
import Testing
import Wire

@testable import SMP

/// What an attacker does that an honest peer does not, and what each is refused with.
@Suite struct AttackTests {
    private static let display = PairingPolicy(.displayOnly)
    private static let keyboard = PairingPolicy(.keyboardOnly)

    private static func legacy(_ capability: IOCapability) -> PairingPolicy {
        PairingPolicy(capability) { $0.generation = .legacyOnly }
    }

    /// Neither side has got a key, an encrypted link or a bond, and both are ready for the next attempt.
    private func checkNothingCameOfIt(_ bench: Bench, location: SourceLocation = #_sourceLocation) {
        for side in Bench.Side.allCases {
            #expect(bench[side].bonds == [], sourceLocation: location)
            #expect(bench[side].secured == [], sourceLocation: location)
            #expect(bench.managers[side]?.security == LinkProtection(), sourceLocation: location)
            #expect(bench.managers[side]?.isBusy == false, sourceLocation: location)
            #expect(bench[side].effects.allSatisfy { if case .provide(_?) = $0 { false } else { true } })
        }
    }

    // MARK: Public keys

    /// CVE-2020-26558: with our own key, what we say about it proves the attacker, too.
    @Test func reflectedPublicKey() {
        var bench = Bench()
        bench.intercept = { from, pdu, _ in
            if case .pairingPublicKey = pdu, from == .central { return [.init(to: .central, pdu: pdu)] }
            return [.init(to: from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].failures == [.refused(.dhKeyCheckFailed, .reflectedPublicKey)])
        #expect(bench[.central].reasons == [.dhKeyCheckFailed])
        checkNothingCameOfIt(bench)
    }

    /// The same with the other point of that x coordinate, to which another private key belongs that the attacker knows as little.
    @Test func reflectedPublicKeyWithTheOtherSign() throws {
        let prime: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + .init(repeating: 0, count: 12)
            + .init(repeating: 0xFF, count: 12)
        var bench = Bench()
        bench.intercept = { from, pdu, _ in
            guard case .pairingPublicKey(var key) = pdu, from == .central else {
                return [.init(to: from.other, pdu: pdu)]
            }
            key.y = difference(prime.reversed(), key.y)
            return [.init(to: .central, pdu: .pairingPublicKey(key))]
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].failures == [.refused(.dhKeyCheckFailed, .reflectedPublicKey)])
    }

    /// A responder's key is known beforehand where it went another way than the air.
    @Test func reflectedPublicKeyOfAResponder() throws {
        let data = try SeededToolbox(seed: 3).makeOutOfBandData()
        var policy = PairingPolicy()
        policy.outOfBand = OutOfBand()
        policy.outOfBand?.own = data.own
        var bench = Bench(peripheral: policy)
        bench.alter { from, pdu in
            if case .pairingPublicKey = pdu, from == .central {
                pdu = .pairingPublicKey(PairingPublicKey(data.own.keyPair.publicKey))
            }
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.peripheral].failures == [.refused(.dhKeyCheckFailed, .reflectedPublicKey)])
        #expect(bench[.peripheral].reasons == [.dhKeyCheckFailed])
        #expect(bench[.central].failures == [.peerRefused(.dhKeyCheckFailed)])
        checkNothingCameOfIt(bench)
    }

    /// CVE-2018-5383: y = 0, and a point that is not on the curve at all.
    @Test(arguments: [Bench.Side.central, .peripheral], [true, false])
    func offCurvePoint(_ victim: Bench.Side, _ isZero: Bool) {
        var bench = Bench()
        bench.alter { from, pdu in
            guard case .pairingPublicKey(var key) = pdu, from != victim else { return }
            if isZero { key.y = [UInt8](repeating: 0, count: 32) } else { key.y[0] ^= 1 }
            pdu = .pairingPublicKey(key)
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[victim].failures == [.refused(.dhKeyCheckFailed, .pointOffCurve)])
        #expect(bench[victim].reasons == [.dhKeyCheckFailed])
        #expect(bench[victim.other].failures == [.peerRefused(.dhKeyCheckFailed)])
        checkNothingCameOfIt(bench)
    }

    @Test(arguments: [Bench.Side.central, .peripheral]) func debugKey(_ victim: Bench.Side) {
        let debugging = PairingPolicy(.noInputNoOutput) { $0.usesDebugKeys = true }
        let policies = victim == .central ? (PairingPolicy(), debugging) : (debugging, PairingPolicy())
        var bench = Bench(central: policies.0, peripheral: policies.1)
        bench.run(.central, .secure(.encrypted))
        #expect(bench[victim].failures == [.refused(.authenticationRequirements, .debugKey)])
        #expect(bench[victim].reasons == [.authenticationRequirements])
        checkNothingCameOfIt(bench)
    }

    // MARK: Key size

    @Test(arguments: [Bench.Side.central, .peripheral], [1, 7, 15].map(UInt8.init))
    func downgradeToAShortKey(_ victim: Bench.Side, _ size: UInt8) {
        var bench = Bench()
        bench.alter { from, pdu in
            if from != victim { pdu.changeFeatures { $0.maximumKeySize = size } }
        }
        bench.run(.central, .secure(.encrypted))
        // Less than 7 is no size at all.
        let code: PairingCode = victim == .central ? .pairingResponse : .pairingRequest
        let expected: SecurityFailure =
            size < 7
            ? .refused(.invalidParameters, .malformed(code)) : .refused(.encryptionKeySize, .shortKey(Int(size)))
        #expect(bench[victim].failures == [expected])
        #expect(bench[victim].reasons == [size < 7 ? .invalidParameters : .encryptionKeySize])
        checkNothingCameOfIt(bench)
    }

    // MARK: Features

    /// What is changed on the way is proven later, in either generation.
    @Test(arguments: [true, false]) func changedFeatures(_ isSecureConnections: Bool) {
        let policy = PairingPolicy(.displayYesNo) { if !isSecureConnections { $0.generation = .legacyOnly } }
        var bench = Bench(central: policy, peripheral: policy)
        bench.alter { from, pdu in
            if from == .central { pdu.changeFeatures { $0.ioCapability = .displayOnly } }
        }
        bench.run(.central, .secure(.encrypted))
        let reason: PairingFailure = isSecureConnections ? .dhKeyCheckFailed : .confirmValueFailed
        let breach: SecurityBreach = isSecureConnections ? .checkMismatch : .confirmMismatch
        #expect(bench[.peripheral].failures == [.refused(reason, breach)])
        #expect(bench[.central].failures == [.peerRefused(reason)])
        checkNothingCameOfIt(bench)
    }

    @Test(arguments: [Bench.Side.central, .peripheral]) func downgradeToLegacyPairing(_ victim: Bench.Side) {
        let strict = PairingPolicy(.noInputNoOutput) { $0.generation = .secureConnectionsOnly }
        let policies = victim == .central ? (strict, PairingPolicy()) : (PairingPolicy(), strict)
        var bench = Bench(central: policies.0, peripheral: policies.1)
        bench.alter { _, pdu in pdu.changeFeatures { $0.authentication.remove(.secureConnections) } }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[victim].failures == [.refused(.authenticationRequirements, .legacyPairing)])
        #expect(bench[victim].reasons == [.authenticationRequirements])
        checkNothingCameOfIt(bench)
    }

    // MARK: Random values

    /// The same random value in two rounds of passkey entry gives away whether the two bits are the same.
    @Test(arguments: [Bench.Side.central, .peripheral], [2, 20])
    func reusedNonce(_ attacker: Bench.Side, _ round: Int) throws {
        var bench = Bench(
            central: Self.keyboard, peripheral: Self.display,
            toolboxes: [attacker: RepeatingToolbox(from: round)])
        bench.run(.central, .secure(.authenticated))
        let victim = attacker.other
        #expect(bench[victim].failures == [.refused(.confirmValueFailed, .repeatedRandom)])
        #expect(bench[victim].reasons == [.confirmValueFailed])
        #expect(bench[victim].transmitted.count { $0.code == .pairingRandom } == round - (victim == .central ? 0 : 1))
        checkNothingCameOfIt(bench)
    }

    /// Our own random value for the peer's.
    @Test func reflectedNonce() {
        var bench = Bench()
        bench.intercept = { from, pdu, _ in
            [.init(to: pdu.code == .pairingRandom && from == .central ? .central : from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.central].failures == [.refused(.confirmValueFailed, .repeatedRandom)])
        #expect(bench[.central].reasons == [.confirmValueFailed])
        checkNothingCameOfIt(bench)
    }

    // MARK: Confirm values

    /// Our own commitment, then our own random value: without the check both would be right.
    @Test(arguments: [true, false]) func reflectedConfirm(_ isLegacy: Bool) {
        var bench =
            isLegacy
            ? Bench(central: Self.legacy(.noInputNoOutput)) : Bench(central: Self.keyboard, peripheral: Self.display)
        bench.intercept = { from, pdu, _ in
            let isReflected = from == .central && [.pairingConfirm, .pairingRandom].contains(pdu.code)
            return [.init(to: isReflected ? .central : from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(isLegacy ? .encrypted : .authenticated))
        #expect(bench[.central].failures == [.refused(.confirmValueFailed, .reflectedConfirm)])
        #expect(bench[.central].reasons == [.confirmValueFailed])
        #expect(!bench[.central].transmitted.contains { $0.code == .pairingRandom })
        checkNothingCameOfIt(bench)
    }

    /// The same commitment twice in one pairing.
    @Test(arguments: [Bench.Side.central, .peripheral], [true, false])
    func replayedConfirm(_ victim: Bench.Side, _ isLegacy: Bool) {
        let policies =
            isLegacy
            ? (Self.legacy(.keyboardOnly), Self.legacy(.displayOnly)) : (Self.keyboard, Self.display)
        var bench = Bench(central: policies.0, peripheral: policies.1)
        bench.intercept = { from, pdu, _ in
            let delivery = Bench.Delivery(to: from.other, pdu: pdu)
            return pdu.code == .pairingConfirm && from != victim ? [delivery, delivery] : [delivery]
        }
        bench.run(.central, .secure(.authenticated))
        #expect(bench[victim].failures == [.refused(.unspecifiedReason, .outOfPlace(.pairingConfirm))])
        #expect(bench[victim].reasons == [.unspecifiedReason])
        checkNothingCameOfIt(bench)
    }

    /// The commitments of another pairing: whoever has recorded one has nothing of the next.
    @Test(arguments: [true, false]) func confirmOfAnEarlierPairing(_ isLegacy: Bool) {
        let policies =
            isLegacy
            ? (Self.legacy(.keyboardOnly), Self.legacy(.displayOnly)) : (Self.keyboard, Self.display)
        var before = Bench(central: policies.0, peripheral: policies.1, seed: 1)
        before.run(.central, .secure(.authenticated))
        let recorded = before[.central].transmitted
        #expect(before[.central].secured.count == 1)
        var bench = Bench(central: policies.0, peripheral: policies.1, seed: 2)
        bench.intercept = { from, pdu, number in
            let isReplayed = from == .central && [.pairingConfirm, .pairingRandom].contains(pdu.code)
            return [.init(to: from.other, pdu: isReplayed ? recorded[number] : pdu)]
        }
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.peripheral].failures == [.refused(.confirmValueFailed, .confirmMismatch)])
        #expect(bench[.peripheral].reasons == [.confirmValueFailed])
        checkNothingCameOfIt(bench)
    }

    /// A wrong passkey is a wrong commitment. In the rounds of Secure Connections it shows at the first bit that differs.
    @Test(arguments: [true, false]) func wrongPasskey(_ isLegacy: Bool) {
        let policies =
            isLegacy
            ? (Self.legacy(.keyboardOnly), Self.legacy(.displayOnly)) : (Self.keyboard, Self.display)
        var bench = Bench(central: policies.0, peripheral: policies.1)
        bench.users[.central] = { _, bench in
            .passkey(Passkey(remainder: (bench[.peripheral].shown?.value ?? 0) ^ 1))
        }
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.peripheral].failures == [.refused(.confirmValueFailed, .confirmMismatch)])
        #expect(bench[.central].failures == [.peerRefused(.confirmValueFailed)])
        #expect(bench[.peripheral].withdrawals == 1)
        checkNothingCameOfIt(bench)
    }

    /// Somebody between the two with keys of his own to each: the numbers differ, and the users say so.
    @Test func numbersThatDiffer() throws {
        let policy = PairingPolicy(.displayYesNo)
        var bench = Bench(central: policy, peripheral: policy)
        let own = try SeededToolbox(seed: 9).makeKeyPair()
        bench.alter { _, pdu in
            if case .pairingPublicKey = pdu { pdu = .pairingPublicKey(PairingPublicKey(own.publicKey)) }
        }
        // He would have to commit himself to something, too; the responder asks its user without that.
        bench.users[.peripheral] = { _, _ in .comparison(false) }
        bench.run(.central, .secure(.authenticated))
        let others = try #require(bench[.peripheral].questions.first)
        var honest = Bench(central: policy, peripheral: policy)
        honest.run(.central, .secure(.authenticated))
        #expect(honest[.central].questions == honest[.peripheral].questions)
        #expect(honest[.peripheral].questions.first != others)
        #expect(bench[.central].failures == [.refused(.confirmValueFailed, .confirmMismatch)])
        checkNothingCameOfIt(bench)
    }

    @Test func numbersThatTheUserDoesNotSee() {
        let policy = PairingPolicy(.displayYesNo)
        for side in Bench.Side.allCases {
            var bench = Bench(central: policy, peripheral: policy)
            bench.users[side] = { _, _ in .comparison(false) }
            bench.run(.central, .secure(.authenticated))
            #expect(bench[side].failures == [.refused(.numericComparisonFailed, nil)])
            #expect(bench[side.other].failures == [.peerRefused(.numericComparisonFailed)])
            checkNothingCameOfIt(bench)
        }
    }

    /// The last word of Secure Connections.
    @Test(arguments: [Bench.Side.central, .peripheral]) func wrongCheck(_ victim: Bench.Side) {
        var bench = Bench()
        bench.alter { from, pdu in
            guard case .pairingDHKeyCheck(var value) = pdu, from != victim else { return }
            value.octets[15] ^= 0x80
            pdu = .pairingDHKeyCheck(value)
        }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[victim].failures == [.refused(.dhKeyCheckFailed, .checkMismatch)])
        #expect(bench[victim].reasons == [.dhKeyCheckFailed])
        checkNothingCameOfIt(bench)
    }

    /// Data by another way that belongs to other keys, or that the peer has not got.
    @Test func wrongDataByAnotherWay() throws {
        let tools = SeededToolbox(seed: 4)
        var (central, peripheral) = (PairingPolicy(), PairingPolicy())
        let right = try tools.makeOutOfBandData()
        peripheral.outOfBand = OutOfBand()
        peripheral.outOfBand?.own = right.own
        central.outOfBand = OutOfBand()
        central.outOfBand?.peer = try tools.makeOutOfBandData().told
        var bench = Bench(central: central, peripheral: peripheral)
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.central].failures == [.refused(.confirmValueFailed, .confirmMismatch)])
        checkNothingCameOfIt(bench)

        // The right commitment and another random value: the peer cannot have been told it.
        central.outOfBand?.peer = right.told
        var other = right.own
        other.random = try secret(1)
        peripheral.outOfBand?.own = other
        bench = Bench(central: central, peripheral: peripheral)
        bench.run(.central, .secure(.authenticated))
        #expect(bench[.peripheral].failures == [.refused(.dhKeyCheckFailed, .checkMismatch)])
        checkNothingCameOfIt(bench)
    }

    /// The peer says that it has data of ours that we never gave away.
    @Test func dataThatWereNotGiven() {
        var bench = Bench()
        bench.alter { from, pdu in if from == .central { pdu.changeFeatures { $0.outOfBand = 1 } } }
        bench.run(.central, .secure(.encrypted))
        #expect(bench[.peripheral].failures == [.refused(.outOfBandNotAvailable, nil)])
        #expect(bench[.peripheral].reasons == [.outOfBandNotAvailable])
        checkNothingCameOfIt(bench)
    }
}

extension PairingPDU {
    /// Changes the features of a request or a response.
    mutating func changeFeatures(_ change: (inout PairingFeatures) -> Void) {
        switch self {
        case .pairingRequest(var features):
            change(&features)
            self = .pairingRequest(features)
        case .pairingResponse(var features):
            change(&features)
            self = .pairingResponse(features)
        default: return
        }
    }
}

/// The difference of two numbers of so many octets, the least significant first.
private func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var borrow = 0
    return zip(left, right).map { left, right in
        let value = Int(left) - Int(right) - borrow
        borrow = value < 0 ? 1 : 0
        return UInt8(truncatingIfNeeded: value)
    }
}
