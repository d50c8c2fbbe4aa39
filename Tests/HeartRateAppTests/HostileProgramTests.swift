import Testing

/// Hostile straps and the built program: the status of the contract, and a message that names what was wrong.
@Suite struct HostileProgramTests {
    @Test(
        arguments: [
            ("refusing-03", 76, "Write Request", "0x03"),
            ("refusing-fd", 76, "Write Request", "0xFD"),
            ("no-configuration", 76, "2A37", "2902"),
            ("repeating-services", 76, "Find By Type Value Response", "handle 0x0002"),
            ("characteristics-length-1", 76, "Read By Type Response", "entries of 1 octets"),
            ("descriptors-format-0", 76, "Find Information Response", "Format"),
            ("cut-answers", 76, "Find By Type Value Response", "offset 1 needs 4 octets"),
            ("empty-service", 76, "2A37", "180D"),
            ("mute", 69, "did not finish answering in time", "--timeout"),
            ("taken", 69, "not found in time", "connected"),
            ("leaves-answering", 69, "the link to", "Remote User Terminated Connection"),
            ("occupied", 69, "the link to", "Low Resources"),
        ] as [(String, Int32, String, String)])
    func eachEndsWithItsStatusAndSaysWhy(
        _ scenario: String, _ status: Int32, _ what: String, _ detail: String
    ) throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim:\(scenario)", "connect", "any", "--timeout", "3"])
        #expect(outcome.status == status, "\(outcome.messages)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.contains(what), "\(outcome.messages)")
        #expect(outcome.messages.contains(detail), "\(outcome.messages)")
    }

    @Test func whatKeptTheHeartRateFromComingIsSaidWhenTheTimeIsOver() throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim:mute", "connect", "any", "--duration", "3"])
        #expect(outcome.status == 69)
        #expect(outcome.messages.contains("before the time was over: it "), "\(outcome.messages)")
    }

    /// 512 octets each for four of them.
    @Test func whatAStrapSaysOfItselfFitsOnALine() throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim:endless-value", "connect", "any", "--count", "1"])
        #expect(outcome.status == 0)
        #expect(outcome.messages.split(separator: "\n").allSatisfy { $0.count < 400 })
        #expect(outcome.messages.contains("AAAA…, "))
    }

    @Test(
        arguments: [
            "early-notification", "two-services", "end-zero", "end-ffff", "asks-first", "indicates-without-pause",
            "empty-pdus", "mtu-0",
        ])
    func otherOddStrapsStreamAllTheSame(_ scenario: String) throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim:\(scenario)", "--json", "connect", "any", "--count", "2"])
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.lines.filter { $0.contains("\"event\":\"heart_rate\"") }.count == 2)
    }

    /// It leaves whenever it is asked for its details: once nothing more is asked, there is nothing to wait for.
    @Test func aCountEndsAlsoWithoutTheDetails() throws {
        let outcome = try BuiltProgram.run(
            ["--adapter", "sim:leaves-details", "--json", "connect", "any", "--count", "8"])
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.lines.filter { $0.contains("\"event\":\"heart_rate\"") }.count == 8)
        #expect(outcome.lines.contains { $0.contains("\"event\":\"device\"") })
    }

    /// The first heart rate is the one that came before the strap had answered.
    @Test func whatComesBeforeTheAnswerIsKept() throws {
        let outcome = try BuiltProgram.run(
            ["--adapter", "sim:early-notification", "--json", "connect", "any", "--count", "1"])
        #expect(outcome.lines.contains { $0.contains("\"bpm\":42") && $0.contains("\"raw\":\"002a\"") })
    }
}
