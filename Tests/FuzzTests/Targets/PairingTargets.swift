import HCI
import SMP
import Wire

extension FuzzTarget {
    /// One Security Manager, in either role, to which anything is said at any time by peer, controller and user.
    static let pairing = FuzzTarget(name: "pairing") { octets in
        var choices = Choices(octets)
        let role: Role = choices.octet() & 1 == 0 ? .central : .peripheral
        var end = PairingEnd(role, &choices)
        while !choices.isEmpty {
            switch choices.octet() % 8 {
            case 0: try end.receive(choices.piece())
            case 1, 2, 3: try end.receive(choices.pairingPDU())
            case 4, 5, 6: try end.handle(.chosen(by: &choices))
            default: try end.wait(.milliseconds(Int(choices.octet()) * 200))
            }
        }
        try end.finish()
    }

    /// Two Security Managers with each other, and somebody between them who changes, drops, repeats and adds PDUs. Where both say that
    /// the link is secure they mean the same key, and protection as good.
    static let pairingBetween = FuzzTarget(name: "pairing-between") { octets in
        var choices = Choices(octets)
        var play = try PairingPlay(&choices)
        while !choices.isEmpty { try play.step(&choices) }
        try play.finish()
    }
}

extension Choices {
    /// A pairing PDU of the right length, with content from the input.
    mutating func pairingPDU() -> [UInt8] {
        let lengths = [6, 6, 16, 16, 1, 16, 10, 16, 7, 16, 1, 64, 16, 1]
        let code = octet() % 16
        let count = code >= 1 && Int(code) <= lengths.count ? lengths[Int(code) - 1] : 2
        let content = take(count)
        return [code] + content + [UInt8](repeating: 0, count: count - content.count)
    }
}

extension SecurityManager.Input {
    static func chosen(by choices: inout Choices) -> SecurityManager.Input {
        let kind = choices.octet()
        let detail = choices.octet()
        let level = SecurityLevel(rawValue: Int(detail % 4) + 1) ?? .encrypted
        switch kind % 10 {
        case 0: return .secure(level)
        case 1: return .pair(level)
        case 2: return .answered(.none)
        case 3: return .answered(.comparison(detail & 1 == 0))
        case 4: return Passkey(UInt32(detail)).map { .answered(.passkey($0)) } ?? .cancelled
        case 5: return .encryptionChanged(detail & 7 < 4 ? .success : Status(rawValue: detail), isOn: detail & 8 == 0)
        case 6: return .keyRequested(random: 0, encryptedDiversifier: 0)
        case 7: return .keyRequested(random: UInt64(detail), encryptedDiversifier: UInt16(detail) << 3)
        case 8: return .encrypt
        default: return .cancelled
        }
    }
}

extension PairingPolicy {
    /// A policy of three octets. Zeros are the one that comes by itself.
    static func chosen(by choices: inout Choices) throws -> PairingPolicy {
        var policy = PairingPolicy()
        let (first, second, third) = (choices.octet(), choices.octet(), choices.octet())
        policy.ioCapability = IOCapability(rawValue: (first &+ 3) % 5)
        policy.generation = [.any, .secureConnectionsOnly, .legacyOnly, .any][Int(second & 3)]
        policy.isBonding = second & 4 == 0
        policy.usesDebugKeys = second & 8 != 0
        policy.minimumKeySize = 16 - Int(second >> 4)
        policy.maximumKeySize = 16 - Int(third & 15)
        policy.fixedPasskey = third & 16 == 0 ? nil : Passkey(UInt32(third))
        if third & 32 != 0 { policy.outOfBand = try data(third) }
        return policy
    }

    /// Data that go another way. Both sides of a play have got them from the same source.
    private static func data(_ kinds: UInt8) throws -> OutOfBand {
        var data = OutOfBand()
        let made = try QuickToolbox(seed: 55).makeOutOfBandData()
        if kinds & 64 != 0 { data.peer = made.told }
        if kinds & 128 != 0 { data.own = made.own }
        data.temporaryKey = SecretKey([UInt8](repeating: 0x55, count: 16))
        return data
    }
}
