import ATT
import HCI
public import SMP
import Wire

// Straps that want to be paired, each in its own way.
extension Scenario {
    /// By the protection that they demand and how they pair for it.
    public static let protected: [Scenario] = [
        secured("encrypted", "notifies on an encrypted link only: Insufficient Encryption (0x0F)"),
        secured("authentication", "the same, and says Insufficient Authentication (0x05)") {
            $0.measurement?.refusal = .insufficientAuthentication
        },
        secured("authorization", "the same, and says Insufficient Authorization (0x08)") {
            $0.measurement?.refusal = .insufficientAuthorization
        },
        secured("key-size", "the same, and says Encryption Key Size Too Short (0x0C)") {
            $0.measurement?.refusal = .encryptionKeySizeTooShort
        },
        secured("closed", "lets nothing be read or written on a link that is not encrypted") {
            $0.rest = $0.measurement
        },
        secured("closed-battery", "tells its battery's level on an encrypted link only") {
            $0.battery = $0.measurement
            $0.measurement = nil
        },
        secured("passkey", "wants the passkey on its label: 123456") { $0 = .label },
        secured("comparison", "shows a number that has to be the same as on the host; its wearer says yes") {
            $0.policy.ioCapability = .displayYesNo
            $0.policy.fixedPasskey = .simulated
            $0.measurement = .init(.authenticatedSecureConnections, refusal: .insufficientAuthentication)
        },
        secured("passkey-entry", "has its wearer enter the passkey that the host shows, or 123456") {
            $0.policy.ioCapability = .keyboardOnly
            $0.wearer.passkey = .simulated
            $0.measurement = .init(.authenticated, refusal: .insufficientAuthentication)
        },
        secured("legacy-pairing", "knows legacy pairing alone") { $0.policy.generation = .legacyOnly },
        secured("legacy-passkey", "the same, and wants the passkey on its label: 123456") {
            $0 = .label
            $0.policy.generation = .legacyOnly
        },
        secured("secure-only", "knows LE Secure Connections alone") {
            $0.policy.generation = .secureConnectionsOnly
            $0.measurement = .init(.encrypted, refusal: .insufficientAuthentication)
        },
        secured("out-of-band", "wants the data of its leaflet, for LE Secure Connections") { $0 = .leaflet },
        secured("legacy-out-of-band", "wants the temporary key of its leaflet, for legacy pairing") {
            $0 = .legacyLeaflet
        },
        secured("short-key", "makes keys of 7 octets at most") { $0.policy.maximumKeySize = 7 },
        signing,
        secured("not-bonding", "pairs and keeps no keys") { $0.policy.isBonding = false },
    ]

