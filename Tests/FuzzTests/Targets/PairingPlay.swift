import HCI
import SMP
import Wire

/// Two Security Managers, the controllers and users of both, and somebody between them. When the input is over they are left alone.
struct PairingPlay {
    private var central: PairingEnd
    private var peripheral: PairingEnd
    /// On their way, the oldest first.
    private var waiting: [(toCentral: Bool, payload: [UInt8])] = []
    /// All that has passed, for who repeats it.
    private var passed: [[UInt8]] = []

    init(_ choices: inout Choices) throws {
        central = PairingEnd(.central, &choices)
        peripheral = PairingEnd(.peripheral, &choices, bondKind: central.bondKind)
        let beginning = choices.octet()
        let level = SecurityLevel(rawValue: Int(beginning & 3) + 1) ?? .encrypted
        let input: SecurityManager.Input = beginning & 4 == 0 ? .secure(max(level, .encrypted)) : .pair(level)
        if beginning & 8 == 0 {
            try carryOut(central.handle(input), ofCentral: true)
        } else {
            try carryOut(peripheral.handle(input), ofCentral: false)
        }
    }

    /// Goes on, or does what somebody does who wants to disturb.
    mutating func step(_ choices: inout Choices) throws {
        switch choices.octet() % 16 {
        case 0, 1, 2, 3, 4, 5: try goOn(1 + Int(choices.octet() % 8))
        case 6:
            guard !waiting.isEmpty else { return }
            let place = Int(choices.octet())
            let bit = choices.octet()
            if place < waiting[0].payload.count { waiting[0].payload[place] ^= 1 << (bit % 8) }
        case 7: if !waiting.isEmpty { waiting.removeFirst() }
        case 8: if let first = waiting.first, waiting.count < 32 { waiting.insert(first, at: 0) }
        case 9: if !waiting.isEmpty { waiting[0].toCentral.toggle() }
        case 10:
            guard !passed.isEmpty else { return }
            try deliver(toCentral: choices.octet() & 1 == 0, passed[Int(choices.octet()) % passed.count])
        case 11: try deliver(toCentral: choices.octet() & 1 == 0, choices.pairingPDU())
        case 12: try handle(atCentral: choices.octet() & 1 == 0, .chosen(by: &choices))
        case 13: try answer(atCentral: choices.octet() & 1 == 0, isRight: choices.octet() & 3 != 0)
        case 14: try wait(.milliseconds(Int(choices.octet()) * 150))
        default: if waiting.count > 1 { waiting.swapAt(0, 1) }
        }
    }

    /// Left alone both come to an end.
    mutating func finish() throws {
        // A pairing is some fifty PDUs; what was wanted meanwhile may be one more.
        for _ in 0..<400 where !waiting.isEmpty || central.question != nil || peripheral.question != nil { try goOn(1) }
        try promise(waiting.isEmpty, "they do not talk for ever")
        try central.finish()
        try peripheral.finish()
    }

    private mutating func goOn(_ count: Int) throws {
        for _ in 0..<count {
            if !waiting.isEmpty {
                let next = waiting.removeFirst()
                try deliver(toCentral: next.toCentral, next.payload)
            } else {
                try answer(atCentral: true, isRight: true)
                try answer(atCentral: false, isRight: true)
            }
        }
    }

    private mutating func deliver(toCentral: Bool, _ payload: [UInt8]) throws {
        if passed.count < 256 { passed.append(payload) }
        if toCentral {
            try carryOut(central.receive(payload), ofCentral: true)
        } else {
            try carryOut(peripheral.receive(payload), ofCentral: false)
        }
    }

    /// What a controller says has to be true: it does not encrypt by the input's word.
    private mutating func handle(atCentral: Bool, _ input: SecurityManager.Input) throws {
        switch input {
        case .encryptionChanged(.success, isOn: true), .keyRequested: return
        default: break
        }
        if atCentral {
            try carryOut(central.handle(input), ofCentral: true)
        } else {
            try carryOut(peripheral.handle(input), ofCentral: false)
        }
    }

    private mutating func answer(atCentral: Bool, isRight: Bool) throws {
        let other = atCentral ? peripheral.shown : central.shown
        switch atCentral ? central.question : peripheral.question {
        case nil: return
        case .passkey?:
            guard let passkey = isRight ? other ?? Passkey(123_456) : Passkey(other?.value == 7 ? 8 : 7) else { return }
            try handle(atCentral: atCentral, .answered(.passkey(passkey)))
        case .comparison(let number)?:
            let others =
                if case .comparison(let it) = atCentral ? peripheral.question : central.question { it } else { number }
            try handle(atCentral: atCentral, .answered(.comparison(isRight && number == others)))
        }
    }

    private mutating func wait(_ duration: Duration) throws {
        try carryOut(central.wait(duration), ofCentral: true)
        try carryOut(peripheral.wait(duration), ofCentral: false)
    }

    private mutating func carryOut(_ effects: [SecurityManager.Effect], ofCentral isCentral: Bool) throws {
        for effect in effects {
            switch effect {
            case .transmit(let pdu): waiting.append((!isCentral, pdu.encoded))
            case .encrypt(let key): try encrypt(with: key)
            case .secured: try compare()
            default: continue
            }
        }
    }

    /// The controllers encrypt where both have the same key.
    private mutating func encrypt(with key: LongTermKey) throws {
        let name = SecurityManager.Input.keyRequested(
            random: key.random, encryptedDiversifier: key.encryptedDiversifier)
        let answers = try peripheral.handle(name)
        let given = answers.compactMap { if case .provide(let key) = $0 { key } else { nil } }.first
        guard let given else {
            try carryOut(central.handle(.encryptionChanged(.pinOrKeyMissing, isOn: false)), ofCentral: true)
            return
        }
        let isSame = given == key.key
        let input = SecurityManager.Input.encryptionChanged(isSame ? .success : .micFailure, isOn: isSame)
        // Both know before either goes on.
        let atPeripheral = try peripheral.handle(input)
        let atCentral = try central.handle(input)
        try carryOut(atPeripheral, ofCentral: false)
        try carryOut(atCentral, ofCentral: true)
    }

    /// Both mean the same, whatever was done to what they said.
    private func compare() throws {
        let (one, other) = (central.manager.security, peripheral.manager.security)
        guard one.level > .none, other.level > .none else { return }
        try promise(one.level == other.level, "protected as well: \(one), \(other)")
        try promise(one.keySize == other.keySize, "by keys of one size: \(one), \(other)")
    }
}
