import Cryptography
import HCI
import SMP
import Simulator
import TestSupport
import Wire

/// A world spoken to in octets, and the security of one connection to it: a Security Manager as central, with nothing of the host.
struct SecureBench {
    var bench: Bench
    let screen = HostScreen()
    let toolbox = SeededToolbox(seed: 77)
    private(set) var manager: SecurityManager
    /// What the Security Manager brought about, in order.
    private(set) var effects: [SecurityManager.Effect] = []
    /// What this side answers to a question; `nil` for not at all.
    var answer: PairingAnswer? = .comparison(true)
    /// The central's address on air.
    var own = DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_00))
    /// Which of its own addresses the controller is told to use.
    var ownKind = "00"
    var identity: OwnIdentity?
    var policy: PairingPolicy
    /// Whether the strap's wearer cannot see what is shown here.
    var isScreenHidden = false
    private var bond: Bond?
    private var looked = 0
    private var frame: [UInt8] = []

    init(_ scenario: Scenario, _ policy: PairingPolicy = PairingPolicy()) {
        bench = Bench(scenario, screen: screen)
        self.policy = policy
        manager = SecurityManager(
            .init(role: .central, ownAddress: own, peerAddress: .zero), bond: nil, toolbox: toolbox)
        bench.start()
    }

    /// The last level that was told, and the failure where there was one.
    var security: LinkProtection { manager.security }
    var failure: SecurityFailure? {
        effects.lazy.reversed().compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first
    }
    /// Whether a pairing took place on this connection.
    var hasPaired: Bool {
        effects.contains { if case .note(.pairing) = $0 { true } else { false } }
    }

    /// Connects with a command, the bond of earlier connections with it.
    mutating func connect(
        _ command: String = "01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000"
    ) -> Bool {
        looked = bench.received.count
        bench.send(command)
        guard let completion = bench.wait(for: "04 3E 1F 0A 00"), completion.count > 26 else { return false }
        func address(at place: Int) -> Address {
            Address(rawValue: completion[place..<place + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        let peer = DeviceAddress(AddressKind(rawValue: completion[8]), address(at: 9))
        let peerPrivate = address(at: 21)
        let onAir = peerPrivate == .zero ? peer : DeviceAddress(.random, peerPrivate)
        let ownPrivate = address(at: 15)
        var configuration = SecurityManager.Configuration(
            role: .central, ownAddress: ownPrivate == .zero ? own : DeviceAddress(.random, ownPrivate),
            peerAddress: onAir)
        configuration.policy = policy
        configuration.ownIdentity = identity
        manager = SecurityManager(configuration, bond: bond, toolbox: toolbox)
        effects = []
        frame = []
        return true
    }

    /// Connects to whoever advertises first, under whatever address.
    mutating func connectToWhoever() {
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        let report = bench.wait(for: "04 3E") ?? []
        bench.send("01 0C20 02 00 00")
        let address = Array(report.dropFirst(6).prefix(7)).hexadecimal
        if !connect("01 0D20 19 6000 3000 00 \(address) \(ownKind) 2800 2800 0000 F401 0000 0000") { pass(.zero) }
    }

    /// Ends the connection.
    mutating func disconnect() {
        bench.send("01 0604 03 4000 13")
        _ = bench.wait(for: "04 05")
        bond = manager.bond
        looked = bench.received.count
    }

    /// Has the link protected and lets time pass until that has ended, one way or another.
    mutating func secure(_ level: SecurityLevel, within limit: Duration = .seconds(60)) {
        handle(.secure(level))
        settle(within: limit)
    }

    mutating func pair(_ level: SecurityLevel, within limit: Duration = .seconds(60)) {
        handle(.pair(level))
        settle(within: limit)
    }

    /// Lets time pass until nothing is under way.
    mutating func settle(within limit: Duration = .seconds(60)) {
        let end = bench.now + limit
        while bench.now < end, manager.isBusy { pass(.milliseconds(10)) }
        pass(.milliseconds(200))
    }

    mutating func pass(_ duration: Duration) {
        bench.run(for: duration)
        while looked < bench.received.count {
            let packet = bench.received[looked].packet
            looked += 1
            take(packet)
        }
        if let due = manager.nextDeadline, due <= bench.now {
            act { manager, effects, now in manager.advance(to: now, into: &effects) }
        }
    }

    /// An ATT request whose answer is not looked for by the Security Manager.
    @discardableResult
    mutating func ask(_ pdu: String) -> [UInt8]? {
        let answer = bench.ask(pdu)
        pass(.zero)
        return answer
    }

    // MARK: Between the two

    private mutating func take(_ packet: [UInt8]) {
        if packet.starts(with: octets("04 08 04")) {
            handle(.encryptionChanged(Status(rawValue: packet[3]), isOn: packet[6] != 0))
        } else if packet.starts(with: octets("04 30 03")) {
            handle(.encryptionChanged(Status(rawValue: packet[3]), isOn: true))
        } else if packet.starts(with: [0x02, 0x40, 0x20]) {
            frame = Array(packet.dropFirst(5))
        } else if packet.starts(with: [0x02, 0x40, 0x10]) {
            frame += packet.dropFirst(5)
        }
        guard frame.count >= 4, frame.count == 4 + Int(frame[0]) + Int(frame[1]) << 8 else { return }
        let whole = frame
        frame = []
        guard whole[2] == 0x06 else { return }
        act { manager, effects, now in manager.receive(Array(whole.dropFirst(4)).span, at: now, into: &effects) }
    }

    private mutating func handle(_ input: SecurityManager.Input) {
        act { manager, effects, now in manager.handle(input, at: now, into: &effects) }
    }

    private mutating func act(
        _ act: (inout SecurityManager, inout [SecurityManager.Effect], Moment) -> Void
    ) {
        var new: [SecurityManager.Effect] = []
        act(&manager, &new, bench.now)
        effects += new
        for effect in new { carryOut(effect) }
    }

    private mutating func carryOut(_ effect: SecurityManager.Effect) {
        switch effect {
        case .transmit(let pdu):
            let payload = pdu.encoded
            // So long a frame goes in pieces of 27 octets over the air, and in one to the controller.
            bench.sendACL([UInt8(payload.count), 0x00, 0x06, 0x00] + payload)
        case .encrypt(let key):
            var command = octets("01 1920 1C 4000")
            command += (0..<8).map { UInt8(truncatingIfNeeded: key.random >> (8 * UInt64($0))) }
            command.append(littleEndian: key.encryptedDiversifier)
            bench.send((command + key.key.octets).hexadecimal)
        case .show(let passkey): if !isScreenHidden { screen.passkey = passkey }
        case .ask(.comparison(let number)):
            if !isScreenHidden { screen.passkey = number }
            if let answer { handle(.answered(answer)) }
        case .ask(.passkey): if let answer { handle(.answered(answer)) }
        case .disconnect: bench.send("01 0604 03 4000 05")
        default: break
        }
    }
}
