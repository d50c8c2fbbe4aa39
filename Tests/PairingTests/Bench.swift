import Cryptography
import HCI
import Testing
import Wire

@testable import SMP

/// Two Security Managers with a link, its controllers and two users between them.
struct Bench {
    enum Side: CaseIterable {
        case central, peripheral

        var other: Side { self == .central ? .peripheral : .central }
    }

    /// What one side has done.
    struct Record {
        var effects: [SecurityManager.Effect] = []
        var shown: Passkey?

        var transmitted: [PairingPDU] { effects.compactMap { if case .transmit(let pdu) = $0 { pdu } else { nil } } }
        var bonds: [Bond] { effects.compactMap { if case .bonded(let bond) = $0 { bond } else { nil } } }
        var secured: [LinkProtection] { effects.compactMap { if case .secured(let it) = $0 { it } else { nil } } }
        var failures: [SecurityFailure] { effects.compactMap { if case .failed(let it) = $0 { it } else { nil } } }
        var questions: [PairingQuestion] { effects.compactMap { if case .ask(let it) = $0 { it } else { nil } } }
        var keys: [LongTermKey] { effects.compactMap { if case .encrypt(let key) = $0 { key } else { nil } } }
        var withdrawals: Int { effects.count { $0 == .withdraw } }
        var reasons: [PairingFailure] {
            transmitted.compactMap { if case .pairingFailed(let failed) = $0 { failed.reason } else { nil } }
        }
        var models: [AssociationModel] {
            effects.compactMap { if case .note(.pairing(let model, _)) = $0 { model } else { nil } }
        }
    }

    /// Whoever sits between the two: what it makes of a PDU on its way, the number of which counts from 0 at each side.
    typealias Interceptor = (_ from: Side, _ pdu: PairingPDU, _ number: Int) -> [Delivery]

    /// A PDU on its way.
    struct Delivery {
        var to: Side
        var pdu: PairingPDU
    }

    static let centralAddress = DeviceAddress(.random, Address(rawValue: 0xC0FF_EE00_0001))
    static let peripheralAddress = DeviceAddress(.public, Address(rawValue: 0x0A0B_0C0D_0E0F))

    var managers: [Side: SecurityManager] = [:]
    var records: [Side: Record] = [.central: Record(), .peripheral: Record()]
    var now = Moment(nanoseconds: 1_000_000_000)
    /// What each user says; `nil` says nothing.
    var users: [Side: (PairingQuestion, Bench) -> PairingAnswer?] = [:]
    var intercept: Interceptor = { from, pdu, _ in [Delivery(to: from.other, pdu: pdu)] }

    /// Whether the controllers do what they are asked for.
    var hasControllers = true

    private var waiting: [(Side, Event)] = []
    private var open: [(Side, PairingQuestion)] = []
    private var numbers: [Side: Int] = [:]

    private enum Event {
        case pdu(PairingPDU)
        case input(SecurityManager.Input)
    }

    /// - Parameter seed: of all that is random
    init(
        central: PairingPolicy = PairingPolicy(), peripheral: PairingPolicy = PairingPolicy(),
        bonds: [Side: Bond] = [:], toolboxes: [Side: any SecurityToolbox] = [:], seed: UInt64 = 1
    ) {
        for side in Side.allCases {
            let isCentral = side == .central
            var configuration = SecurityManager.Configuration(
                role: isCentral ? .central : .peripheral,
                ownAddress: isCentral ? Self.centralAddress : Self.peripheralAddress,
                peerAddress: isCentral ? Self.peripheralAddress : Self.centralAddress)
            configuration.policy = isCentral ? central : peripheral
            managers[side] = SecurityManager(
                configuration, bond: bonds[side],
                toolbox: toolboxes[side] ?? SeededToolbox(seed: isCentral ? seed : seed + 1000))
            users[side] = { question, bench in
                switch question {
                case .comparison: .comparison(true)
                // What the other side shows, or what both users have thought up.
                case .passkey: .passkey(bench.records[side.other]?.shown ?? Passkey(remainder: 480_017))
                }
            }
        }
    }

    subscript(side: Side) -> Record { records[side] ?? Record() }

