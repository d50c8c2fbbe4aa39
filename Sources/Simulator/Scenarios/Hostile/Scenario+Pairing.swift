import ATT
import HCI
import L2CAP
import SMP
import Wire

// Straps that demand an encrypted link and are dishonest, or clumsy, about it.
extension Scenario {
    static let dishonest: [Scenario] =
        attacks + impostors + refusedPairings + silentPairings + brokenPairings + leavingPairings

    // MARK: Attacks on the pairing

    private static let attacks: [Scenario] = [
        pairing(
            "reflected-key", "sends our own public key back",
            .on(.pairing(.pairingPublicKey), .pairing([[0x0C], .ofRequest(at: 1, count: 64)]))),
        pairing(
            "off-curve", "sends a public key that is no point of the curve",
            .on(.saying(.pairingPublicKey), .answer(.overwritten(at: 33, [0x01, 0x02, 0x03, 0x04])))),
        pairing(
            "zero-y", "sends a public key whose second half is zero",
            .on(.saying(.pairingPublicKey), .answer(.overwritten(at: 33, [UInt8](repeating: 0, count: 32))))),
        pairing("debug-key", "uses the pair of keys that everybody knows") { $0.policy.usesDebugKeys = true },
        pairing(
            "downgraded-key", "answers that it makes keys of 7 octets at most",
            .on(.saying(.pairingResponse), .answer(.overwritten(at: 4, [0x07])))),
        pairing(
            "downgraded-generation", "answers that it knows legacy pairing alone, with keys of 7 octets",
            .on(.saying(.pairingResponse), .answer(.overwritten(at: 3, [0x01, 0x07])))),
        pairing("repeated-nonce", "wants the passkey on its label, and has one random value for all", at: .label) {
            $0.hasOneRandomValue = true
        },
        pairing(
            "reflected-confirm", "wants the passkey on its label, and sends back what we commit to", at: .label,
            .on(.pairing(.pairingConfirm), .pairing([[0x03], .ofRequest(at: 1, count: 16)]))),
        pairing(
            "replayed-confirm", "wants the passkey on its label, and commits to the same each round", at: .label,
            .on(.saying(.pairingConfirm), turns: 2...Int.max, .again(.pairingConfirm))),
        pairing(
            "other-random", "shows another random value than it committed to",
            .on(.saying(.pairingRandom), .answer(.overwritten(at: 1, .made(8))))),
        pairing(
            "legacy-other-random", "knows legacy pairing alone, and shows another value than it committed to",
            at: .legacy, .on(.saying(.pairingRandom), .answer(.overwritten(at: 1, .made(8))))),
        pairing(
            "legacy-reflected-confirm", "knows legacy pairing alone, and sends back what we commit to and show",
            at: .legacy,
            .on(.pairing(.pairingConfirm), .pairing([[0x03], .ofRequest(at: 1, count: 16)]))
                + .on(.pairing(.pairingRandom), .pairing([[0x04], .ofRequest(at: 1, count: 16)]))),
        pairing(
            "wrong-check", "proves the pairing with a check that is wrong",
            .on(.saying(.pairingDHKeyCheck), .answer(.overwritten(at: 1, .made(8))))),
        pairing(
            "reflected-check", "sends back our own proof of the pairing",
            .on(.pairing(.pairingDHKeyCheck), .pairing([[0x0D], .ofRequest(at: 1, count: 16)]))),
        pairing(
            "restarts-pairing", "begins the pairing anew in the middle of it",
            .on(.pairing(.pairingRandom), .again(.pairingResponse))),
        pairing(
            "restarts-key", "sends its public key a second time, after the random values",
            .on(.pairing(.pairingRandom), .answer(), .again(.pairingPublicKey))),
        pairing(
            "early-keys", "hands keys out before the link is encrypted",
            .on(
                .pairing(.pairingRandom), .pairing([[0x06], .octets(.made(16))]),
                .pairing([[0x08], .octets(.made(16))]), .answer())),
        pairing(
            "borrowed-identity", "says that the address of another strap is its own", at: .hidden,
            .on(.saying(.identityAddressInformation), .answer(.overwritten(at: 1, .otherStrap)))),
        pairing(
            "no-identity", "says that a private address is its lasting one", at: .hidden,
            .on(.saying(.identityAddressInformation), .answer(.overwritten(at: 7, [0x40])))),
    ]

    // MARK: Those who pretend to be bonded

    private static let impostors: [Scenario] = [
        pairing("made-up-key", "pairs, and encrypts with another key", .on(.keyRequest, .key(.made(16)))),
        pairing(
            "impostor", "pairs honestly; on the next link it encrypts with another key",
            .on(.keyRequest, connections: 2...Int.max, .key(.made(16))), departs: .ending),
        pairing(
            "denies-bond", "pairs honestly; on the next link it has no key",
            .on(.keyRequest, connections: 2...Int.max, .key(nil)), departs: .ending),
        pairing(
            "mute-encryption", "pairs honestly; on the next link it never gives its key",
            .on(.keyRequest, connections: 2...Int.max), departs: .ending),
        pairing(
            "open-again", "asks to be paired; has no key on the next link, and would measure",
            .on(.keyRequest, connections: 2...Int.max, .key(nil)), departs: .ending
        ) {
            $0.measurement = nil
            $0.requests = .encrypted
        },
    ]

    // MARK: Refusals

