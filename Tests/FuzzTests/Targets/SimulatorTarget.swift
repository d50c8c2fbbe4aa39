import Simulator
import Wire

extension FuzzTarget {
    /// The simulated controller, which `hr-raw simulate` offers to any program: whatever the host sends, time goes on and the
    /// controller's buffers stay its own.
    static let simulator = FuzzTarget(name: "simulator") { octets in
        var choices = Choices(octets)
        let scenario = Scenario.all[Int(choices.octet()) % Scenario.all.count]
        var world = SimulatedWorld(scenario, seed: 1)
        var now = Moment.zero
        var output: [[UInt8]] = []
        while !choices.isEmpty {
            switch choices.octet() % 4 {
            case 0: world.receive(choices.piece(), at: now, into: &output)
            case 1: world.receive(command(from: &choices), at: now, into: &output)
            case 2: world.receive(data(from: &choices), at: now, into: &output)
            default: try pass(Int(choices.octet()), &now, &world, &output)
            }
            try promise(world.buffersInUse >= 0, "no buffer is given back twice")
            for packet in output { try promise(!packet.isEmpty && packet[0] != 0x01, "a controller sends no command") }
            output.removeAll(keepingCapacity: true)
        }
    }

    /// A command with its length put right, of the groups that a host uses.
    private static func command(from choices: inout Choices) -> [UInt8] {
        let group: UInt8 = [0x03 << 2, 0x04 << 2, 0x08 << 2, 0x01 << 2][Int(choices.octet() & 3)]
        let opcode = choices.octet()
        let parameters = choices.piece()
        return [0x01, opcode, group, UInt8(parameters.count)] + parameters
    }

    /// A whole frame on the first channels, for one of the first connections.
    private static func data(from choices: inout Choices) -> [UInt8] {
        let place = choices.octet()
        let payload = choices.piece()
        let frame = [UInt8(payload.count), 0, 4 + place >> 6, 0] + payload
        return [0x02, place & 7, 0, UInt8(truncatingIfNeeded: frame.count), UInt8(frame.count >> 8)] + frame
    }

    /// Lets the next moments come at which something happens. Each is later than the one before, or brings something about.
    private static func pass(
        _ count: Int, _ now: inout Moment, _ world: inout SimulatedWorld, _ output: inout [[UInt8]]
    ) throws {
        var idle = 0
        for _ in 0..<count {
            guard let deadline = world.nextDeadline else { return }
            idle = deadline > now ? 0 : idle + 1
            try promise(idle < 64, "time goes on")
            now = max(now, deadline)
            world.advance(to: now, into: &output)
        }
    }
}
