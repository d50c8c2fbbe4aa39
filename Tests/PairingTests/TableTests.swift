import HCI
import Testing
import Wire

@testable import SMP

/// Each state of the Security Manager meets each input.
@Suite struct TableTests {
    /// A state, and how a bench gets there.
    struct Place: Sendable, CustomTestStringConvertible {
        var name: String
        var side: Bench.Side
        var bench: @Sendable () throws -> Bench

        var testDescription: String { name }
    }

    /// What happens, by name.
    static let inputs: [(name: String, input: SecurityManager.Input)] = [
        ("secure none", .secure(.none)),
        ("secure encrypted", .secure(.encrypted)),
        ("secure more", .secure(.authenticatedSecureConnections)),
        ("pair", .pair(.encrypted)),
        ("encrypt", .encrypt),
        ("passkey", .answered(.passkey(.init(remainder: 1)))),
        ("same", .answered(.comparison(true))),
        ("nobody", .answered(.none)),
        ("encrypted", .encryptionChanged(.success, isOn: true)),
        ("unprotected", .encryptionChanged(.success, isOn: false)),
        ("key missing", .encryptionChanged(.pinOrKeyMissing, isOn: false)),
        ("key asked", .keyRequested(random: 0, encryptedDiversifier: 0)),
        ("cancelled", .cancelled),
    ]

    /// What each input brings about in each state, in the order of `inputs`.
    static let table: [(place: Place, outcomes: [String])] = [
        (
            Place(name: "central, idle", side: .central) { Bench() },
            [
                "secured", "Pairing Request", "failed", "Pairing Request", "failed", "", "", "", "", "note", "",
                "provide nothing", "",
            ]
        ),
        (
            Place(name: "central, encrypting", side: .central) { try bonded(upTo: .encrypting) },
            ["", "", "", "", "", "", "", "", "secured", "note", "failed", "provide nothing", ""]
        ),
        (
            Place(name: "central, encrypted", side: .central) { try bonded(upTo: .encrypted) },
            [
                "secured", "secured", "failed", "Pairing Request", "encrypt", "", "", "", "", "note", "",
                "provide nothing", "",
            ]
        ),
        (
            Place(name: "central, features", side: .central) { silent(.justWorks, .peripheral, from: 0) },
            ["", "", "", "", "", "", "", "", "", "note", "", "provide nothing", "Pairing Failed failed"]
        ),
        (
            Place(name: "central, asked for the passkey", side: .central) { asked(.legacyPasskey, .central) },
            [
                "", "", "", "", "", "Pairing Confirm", "", "Pairing Failed failed", "", "note", "", "provide nothing",
                "Pairing Failed withdraw failed",
            ]
        ),
        (
            Place(name: "central, legacy", side: .central) { silent(.legacyJustWorks, .peripheral, from: 1) },
            ["", "", "", "", "", "", "", "", "", "note", "", "provide nothing", "Pairing Failed failed"]
        ),
        (
            Place(name: "central, comparing", side: .central) { asked(.comparison, .central) },
            [
                "", "", "", "", "", "", "Pairing DHKey Check", "Pairing Failed failed", "", "note", "",
                "provide nothing", "Pairing Failed withdraw failed",
            ]
        ),
        (
            Place(name: "central, encryption", side: .central) { withoutControllers() },
            [
                "", "", "", "", "", "", "", "", "bonded secured", "note Pairing Failed failed", "failed",
                "provide nothing", "",
            ]
        ),
        (
            Place(name: "central, distribution", side: .central) { silent(.legacyJustWorks, .peripheral, from: 3) },
            ["", "", "", "", "", "", "", "", "", "note Pairing Failed failed", "", "provide nothing", ""]
        ),
        (
            Place(name: "central, closed", side: .central) {
                var bench = silent(.justWorks, .peripheral, from: 0)
                bench.wait(.seconds(30))
                return bench
            },
            ["failed", "failed", "failed", "failed", "", "", "", "", "", "note", "", "provide nothing", ""]
        ),
        (
            Place(name: "peripheral, idle", side: .peripheral) { Bench() },
            [
                "secured", "Security Request", "failed", "Security Request", "failed", "", "", "", "", "note", "",
                "provide nothing", "",
            ]
        ),
        (
            Place(name: "peripheral, bonded", side: .peripheral) { try bonded(upTo: nil) },
            [
                "secured", "Security Request", "failed", "Security Request", "failed", "", "", "", "", "note", "",
                "provide", "",
            ]
        ),
        (
            Place(name: "peripheral, requesting", side: .peripheral) {
                var bench = Bench()
                bench.intercept = { _, _, _ in [] }
                bench.run(.peripheral, .secure(.encrypted))
                return bench
            },
            ["", "", "", "", "", "", "", "", "", "note", "", "provide nothing", "failed"]
        ),
        (
            Place(name: "peripheral, encrypting", side: .peripheral) { try bonded(upTo: .provided) },
            ["", "", "", "", "", "", "", "", "secured", "note", "failed", "provide nothing", ""]
        ),
        (
            Place(name: "peripheral, comparing", side: .peripheral) { asked(.comparison, .peripheral) },
            [
                "", "", "", "", "", "", "Pairing DHKey Check", "Pairing Failed failed", "", "note", "",
                "provide nothing", "Pairing Failed withdraw failed",
            ]
        ),
        (
            Place(name: "peripheral, showing", side: .peripheral) { silent(.passkey, .central, from: 4) },
            ["", "", "", "", "", "", "", "", "", "note", "", "provide nothing", "Pairing Failed withdraw failed"]
        ),
        (
            Place(name: "peripheral, encryption", side: .peripheral) { withoutControllers() },
            ["", "", "", "", "", "", "", "", "", "note Pairing Failed failed", "failed", "provide", ""]
        ),
        (
            Place(name: "peripheral, distribution", side: .peripheral) { try silentInDistribution() },
            ["", "", "", "", "", "", "", "", "", "note Pairing Failed failed", "", "provide nothing", ""]
        ),
        (
            Place(name: "peripheral, closed", side: .peripheral) {
                var bench = silent(.justWorks, .central, from: 1)
                bench.wait(.seconds(30))
                return bench
            },
            ["failed", "failed", "failed", "failed", "", "", "", "", "", "note", "", "provide nothing", ""]
        ),
    ]