    /// Changes one side's configuration.
    mutating func configure(_ side: Side, _ change: (inout SecurityManager.Configuration) throws -> Void) rethrows {
        if var configuration = managers[side]?.configuration {
            try change(&configuration)
            managers[side]?.configuration = configuration
        }
    }

    /// Has somebody between the two change what passes.
    mutating func alter(_ change: @escaping (_ from: Side, _ pdu: inout PairingPDU) -> Void) {
        intercept = { from, pdu, _ in
            var pdu = pdu
            change(from, &pdu)
            return [Delivery(to: from.other, pdu: pdu)]
        }
    }

    /// Lets something happen at one side, and all that follows from it at both.
    mutating func run(_ side: Side, _ input: SecurityManager.Input) {
        waiting.append((side, .input(input)))
        drain()
    }

    /// Has a PDU come to one side from wherever.
    mutating func send(to side: Side, _ pdu: PairingPDU) {
        waiting.append((side, .pdu(pdu)))
        drain()
    }

    /// Has octets come to one side.
    mutating func send(to side: Side, octets: [UInt8]) {
        var effects: [SecurityManager.Effect] = []
        managers[side]?.receive(octets.span, at: now, into: &effects)
        carryOut(effects, of: side)
        drain()
    }

    mutating func wait(_ duration: Duration) {
        now = now + duration
        for side in Side.allCases {
            var effects: [SecurityManager.Effect] = []
            managers[side]?.advance(to: now, into: &effects)
            carryOut(effects, of: side)
        }
        drain()
    }

    mutating func drain() {
        while true {
            if !waiting.isEmpty {
                let (side, event) = waiting.removeFirst()
                handle(event, at: side)
            } else if !open.isEmpty {
                let (side, question) = open.removeFirst()
                if let answer = users[side]?(question, self) { handle(.input(.answered(answer)), at: side) }
            } else {
                return
            }
        }
    }

    private mutating func handle(_ event: Event, at side: Side) {
        var effects: [SecurityManager.Effect] = []
        switch event {
        case .pdu(let pdu): managers[side]?.receive(pdu.encoded.span, at: now, into: &effects)
        case .input(let input): managers[side]?.handle(input, at: now, into: &effects)
        }
        carryOut(effects, of: side)
    }

    private mutating func carryOut(_ effects: [SecurityManager.Effect], of side: Side) {
        records[side]?.effects += effects
        for effect in effects {
            switch effect {
            case .transmit(let pdu):
                let number = numbers[side, default: 0]
                numbers[side] = number + 1
                waiting += intercept(side, pdu, number).map { ($0.to, .pdu($0.pdu)) }
            case .ask(let question): open.append((side, question))
            case .show(let passkey): records[side]?.shown = passkey
            case .encrypt(let key):
                guard hasControllers else { continue }
                waiting.append(
                    (
                        .peripheral,
                        .input(.keyRequested(random: key.random, encryptedDiversifier: key.encryptedDiversifier))
                    ))
            case .provide(let key): encrypt(key)
            case .withdraw, .bonded, .secured, .failed, .disconnect, .note: break
            }
        }
    }

    /// What the controllers make of the peripheral's answer.
    private mutating func encrypt(_ key: SecretKey?) {
        guard hasControllers, let asked = self[.central].keys.last else { return }
        if let key, key == asked.key {
            for side in Side.allCases { waiting.append((side, .input(.encryptionChanged(.success, isOn: true)))) }
        } else if key == nil {
            waiting.append((.central, .input(.encryptionChanged(.pinOrKeyMissing, isOn: false))))
        } else {
            for side in Side.allCases { waiting.append((side, .input(.encryptionChanged(.micFailure, isOn: false)))) }
        }
    }
}

extension PairingPolicy {
    init(_ capability: IOCapability, _ change: (inout PairingPolicy) -> Void = { _ in }) {
        self.init()
        ioCapability = capability
        change(&self)
    }
}

/// A secret value of sixteen times the same octet.
func secret(_ octet: UInt8) throws -> SecretKey { try #require(SecretKey([UInt8](repeating: octet, count: 16))) }
