import ATT
import Cryptography
import HCI
import SMP
import Simulator
import Testing
import Wire

@testable import Host

/// Straps that demand protection: the host raises it by itself, by the least that suffices, and repeats what was refused.
@Suite struct ProtectedStrapTests {
    /// A host with a keyboard and a screen, and somebody before it.
    static func attended(_ setup: inout SecuritySetup) { setup.policy.ioCapability = .keyboardDisplay }

    /// What each comes to: the level, and what the user was asked.
    private static let outcomes: [String: (level: SecurityLevel, questions: Int)] = [
        "encrypted": (.encrypted, 0), "authentication": (.encrypted, 0), "authorization": (.encrypted, 0),
        "key-size": (.encrypted, 0), "closed": (.encrypted, 0), "closed-battery": (.none, 0),
        "passkey": (.authenticatedSecureConnections, 1), "comparison": (.authenticatedSecureConnections, 1),
        "passkey-entry": (.authenticatedSecureConnections, 0), "legacy-pairing": (.encrypted, 0),
        "legacy-passkey": (.authenticated, 1), "secure-only": (.encrypted, 0), "signing": (.encrypted, 0),
        "not-bonding": (.encrypted, 0),
    ]

    @Test func eachIsHere() {
        let others: Set<String> = ["out-of-band", "legacy-out-of-band", "short-key"]
        #expect(Set(Scenario.protected.map(\.name)) == Set(Self.outcomes.keys).union(others))
    }

    @Test(arguments: outcomes.keys.sorted(), [1, 2] as [UInt64])
    func streams(_ name: String, _ seed: UInt64) throws {
        let scenario = try #require(Scenario.named(name))
        let expected = try #require(Self.outcomes[name])
        var stage = Stage(scenario, seed: seed, Self.attended)
        #expect(stage.start() == nil)
        let heard = stage.findStrap()
        let target = try #require(heard)
        guard case .subscribed(let id) = stage.subscribe(to: target) else {
            Issue.record("not subscribed")
            return
        }
        let protection = stage.engine.links[id.handle]?.connection.security
        #expect(protection?.level == expected.level)
        #expect(protection?.isBonded == (expected.level > .none && name != "not-bonding"))
        #expect(stage.questions.count == expected.questions)
        #expect(stage.bonds.isEmpty == (expected.level == .none || name == "not-bonding"))
        stage.pass(.seconds(90))
        #expect(stage.values.count >= 60)
        #expect(stage.ending(of: id) == nil)
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    /// Find the service, its characteristics, the descriptor; write it, pair, write it again.
    @Test(arguments: ["encrypted", "authentication", "authorization", "key-size"])
    func theRefusedAccessIsRepeatedAndNothingElse(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        guard case .subscribed = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.course == [0x06, 0x08, 0x04, 0x12, Stage.pairing, Stage.encryption, 0x12])
        #expect(stage.requests[3] == stage.requests[4])
    }

    /// One level after the other, each with a pairing of its own, until the strap is content.
    @Test func theLevelIsRaisedStepByStep() throws {
        let scenario = try #require(Scenario.named("passkey"))
        var stage = Stage(scenario, Self.attended)
        #expect(stage.start() == nil)
        guard case .subscribed = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(
            stage.course == [
                0x06, 0x08, 0x04, 0x12, Stage.pairing, Stage.encryption, 0x12, Stage.pairing, Stage.encryption, 0x12,
            ])
        #expect(stage.bonds.map(\.level) == [.encrypted, .authenticatedSecureConnections])
    }