    /// By what they do with it later.
    public static let bonded: [Scenario] = [
        secured("security-request", "asks for an encrypted link by itself, as soon as it is connected") {
            $0.requests = .encrypted
        },
        secured("forgetful", "forgets its keys with each link, which it ends after about 40 s", .ending) {
            $0.memory = .forConnections(0)
        },
        secured("new-battery", "vanishes about every 40 s, and its keys are gone", .vanishing) {
            $0.memory = .untilSwitchedOff
        },
        secured("subscribed", "keeps with its keys what was subscribed to; ends the link after about 40 s", .ending) {
            $0.keepsSubscriptions = true
        },
        secured("bonded-only", "connects to nobody else once it is bonded; ends the link after about 40 s", .ending) {
            $0.acceptsOnlyBonded = true
        },
        secured("directed", "advertises to its bonded central alone; ends the link after about 40 s", .ending) {
            $0.advertisesToBonded = true
        },
        secured("rotating", "has another private address every 30 s; ends the link after about 40 s", .ending) {
            $0.hiding = .simulated
        },
        rotating("rotating-public", "the same, with a public address behind it") {
            $0.address = DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_01))
        },
        rotating("rotating-unresolved", "the same, with a controller that recognises nobody", .withoutPrivacy),
    ]

    /// The key that signs is announced and handed out like the others; nothing is ever signed with it.
    private static var signing: Scenario {
        var scenario = secured("signing", "hands out a key that proves what it signs") { $0.hiding = .simulated }
        let key = Misconduct.Part.octets([UInt8](repeating: 0x51, count: 16))
        for index in scenario.straps.indices {
            scenario.straps[index].misconduct =
                .on(.saying(.pairingResponse), .answer(.overwritten(at: 6, [0x06])))
                + .on(.saying(.identityAddressInformation), .answer(), .pairing([[0x0A], key]))
        }
        return scenario
    }

    private static func secured(
        _ name: String, _ summary: String, _ departure: StrapPlan.Departure? = nil,
        _ adjust: (inout SecurityPlan) -> Void = { _ in }
    ) -> Scenario {
        Scenario(
            name: name, summary: summary,
            straps: [
                .simulated(1) {
                    $0.departure = departure
                    $0.security = .encrypted
                    if var security = $0.security {
                        adjust(&security)
                        $0.security = security
                    }
                }
            ])
    }

    private static func rotating(
        _ name: String, _ summary: String, _ controller: ControllerPlan = ControllerPlan(),
        _ adjust: (inout StrapPlan) -> Void = { _ in }
    ) -> Scenario {
        Scenario(
            name: name, summary: summary, controller: controller,
            straps: [
                .simulated(1) {
                    $0.departure = .ending
                    $0.security = .encrypted
                    $0.security?.hiding = .simulated
                    adjust(&$0)
                }
            ])
    }
}

extension ControllerPlan {
    fileprivate static var withoutPrivacy: ControllerPlan { ControllerPlan().withoutPrivacy }
}

extension StrapPlan.Departure {
    /// It ends the link now and then and is there again.
    static let ending = Self(
        .after(.seconds(40)), .leaving(.remoteUserTerminated), returnsAfter: .seconds(3))
    /// It is gone now and then without a word.
    fileprivate static let vanishing = Self(.after(.seconds(40)), .vanishing, returnsAfter: .seconds(3))
}

// MARK: - Ways to pair

extension SecurityPlan {
    /// Encryption for the measurements, with anybody.
    public static var encrypted: SecurityPlan {
        var plan = SecurityPlan()
        plan.measurement = Demand(.encrypted, refusal: .insufficientEncryption)
        return plan
    }

    /// A passkey on a label, for the measurements.
    public static var label: SecurityPlan {
        var plan = SecurityPlan()
        plan.policy.ioCapability = .displayOnly
        plan.policy.fixedPasskey = .simulated
        plan.measurement = Demand(.authenticated, refusal: .insufficientAuthentication)
        return plan
    }

    /// Data on a leaflet, for LE Secure Connections.
    public static var leaflet: SecurityPlan {
        var plan = SecurityPlan()
        plan.outOfBand = SecretKey.simulated(0x20).map {
            Leaflet(random: $0, privateKey: [UInt8](repeating: 0x21, count: 32))
        }
        plan.measurement = Demand(.authenticatedSecureConnections, refusal: .insufficientAuthentication)
        return plan
    }

    /// A temporary key on a leaflet, for legacy pairing.
    public static var legacyLeaflet: SecurityPlan {
        var plan = SecurityPlan()
        plan.policy.generation = .legacyOnly
        plan.outOfBand = SecretKey.simulated(0x22).map { Leaflet(temporaryKey: $0) }
        plan.measurement = Demand(.authenticated, refusal: .insufficientAuthentication)
        return plan
    }
}

extension SecurityPlan.Hiding {
    /// Another address every 30 s: sooner than any real device, so that it is seen.
    public static var simulated: Self? { SecretKey.simulated(0x1D).map { Self(key: $0, period: .seconds(30)) } }
}

extension SecretKey {
    /// A key of the simulator's: no secret.
    static func simulated(_ octet: UInt8) -> SecretKey? { SecretKey([UInt8](repeating: octet, count: length)) }
}

extension Passkey {
    /// What labels in the simulator say, and what wearers try.
    public static let simulated = Passkey(123_456)
}
