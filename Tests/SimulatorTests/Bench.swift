import Cryptography
import Simulator
import TestSupport
import Wire

/// A world on virtual time, spoken to in octets: what goes in and out is written down by hand, so that the simulator's codec is checked
/// against the specification and not against itself.
struct Bench {
    var world: SimulatedWorld
    var now = Moment(nanoseconds: 5_000_000_000)
    /// All that the host received, with the time.
    var received: [(moment: Moment, packet: [UInt8])] = []

    init(_ scenario: Scenario = .strap, seed: UInt64 = 1, screen: HostScreen? = nil) {
        world = SimulatedWorld(scenario, seed: seed, toolbox: SeededToolbox(seed: seed), screen: screen)
    }

    /// Sends a packet and runs until a millisecond later, when commands are answered. Gives what came meanwhile.
    @discardableResult
    mutating func send(_ text: String) -> [[UInt8]] {
        let before = received.count
        var output: [[UInt8]] = []
        world.receive(octets(text), at: now, into: &output)
        received += output.map { (now, $0) }
        run(for: .milliseconds(1))
        return received[before...].map(\.packet)
    }

    /// Lets time pass, deadline by deadline.
    @discardableResult
    mutating func run(for duration: Duration) -> [[UInt8]] {
        let end = now + duration
        let before = received.count
        while let due = world.nextDeadline, due <= end { advance(to: due) }
        advance(to: end)
        return received[before...].map(\.packet)
    }

    /// Lets time pass until a packet begins with these octets, and gives it; `nil` after the time.
    mutating func wait(for prefix: String, within duration: Duration = .seconds(10)) -> [UInt8]? {
        let end = now + duration
        let beginning = octets(prefix)
        var looked = received.count
        while let due = world.nextDeadline, due <= end {
            advance(to: due)
            while looked < received.count {
                if received[looked].packet.starts(with: beginning) { return received[looked].packet }
                looked += 1
            }
        }
        advance(to: end)
        return received[looked...].map(\.packet).first { $0.starts(with: beginning) }
    }

    private mutating func advance(to moment: Moment) {
        now = max(now, moment)
        var output: [[UInt8]] = []
        world.advance(to: now, into: &output)
        received += output.map { (now, $0) }
    }
}

extension Bench {
    /// Reset, all events on, all LE events on.
    mutating func start() {
        send("01 030C 00")
        send("01 010C 08 FFFFFFFFFFFFFF3F")
        send("01 0120 08 FFFFFFFF0F000000")
    }

    /// Connects to the first strap, the legacy way: 50 ms, no latency, 5 s. Gives the completion.
    @discardableResult
    mutating func connect() -> [UInt8]? {
        send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        return wait(for: "04 3E 1F 0A 00")
    }

    /// Sends an ATT PDU to handle 0x0040 and gives the PDU that comes back.
    @discardableResult
    mutating func ask(_ pdu: String) -> [UInt8]? {
        let pdu = octets(pdu)
        var frame: [UInt8] = []
        frame.append(littleEndian: UInt16(pdu.count))
        frame += [0x04, 0x00] + pdu
        sendACL(frame)
        return wait(for: "02 4020").map { Array($0.dropFirst(9)) }
    }

    /// Sends an L2CAP frame to handle 0x0040 in one ACL packet.
    mutating func sendACL(_ frame: [UInt8]) {
        var packet: [UInt8] = [0x02, 0x40, 0x00]
        packet.append(littleEndian: UInt16(frame.count))
        send((packet + frame).hexadecimal)
    }
}
