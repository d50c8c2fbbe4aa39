import HCI
import SMP
import Wire

/// A Security Manager, and what it must never do.
struct PairingEnd {
    private(set) var manager: SecurityManager
    private(set) var now = Moment(nanoseconds: 1)
    /// What has been asked or shown, and not been answered or taken back.
    private var concern: Concern?
    private var hasDisconnected = false
    /// Whether the controller has said that the link is encrypted.
    private var isEncrypted = false

    private enum Concern: Equatable {
        case question(PairingQuestion)
        case shown(Passkey)
    }

    /// What kind of bond it has, if any.
    let bondKind: UInt8

    /// - Parameter bondKind: that of the other side, where there is one: a bond is the same at both
    init(_ role: Role, _ choices: inout Choices, bondKind: UInt8? = nil) {
        let isCentral = role == .central
        let (one, other) = (
            DeviceAddress(.random, Address(rawValue: 0xC000_0000_0001)),
            DeviceAddress(.random, Address(rawValue: choices.octet() & 1 == 0 ? 0x4000_0000_0002 : 0xC000_0000_0002))
        )
        var configuration = SecurityManager.Configuration(
            role: role, ownAddress: isCentral ? one : other, peerAddress: isCentral ? other : one)
        if let policy = try? PairingPolicy.chosen(by: &choices) { configuration.policy = policy }
        let flags = choices.octet()
        if flags & 1 != 0, let key = SecretKey([UInt8](repeating: 0x1D, count: 16)) {
            configuration.ownIdentity = OwnIdentity(resolvingKey: key, address: one)
        }
        if flags & 2 != 0 { configuration.notBefore = Moment(nanoseconds: 500_000_000) }
        self.bondKind = bondKind ?? flags & 0x18
        let bond =
            flags & 4 == 0
            ? nil : Bond.sample(self.bondKind, peer: configuration.peerAddress, own: configuration.ownAddress)
        manager = SecurityManager(
            configuration, bond: bond, toolbox: flags & 128 != 0 ? nil : QuickToolbox(seed: isCentral ? 1 : 2))
    }

    @discardableResult
    mutating func receive(_ payload: [UInt8]) throws -> [SecurityManager.Effect] {
        var effects: [SecurityManager.Effect] = []
        manager.receive(payload.span, at: now, into: &effects)
        try inspect(effects)
        return effects
    }

    @discardableResult
    mutating func handle(_ input: SecurityManager.Input) throws -> [SecurityManager.Effect] {
        if case .encryptionChanged(.success, let isOn) = input { isEncrypted = isOn }
        if case .answered(let answer) = input, case .question(let question) = concern, answer.answers(question) {
            concern = nil
        }
        var effects: [SecurityManager.Effect] = []
        manager.handle(input, at: now, into: &effects)
        try inspect(effects)
        return effects
    }

    @discardableResult
    mutating func wait(_ duration: Duration) throws -> [SecurityManager.Effect] {
        now = now + duration
        var effects: [SecurityManager.Effect] = []
        manager.advance(to: now, into: &effects)
        try inspect(effects)
        if let due = manager.nextDeadline { try promise(due > now, "what is due has been done") }
        return effects
    }

    /// When nothing more comes it is over within a minute and a half, whatever was under way: one step wakes at most one other.
    mutating func finish() throws {
        for _ in 0..<2 { try wait(.seconds(45)) }
        try promise(!manager.isBusy, "silence ends everything")
        try promise(concern == nil, "nobody is left with a question")
    }

    /// What the user is asked just now.
    var question: PairingQuestion? { if case .question(let question) = concern { question } else { nil } }

    /// What the user is shown just now.
    var shown: Passkey? { if case .shown(let passkey) = concern { passkey } else { nil } }

    private mutating func inspect(_ effects: [SecurityManager.Effect]) throws {
        try promise(manager.isBusy == (manager.nextDeadline != nil), "what is under way has a deadline")
        try promise(effects.count <= 16, "one step does little: \(effects)")
        var outcomes = 0
        for effect in effects {
            switch effect {
            case .transmit(let pdu): try inspect(pdu)
            case .ask(let question):
                try promise(concern == nil, "one question at a time")
                concern = .question(question)
            case .show(let passkey):
                try promise(concern == nil, "one question at a time")
                concern = .shown(passkey)
            case .withdraw:
                try promise(concern != nil, "nothing is taken back that was not there")
                concern = nil
            case .bonded(let bond):
                try promise(isEncrypted, "keys are kept of an encrypted link only")
                try promise(bond.level > .none, "a bond protects")
                for key in [bond.centralKey, bond.peripheralKey] { try inspect(key) }
            case .encrypt(let key):
                try promise(manager.configuration.role == .central, "a central encrypts")
                try inspect(key)
            case .provide:
                try promise(manager.configuration.role != .central || effect == .provide(nil), "a peripheral provides")
            case .secured, .failed: outcomes += 1
            case .disconnect: hasDisconnected = true
            case .note: continue
            }
        }
        try promise(outcomes <= 1, "one end: \(effects)")
        try promise(manager.security.level == .none || isEncrypted, "what is not encrypted protects nothing")
    }

    /// What is sent at all, when, and by whom.
    private func inspect(_ pdu: PairingPDU) throws {
        try promise(!hasDisconnected, "after the end nothing is sent")
        let isCentral = manager.configuration.role == .central
        switch pdu {
        case .pairingRequest: try promise(isCentral, "a central requests a pairing")
        case .pairingResponse, .securityRequest: try promise(!isCentral, "a peripheral responds")
        case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation:
            try promise(isEncrypted, "keys are handed out over an encrypted link only")
        default: return
        }
    }

    private func inspect(_ key: LongTermKey?) throws {
        guard let key else { return }
        try promise((7...16).contains(key.size), "a key of \(key.size) octets")
        try promise(key.key.octets.dropFirst(key.size).allSatisfy { $0 == 0 }, "a key is cut to its size")
    }
}

extension PairingAnswer {
    /// Whether it is one to that question.
    fileprivate func answers(_ question: PairingQuestion) -> Bool {
        switch (self, question) {
        case (.none, _), (.passkey, .passkey), (.comparison, .comparison): true
        case (.passkey, .comparison), (.comparison, .passkey): false
        }
    }
}

extension Bond {
    /// A bond that both sides of a play can have.
    static func sample(_ kind: UInt8, peer: DeviceAddress, own: DeviceAddress) -> Bond? {
        guard let key = SecretKey([UInt8](repeating: 0xB0, count: 16)) else { return nil }
        let level: SecurityLevel = kind & 8 == 0 ? .encrypted : .authenticated
        var bond = Bond(identity: peer, level: level, ownAddress: own)
        let isLegacy = kind & 16 != 0
        let kept = LongTermKey(key: key, size: 16, encryptedDiversifier: isLegacy ? 8 : 0, random: isLegacy ? 1 : 0)
        bond.centralKey = kept
        bond.peripheralKey = isLegacy ? kept : nil
        return bond
    }
}