    private static let refusedPairings: [Scenario] =
        (1...15 as ClosedRange<UInt8>).map { reason in
            let reason = PairingFailure(rawValue: reason)
            return pairing(
                "refuses-pairing-" + String(reason.hexadecimal.dropFirst(2)).lowercased(),
                "refuses to be paired (\(reason.hexadecimal))",
                .on(.pairing(.pairingRequest), .pairing([[0x05, reason.rawValue]])))
        } + [
            pairing(
                "refuses-key", "refuses our public key: Invalid Parameters",
                .on(.pairing(.pairingPublicKey), .pairing([[0x05, 0x0A]]))),
            pairing(
                "refuses-check", "refuses the proof of the pairing: DHKey Check Failed",
                .on(.pairing(.pairingDHKeyCheck), .pairing([[0x05, 0x0B]]))),
            pairing("refuses-number", "shows a number, and its wearer says that it is another", at: .compared) {
                $0.wearer.confirms = false
            },
        ]

    // MARK: Silence

    private static let silentPairings: [Scenario] = [
        pairing("mute-pairing", "never answers that it will pair", .on(.pairing(.pairingRequest))),
        pairing("mute-key", "never sends its public key", .on(.pairing(.pairingPublicKey))),
        pairing("mute-random", "never shows its random value", .on(.pairing(.pairingRandom))),
        pairing("mute-check", "never proves the pairing", .on(.pairing(.pairingDHKeyCheck))),
        pairing(
            "keeps-its-keys", "promises its identity and never tells it", at: .hidden,
            .on(.saying(.identityInformation)) + .on(.saying(.identityAddressInformation))),
    ]

    // MARK: Nonsense

    private static let brokenPairings: [Scenario] = [
        pairing(
            "cut-response", "breaks its answer to the pairing off",
            .on(.saying(.pairingResponse), .answer(.cut(to: 5)))),
        pairing("cut-key", "breaks its public key off", .on(.saying(.pairingPublicKey), .answer(.cut(to: 40)))),
        pairing("cut-random", "breaks its random value off", .on(.saying(.pairingRandom), .answer(.cut(to: 9)))),
        pairing(
            "cut-failure", "refuses to be paired, and breaks off before the reason",
            .on(.pairing(.pairingRequest), .pairing([[0x05]]))),
        pairing(
            "impossible-key", "makes keys of 4 octets, which nobody may",
            .on(.saying(.pairingResponse), .answer(.overwritten(at: 4, [0x04])))),
        pairing(
            "impossible-io", "has abilities that do not exist",
            .on(.saying(.pairingResponse), .answer(.overwritten(at: 1, [0x09])))),
        pairing(
            "more-keys", "promises every kind of key, and hands none out",
            .on(.saying(.pairingResponse), .answer(.overwritten(at: 5, [0x0F, 0x0F])))),
        pairing(
            "asks-for-pairing", "asks to be paired as if it were the central",
            .on(.pairing(.pairingRequest), .pairing([[0x01, 0x03, 0x00, 0x09, 0x10, 0x03, 0x03]]), .answer())),
        pairing(
            "unknown-pairing-pdus", "sends empty messages and unknown ones before its own",
            .on(
                .saying(.pairingResponse), .frame(.securityManager, [0x3F, 0x01]), .frame(.securityManager, []),
                .answer())
                + .on(.saying(.pairingPublicKey), .frame(.securityManager, [0xFF]), .answer())),
        pairing(
            "floods-security-requests", "asks for an encrypted link twenty times a second",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(50), .frame(.securityManager, [0x0B, 0x09]))),
        pairing(
            "asks-for-too-much", "asks for a protection that it cannot give",
            .unasked(since: .connection, after: .zero, .frame(.securityManager, [0x0B, 0x0D]))),
    ]

    // MARK: Leaving

    private static let leavingPairings: [Scenario] = [
        pairing(
            "leaves-pairing", "ends the link instead of pairing (0x13)",
            .on(.pairing(.pairingRequest), .leave(.remoteUserTerminated))),
        pairing(
            "leaves-encrypting", "ends the link instead of giving its key (0x05)",
            .on(.keyRequest, .leave(.authenticationFailure))),
        pairing("vanishes-pairing", "vanishes in the middle of the pairing", .on(.pairing(.pairingRandom), .vanish)),
    ]

    private static func pairing(
        _ name: String, _ summary: String, at security: SecurityPlan = .encrypted,
        _ misconduct: Misconduct = Misconduct(), departs: StrapPlan.Departure? = nil,
        _ adjust: (inout SecurityPlan) -> Void = { _ in }
    ) -> Scenario {
        var security = security
        adjust(&security)
        return hostile(name, summary, misconduct) {
            $0.security = security
            $0.departure = departs
        }
    }
}

extension [UInt8] {
    /// So many octets that nobody could have meant.
    fileprivate static func made(_ count: Int) -> [UInt8] {
        (0..<count).map { 0xA5 ^ UInt8(truncatingIfNeeded: 29 * $0) }
    }

    /// The kind and the address of the second strap of the simulator, as in Identity Address Information.
    fileprivate static let otherStrap: [UInt8] = [0x01, 0x02, 0x53, 0x00, 0x5E, 0x00, 0xC0]
}

extension SecurityPlan {
    fileprivate static var legacy: SecurityPlan {
        var plan = SecurityPlan.encrypted
        plan.policy.generation = .legacyOnly
        return plan
    }

    fileprivate static var hidden: SecurityPlan {
        var plan = SecurityPlan.encrypted
        plan.hiding = .simulated
        return plan
    }

    fileprivate static var compared: SecurityPlan {
        var plan = SecurityPlan.encrypted
        plan.policy.ioCapability = .displayYesNo
        plan.measurement = Demand(.authenticated, refusal: .insufficientAuthentication)
        return plan
    }
}
