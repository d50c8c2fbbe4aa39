import ATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// A controller and a peer that do anything, and a caller who asks for anything. The same seed plays the same again.
@Suite struct HostilityTests {
    @Test(arguments: 0..<64)
    func everyRequestIsAnsweredOnceWhateverComes(_ seed: Int) {
        var play = Play(seed: UInt64(seed))
        for _ in 0..<300 { play.step() }
        #expect(play.bench.answerCounts.values.allSatisfy { $0 == 1 })
        play.settle()
        let unanswered = play.asked.filter { play.bench.answers[$0] == nil }
        // At the engine's own end its owner answers; until then nobody is forgotten.
        if play.bench.ends.isEmpty { #expect(unanswered == []) }
        #expect(play.bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: 0..<64)
    func randomOctetsChangeNothing(_ seed: Int) {
        var (bench, id) = HostBench.connected()
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            let count = Int.random(in: 0...40, using: &generator)
            var packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // A Hardware Error has the controller reset, and right so.
            if packet.starts(with: [0x04, 0x10]) { packet[1] = 0x11 }
            bench.bring(packet)
        }
        #expect(bench.ends == [])
        _ = bench.sent()
        let strength = bench.ask(.readSignalStrength(id))
        #expect(bench.answers[strength] == nil || bench.failure(strength) != nil)
    }
}

/// One play of a host against chance.
private struct Play {
    var bench: HostBench
    var asked: [Ticket] = []
    private var generator: SeededGenerator
    private var unanswered: [[UInt8]] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        bench = .ready(Bool.random(using: &generator) ? .legacy : .extended)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func some(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<number(count)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// One thing that happens.
    mutating func step() {
        switch number(0...9) {
        case 0, 1, 2: answerCommand()
        case 3: bringEvent()
        case 4, 5: bringData()
        case 6: bringConnection()
        case 7: ask()
        case 8: bench.pass(.milliseconds(Int64(number(0...3000))))
        default: if let ticket = asked.randomElement(using: &generator) { bench.cancel(ticket) }
        }
        collect()
    }

    private mutating func collect() { unanswered += bench.sent().filter { $0.first == 0x01 } }

    private mutating func answerCommand() {
        guard !unanswered.isEmpty else { return }
        let command = unanswered.removeFirst()
        answer(command, status: number(0...3) == 0 ? UInt8(number(1...0x45)) : 0)
    }

    /// Answers as the specification says that the command is answered.
    private mutating func answer(_ command: [UInt8], status: UInt8) {
        let opcode = Array(command[1...2])
        switch opcode.hexadecimal {
        case "0604", "0d20", "4320", "1320": bench.bring([0x04, 0x0F, 0x04, status, 0x01] + opcode)
        default: bench.bring([0x04, 0x0E, 0x0C, 0x01] + opcode + [status] + [UInt8](repeating: 0, count: 8))
        }
    }

    /// An event of a known code with anything in it.
    private mutating func bringEvent() {
        let codes: [UInt8] = [0x05, 0x08, 0x0C, 0x0E, 0x0F, 0x13, 0x1A, 0x30, 0x3E, 0x3E, 0x3E, 0xFF]
        var parameters = some(0...60)
        let code = codes[number(0...codes.count - 1)]
        if code == 0x3E { parameters = [UInt8(number(0...0x25))] + parameters }
        bench.bring([0x04, code, UInt8(parameters.count)] + parameters)
    }

    private mutating func bringConnection() {
        let handle = UInt8(number(0...3))
        if number(0...2) == 0 {
            bench.bring([0x04, 0x05, 0x04, 0, handle, 0, UInt8(number(1...0x3E))])
        } else {
            bench.connected(handle: handle)
        }
    }

    /// A frame of the attribute, signalling or security channel with anything in it, or a piece of one.
    private mutating func bringData() {
        let opcodes: [UInt8] = [
            0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x11, 0x13, 0x1B, 0x1D, 0x02, 0x0A, 0x10, 0x16,
        ]
        let payload = [opcodes[number(0...opcodes.count - 1)]] + some(0...30)
        let frame = [UInt8(payload.count), 0x00, UInt8(number(4...7)), 0x00] + payload
        let piece = number(0...4) == 0 ? Array(frame.prefix(number(0...frame.count))) : frame
        let boundary: UInt8 = number(0...5) == 0 ? 0x10 : 0x20
        bench.bring([0x02, UInt8(number(0...3)), boundary, UInt8(piece.count), 0] + piece)
    }

    private mutating func ask() {
        asked.append(bench.ask(request()))
    }

    private mutating func request() -> HostEngine.Request {
        let links = bench.engine.links.values.map(\.id).sorted { $0.generation < $1.generation }
        guard let id = links.randomElement(using: &generator), number(0...3) > 0 else {
            return switch number(0...3) {
            case 0: .scan(isActive: true)
            case 1: .stopScanning
            case 2: .wait(.seconds(number(0...60)))
            default: .connect(HostBench.strap, .heartRate, within: .seconds(number(1...30)))
            }
        }
        return switch number(0...7) {
        case 0: .disconnect(id)
        case 1: .gatt(id, .discover)
        case 2: .gatt(id, .discoverService(0x180D))
        case 3: .gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37))
        case 4: .gatt(id, .write(0x0003, some(0...60)))
        case 5: .gatt(id, .exchangeMTU)
        case 6: .readSignalStrength(id)
        default: .gatt(id, .read(0x0003))
        }
    }

    /// From now on the controller does what it should, and the peers say nothing: everything comes to an end by itself.
    mutating func settle() {
        for _ in 0..<150 {
            collect()
            let commands = unanswered
            unanswered = []
            for command in commands {
                answer(command, status: 0)
                switch Array(command[1...2]).hexadecimal {
                case "0604": bench.bring([0x04, 0x05, 0x04, 0, command[4], command[5], 0x16])
                case "0e20": bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
                default: break
                }
            }
            bench.pass(.seconds(1))
        }
    }
}
