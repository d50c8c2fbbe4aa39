import Simulator
import Testing

@testable import HeartRateApp

@Suite struct SimulateProgramTests {
    private func complaint(_ line: String) -> String? {
        do throws(UsageError) {
            _ = try Simulate(
                ParsedArguments(line.split(separator: " ").map(String.init), commands: CommandTable.descriptions))
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        ("simulate", "needs one of --tcp PORT, --pty and --vhci"),
        ("simulate --tcp 9000 --pty", "needs one of --tcp PORT, --pty and --vhci"),
        ("simulate --tcp 65536", "65535"),
        ("simulate --pty --scenario strp", "the nearest is 'strap'"),
        ("simulate --pty --seed -1", "--seed"),
        ("simulate --pty --adapter sim", "--adapter is for the program that is served"),
        ("simulate --pty --capture file", "--capture is for the program that is served"),
    ])
    func aWrongCommandLineIsNamed(_ line: String, _ part: String) {
        #expect(complaint(line)?.contains(part) == true)
    }

    @Test(arguments: Scenario.all) func eachScenarioIsChosenByItsNameAndShownInTheHelp(_ scenario: Scenario) {
        #expect(complaint("simulate --tcp 0 --scenario \(scenario.name)") == nil)
        #expect(Help.of(Simulate.description).contains("  \(scenario.name) "))
        #expect(Help.of(Simulate.description).contains(scenario.summary))
    }

    @Test func itServesUntilItIsTold() throws {
        let outcome = try BuiltProgram.shell(
            """
            coproc SIMULATOR { exec $HR simulate --tcp 0 --json; }
            pid=$SIMULATOR_PID
            read -r line <&"${SIMULATOR[0]}"
            echo "$line"
            adapter=${line#*adapter\\\":\\\"}
            $HR --adapter "${adapter%%\\\"*}" connect any --count 2
            echo "connect $?"
            kill -TERM "$pid"
            wait "$pid"
            echo "simulate $?"
            """)
        #expect(outcome.output.hasPrefix("{\"event\":\"serving\",\"adapter\":\"tcp:127.0.0.1:"))
        #expect(outcome.lines.filter { $0.contains(" bpm") }.count == 2)
        #expect(outcome.lines.contains("connect 0"))
        #expect(outcome.lines.last == "simulate 0")
        #expect(outcome.messages.contains("simulating 'strap'"))
    }

    @Test func aPseudoTerminalServesAsWell() throws {
        let outcome = try BuiltProgram.shell(
            """
            coproc SIMULATOR { exec $HR simulate --pty --scenario wide; }
            pid=$SIMULATOR_PID
            read -r adapter <&"${SIMULATOR[0]}"
            $HR --adapter "$adapter" --json connect any --count 2
            kill -INT "$pid"
            wait "$pid"
            """)
        #expect(outcome.status == 0)
        #expect(outcome.lines.filter { $0.contains("\"event\":\"heart_rate\"") }.count == 2)
    }

    @Test func aPortInUseIsNamed() throws {
        let outcome = try BuiltProgram.shell(
            """
            coproc SIMULATOR { exec $HR simulate --tcp 0; }
            read -r adapter <&"${SIMULATOR[0]}"
            $HR simulate --tcp "${adapter##*:}"
            echo "second $?"
            kill "$SIMULATOR_PID"
            """)
        #expect(outcome.lines.last == "second 69")
        #expect(outcome.messages.contains("cannot listen at port"))
    }
}