    @Test(arguments: [
        ("passkey", SecurityFailure.levelOutOfReach(.authenticated)),
        ("comparison", .levelOutOfReach(.authenticated)),
        ("legacy-out-of-band", .levelOutOfReach(.authenticated)),
        ("short-key", .refused(.encryptionKeySize, .shortKey(7))),
    ])
    func withoutSomebodyThereItSaysWhatIsMissing(_ name: String, _ failure: SecurityFailure) throws {
        let scenario = try #require(Scenario.named(name))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        #expect(stage.subscribe(to: scenario.straps[0].address) == .failed(.security(failure)))
        stage.pass(.seconds(10))
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    @Test(arguments: ["passkey", "legacy-passkey"])
    func theWrongPasskeyEndsWithThat(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        var stage = Stage(scenario, Self.attended)
        stage.user.passkey = Passkey(654_321)
        #expect(stage.start() == nil)
        let outcome = stage.subscribe(to: scenario.straps[0].address)
        #expect(outcome == .failed(.security(.peerRefused(.confirmValueFailed))))
        // What was reached before that stays.
        #expect(stage.bonds.map(\.level) == [.encrypted])
        #expect(stage.remains() == [])
    }

    @Test func whoSaysThatTheNumbersDifferIsBelieved() throws {
        let scenario = try #require(Scenario.named("comparison"))
        var stage = Stage(scenario, Self.attended)
        stage.user.confirms = false
        #expect(stage.start() == nil)
        let outcome = stage.subscribe(to: scenario.straps[0].address)
        #expect(outcome == .failed(.security(.refused(.numericComparisonFailed, nil))))
        #expect(stage.remains() == [])
    }

    @Test(arguments: ["out-of-band", "legacy-out-of-band"])
    func aLeafletPairs(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        let leaflet = try #require(scenario.straps.first?.security?.outOfBand)
        let data = try leaflet.read(LibcryptoToolbox())
        var stage = Stage(scenario) { $0.policy.outOfBand = data }
        #expect(stage.start() == nil)
        guard case .subscribed(let id) = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        let level = stage.engine.links[id.handle]?.connection.security.level
        #expect(level == (name == "out-of-band" ? .authenticatedSecureConnections : .authenticated))
        stage.pass(.seconds(20))
        #expect(stage.values.count >= 15)
        #expect(stage.remains() == [])
    }

    @Test func shortKeysAreTakenFromWhoeverAllowsThem() throws {
        let scenario = try #require(Scenario.named("short-key"))
        var stage = Stage(scenario) { $0.policy.minimumKeySize = 7 }
        #expect(stage.start() == nil)
        guard case .subscribed(let id) = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.engine.links[id.handle]?.connection.security.keySize == 7)
    }

    @Test func theSigningKeyIsKept() throws {
        let scenario = try #require(Scenario.named("signing"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        let heard = stage.findStrap()
        let target = try #require(heard)
        guard case .subscribed = stage.subscribe(to: target) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.bonds.last?.signingKey == SecretKey([UInt8](repeating: 0x51, count: 16)))
    }

    /// The strap asks for protection by itself, and refuses what was on its way before that came about: it is asked again, for no more.
    @Test(arguments: [ErrorCode.insufficientAuthorization, .insufficientAuthentication, .insufficientEncryption])
    func aRefusalThatCrossesTheProtectionIsRepeated(_ code: ErrorCode) throws {
        var scenario = try #require(Scenario.named("security-request"))
        scenario.straps[0].security?.measurement?.refusal = code
        scenario.straps[0].security?.policy.generation = .legacyOnly
        var hasCrossed = false
        for pause in stride(from: 0, to: 800, by: 20) {
            var stage = Stage(scenario)
            #expect(stage.start() == nil)
            guard
                case .success(.connected(let connection)) = stage.answer(
                    to: .connect(scenario.straps[0].address, .heartRate, within: .seconds(30)))
            else {
                Issue.record("not connected")
                return
            }
            stage.pass(.milliseconds(pause))
            guard case .subscribed = stage.subscribe(on: connection.id) else {
                Issue.record("after \(pause) ms: not subscribed")
                return
            }
            stage.pass(.seconds(2))
            #expect(stage.engine.links[connection.id.handle]?.connection.security.level == .encrypted)
            #expect(stage.course.filter { $0 == Stage.pairing }.count == 1)
            hasCrossed = hasCrossed || stage.course.filter { $0 == 0x12 }.count == 2
        }
        #expect(hasCrossed)
    }

    /// Who reads everything there is reads what is open, and pairs with nobody.
    @Test func whatIsClosedIsLeftOutWhereEverythingIsRead() throws {
        let scenario = try #require(Scenario.named("closed-battery"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        guard case .subscribed(let id) = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        _ = stage.answer(to: .gatt(id, .discover))
        _ = stage.answer(to: .gatt(id, .readEvery(0x2A19)))
        #expect(!stage.course.contains(Stage.pairing))
        // Who wants the battery's level gets it.
        #expect(stage.answer(to: .gatt(id, .read(Handle(0x0025)))) == .success(.value([0x5B])))
        #expect(stage.course.contains(Stage.pairing))
    }
}
