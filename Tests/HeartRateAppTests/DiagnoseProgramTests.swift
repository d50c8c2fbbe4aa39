import Testing

/// `hr-raw diagnose` as its users run it.
@Suite struct DiagnoseProgramTests {
    @Test func aGoodStrapEndsWithZeroAndALineForEachStep() throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim", "diagnose", "any"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.filter { $0.hasPrefix("✓ ") }.count == 9)
        #expect(outcome.lines.last?.contains("bpm") == true)
    }

    @Test(
        arguments: [
            ("refusing", "any", 76, "subscription"), ("taken", "any", 69, "connectable"),
            ("no-heart-rate", "Simulated H7 0001", 76, "service"), ("strap", "Nobody", 69, "seen"),
        ] as [(String, String, Int32, String)])
    func eachEndHasItsStatusAndAVerdict(
        _ scenario: String, _ device: String, _ status: Int32, _ step: String
    ) throws {
        let outcome = try BuiltProgram.run(
            ["--adapter", "sim:\(scenario)", "--json", "diagnose", device, "--timeout", "4"])
        #expect(outcome.status == status)
        #expect(outcome.lines.allSatisfy { $0.hasPrefix("{\"event\":\"diagnosis\",\"step\":\"") })
        #expect(outcome.lines.contains { $0.contains("\"step\":\"\(step)\",\"result\":\"failed\",\"detail\":\"") })
        let verdict = try #require(outcome.lines.last)
        #expect(verdict.hasPrefix("{\"event\":\"diagnosis\",\"step\":\"verdict\",\"result\":\"failed\",\"detail\":\""))
        #expect(verdict.contains("\"advice\":\""))
    }

    /// What was not waited for says nothing of the device: while it is searched for, while it owes an answer, while it is listened to.
    @Test(arguments: [("strap", "Nobody", 0), ("mute", "any", 3), ("no-measurements", "any", 6)], ["INT", "TERM"])
    func aSignalIsNoVerdict(_ run: (scenario: String, device: String, lines: Int), _ signal: String) throws {
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/out; exec 4<>$dir/out
            "$HR" --adapter sim:\(run.scenario) --json diagnose '\(run.device)' >$dir/out 2>$dir/messages 4<&- & pid=$!
            until grep -q 'looking for' $dir/messages; do :; done
            for _ in $(seq \(run.lines)); do read -r line <&4; done
            kill -\(signal) $pid; wait $pid; status=$?
            while read -t 0 <&4; do read -r line <&4; echo "$line"; done; cat $dir/messages; echo $status; rm -r $dir
            """)
        #expect(outcome.lines.last == "0", "\(outcome.output)")
        #expect(!outcome.output.contains("\"failed\""), "\(outcome.output)")
    }

    @Test func theAdviceStandsOnceUnderTheVerdict() throws {
        let outcome = try BuiltProgram.run(["--adapter", "sim:refusing", "diagnose", "any"])
        #expect(outcome.status == 76)
        #expect(outcome.output.split(separator: "It talks to paired devices only").count == 2)
        #expect(outcome.lines.contains { $0.hasPrefix("✗ The device wants to be paired, and the pairing failed: ") })
    }

    @Test func withoutADeviceItIsWrongUsage() throws {
        #expect(try BuiltProgram.run(["--adapter", "sim", "diagnose"]).status == 64)
        #expect(try BuiltProgram.run(["--adapter", "sim", "diagnose", "F0:F1:F2"]).status == 64)
    }
}
