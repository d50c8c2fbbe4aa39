import HCI
import TestSupport
import Testing
import Wire

/// What holds for each packet that has a type.
@Suite struct EveryPacketTests {
    private let samples = 60

    /// Written, measured, read and described alike; cut short at every length, named in the error or whole in itself.
    private func check<Checked: Fielded & Hashable>(_ type: Checked.Type, using generator: inout SeededGenerator) throws
    {
        for _ in 0..<samples {
            let packet = Checked.random(using: &generator)
            let octets = packet.encoded
            #expect(packet.encodedCount == octets.count, "\(type)")
            var trailing = -1
            #expect(try Checked(decoding: octets.span, trailing: &trailing) == packet, "\(type)")
            #expect(trailing == 0, "\(type)")
            let dissected = Checked.dissect(octets.span)
            #expect(dissected == DissectedFields(fields: packet.described), "\(type)")
            // Long lists repeat themselves.
            for count in octets.indices.prefix(100) { checkCut(type, Array(octets.prefix(count))) }
        }
    }

    private func checkCut<Checked: Fielded & Hashable>(_ type: Checked.Type, _ octets: [UInt8]) {
        do {
            #expect(try Checked(decoding: octets).encoded == octets, "\(type) read \(octets.hexadecimal)")
        } catch {
            guard case .truncated(let field, let at, let needed, let remaining) = error else {
                Issue.record("\(type): \(error)")
                return
            }
            #expect(!field.isEmpty && at + remaining == octets.count && needed > remaining, "\(type): \(error)")
            #expect(Checked.dissect(octets.span).error == error)
        }
    }

    private func check<Checked: Command>(
        command type: Checked.Type, using generator: inout SeededGenerator
    ) throws {
        try check(type, using: &generator)
        try check(Checked.ReturnParameters.self, using: &generator)
        var command = type.random(using: &generator)
        // A list can be longer than the length octet says.
        while command.encoded.count > 255 { command = type.random(using: &generator) }
        #expect(try Packet(decoding: command.packet) == .command(Checked.opcode, parameters: command.encoded))
    }

    private func check<Checked: EventParameters>(
        event type: Checked.Type, using generator: inout SeededGenerator
    ) throws {
        try check(type, using: &generator)
        let event = type.random(using: &generator)
        if case .other = try Event(Checked.code, parameters: event.encoded) { Issue.record("\(type) has no case") }
    }

    private func check<Checked: LEEventParameters>(
        leEvent type: Checked.Type, using generator: inout SeededGenerator
    ) throws {
        try check(type, using: &generator)
        let event = type.random(using: &generator)
        guard case .le(let typed) = try Event(.leMeta, parameters: [Checked.subevent.rawValue] + event.encoded) else {
            Issue.record("\(type) is no LE event")
            return
        }
        if case .other = typed { Issue.record("\(type) has no case") }
    }

    @Test func commandsAndWhatTheyReturn() throws {
        var generator = SeededGenerator(seed: 2)
        for type in KnownPackets.commands { try check(command: type, using: &generator) }
    }

    @Test func events() throws {
        var generator = SeededGenerator(seed: 3)
        for type in KnownPackets.events { try check(event: type, using: &generator) }
    }

    @Test func leEvents() throws {
        var generator = SeededGenerator(seed: 4)
        for type in KnownPackets.leEvents { try check(leEvent: type, using: &generator) }
    }

    @Test func everyNumberOccursOnceAndHasAName() {
        let opcodes = KnownPackets.commands.map { $0.opcode }
        #expect(Set(opcodes).count == opcodes.count)
        for type in KnownPackets.commands {
            #expect(spelling(type) == letters(type.opcode.name ?? ""), "\(type)")
        }
        for type in KnownPackets.events { #expect(spelling(type) == letters(type.code.name ?? ""), "\(type)") }
        for type in KnownPackets.leEvents { #expect(spelling(type) == letters(type.subevent.name ?? ""), "\(type)") }
    }

    /// `LEReadBufferSizeV2` and `LE Read Buffer Size [v2]` are spelt alike but for spaces, case and punctuation.
    private func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
    private func spelling(_ type: Any.Type) -> String { letters("\(type)") }

    @Test func noEventTrapsWhateverItHolds() {
        var generator = SeededGenerator(seed: 5)
        for code in UInt8.min...UInt8.max {
            for _ in 0..<20 {
                let count = Int.random(in: 0...60, using: &generator)
                let parameters = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let packet = Packet.event(EventCode(rawValue: code), parameters: parameters)
                _ = try? Event(EventCode(rawValue: code), parameters: parameters)
                #expect(!packet.described.name.isEmpty)
                let leMeta = [code] + parameters
                _ = try? Event(.leMeta, parameters: leMeta)
                #expect(!Packet.event(.leMeta, parameters: leMeta).described.name.isEmpty)
            }
        }
    }

    @Test func noPacketTrapsWhateverItHolds() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...40, using: &generator)
            var octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if count > 0 { octets[0] = UInt8.random(in: 0...6, using: &generator) }
            guard let packet = try? Packet(decoding: octets) else { continue }
            #expect(octets.starts(with: packet.encoded) || packet.type == .iso || packet.type == .synchronous)
            #expect(!packet.described.name.isEmpty)
        }
    }
}