    @Test func everyInputInEveryState() throws {
        for (place, outcomes) in Self.table {
            #expect(outcomes.count == Self.inputs.count)
            for ((name, input), outcome) in zip(Self.inputs, outcomes) {
                var bench = try place.bench()
                var manager = try #require(bench.managers[place.side])
                var effects: [SecurityManager.Effect] = []
                manager.handle(input, at: bench.now, into: &effects)
                #expect(effects.map(\.word).joined(separator: " ") == outcome, "\(place.name): \(name)")
                checkRest(manager, "\(place.name): \(name)")
                bench.managers[place.side] = manager
            }
        }
    }

    @Test func theTableHasEveryState() throws {
        let words = Set(try Self.table.map { place, _ in try #require(place.bench().managers[place.side]).state.word })
        #expect(
            words == [
                "idle", "encrypting", "requesting", "features", "legacy", "secureConnections", "encryption",
                "distribution", "closed",
            ])
    }

    /// Each PDU, whole and cut, in each state: no trap, an end at the latest when the time is up.
    @Test func everyPDUInEveryState() throws {
        for (place, _) in Self.table {
            for code in PairingCode.allDefined {
                let whole = try PairingPDU.blank(code).encoded
                for octets in [whole, Array(whole.dropLast()), [code.rawValue]] {
                    let bench = try place.bench()
                    var manager = try #require(bench.managers[place.side])
                    var effects: [SecurityManager.Effect] = []
                    manager.receive(octets.span, at: bench.now, into: &effects)
                    #expect(effects.count { $0.word == "failed" || $0.word == "secured" } <= 1)
                    #expect(effects.count { if case .bonded = $0 { true } else { false } } == 0)
                    checkRest(manager, "\(place.name): \(code)")
                    let end = bench.now + .seconds(46)
                    manager.advance(to: end, into: &effects)
                    #expect(!manager.isBusy, "\(place.name): \(code)")
                }
            }
        }
    }

    /// What is busy has a deadline; what is not has none.
    private func checkRest(_ manager: SecurityManager, _ comment: Comment) {
        #expect(manager.isBusy == (manager.nextDeadline != nil), comment)
        if manager.security.isBonded { #expect(manager.bond != nil, comment) }
    }
}

// MARK: - The way to a state

extension TableTests {
    private enum Step { case encrypting, provided, encrypted }

    /// Both have a bond. Up to a step the link is encrypted with its key.
    private static func bonded(upTo step: Step?) throws -> Bench {
        var before = Bench()
        before.run(.central, .secure(.encrypted))
        let bonds = [
            Bench.Side.central: try #require(before[.central].bonds.first),
            .peripheral: try #require(before[.peripheral].bonds.first),
        ]
        var bench = Bench(bonds: bonds)
        switch step {
        case nil: break
        case .encrypted: bench.run(.central, .secure(.encrypted))
        case .encrypting:
            bench.hasControllers = false
            bench.run(.central, .secure(.encrypted))
        case .provided:
            bench.hasControllers = false
            bench.run(.peripheral, .keyRequested(random: 0, encryptedDiversifier: 0))
        }
        return bench
    }

    /// A pairing in which one side falls silent with its PDU of that number.
    private static func silent(_ kind: RestartTests.Kind, _ side: Bench.Side, from step: Int) -> Bench {
        var bench = Bench(central: kind.policies.central, peripheral: kind.policies.peripheral)
        bench.intercept = { from, pdu, number in
            from == side && number >= step ? [] : [.init(to: from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(kind.level))
        return bench
    }

    /// A pairing in which one user says nothing.
    private static func asked(_ kind: RestartTests.Kind, _ side: Bench.Side) -> Bench {
        var bench = Bench(central: kind.policies.central, peripheral: kind.policies.peripheral)
        bench.users[side] = { _, _ in nil }
        bench.run(.central, .secure(kind.level))
        return bench
    }

    private static func withoutControllers() -> Bench {
        var bench = Bench()
        bench.hasControllers = false
        bench.run(.central, .secure(.encrypted))
        return bench
    }

    private static func silentInDistribution() throws -> Bench {
        var bench = Bench()
        try bench.configure(.central) {
            $0.ownIdentity = OwnIdentity(resolvingKey: try secret(1), address: $0.ownAddress)
        }
        bench.intercept = { from, pdu, _ in
            [.identityInformation, .identityAddressInformation].contains(pdu.code)
                ? [] : [.init(to: from.other, pdu: pdu)]
        }
        bench.run(.central, .secure(.encrypted))
        return bench
    }
}

extension SecurityManager.Effect {
    /// What it is, without what is in it.
    var word: String {
        switch self {
        case .transmit(let pdu): pdu.code.name ?? "other"
        case .ask: "ask"
        case .show: "show"
        case .withdraw: "withdraw"
        case .encrypt: "encrypt"
        case .provide(let key): key == nil ? "provide nothing" : "provide"
        case .bonded: "bonded"
        case .secured: "secured"
        case .failed: "failed"
        case .disconnect: "disconnect"
        case .note: "note"
        }
    }
}

extension SecurityManager.State {
    var word: String {
        switch self {
        case .idle: "idle"
        case .encrypting: "encrypting"
        case .requesting: "requesting"
        case .closed: "closed"
        case .pairing(let pairing):
            switch pairing.stage {
            case .features: "features"
            case .legacy: "legacy"
            case .secureConnections: "secureConnections"
            case .encryption: "encryption"
            case .distribution: "distribution"
            }
        }
    }
}
