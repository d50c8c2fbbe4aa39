import TestSupport
import Testing

private let treadmill = Fixtures.path("captures/csacca__horizon-74-at-ble.btsnoop")
private let session = Fixtures.path("captures/edge/le_session.btsnoop")

/// The program is told to end while it reads or writes. Where the shell has both ends of a pipe, opening one waits for nobody.
@Suite struct SignalProgramTests {
    @Test(arguments: ["INT", "TERM", "HUP"]) func aSignalEndsItCleanly(_ signal: String) throws {
        // The program waits for more on its standard input; the lines that are there were printed.
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/in $dir/out; exec 3<>$dir/in 4<>$dir/out
            "$HR" decode - <$dir/in >$dir/out 3<&- 4<&- & pid=$!
            cat '\(session)' >&3
            for _ in $(seq 108); do read -r line <&4; done
            kill -\(signal) $pid; wait $pid; echo $?; rm -r $dir
            """)
        #expect(outcome.lines.last == "0", "\(outcome.messages)")
    }

    @Test func whatNohupStartsOutlivesItsTerminal() throws {
        let outcome = try BuiltProgram.shell(
            """
            trap '' HUP; dir=$(mktemp -d); mkfifo $dir/in $dir/out; exec 3<>$dir/in 4<>$dir/out
            "$HR" decode - <$dir/in >$dir/out 3<&- 4<&- & pid=$!
            head -c 1000 '\(session)' >&3; read -r line <&4
            kill -HUP $pid
            tail -c +1001 '\(session)' >&3
            for _ in $(seq 107); do read -r line <&4; done
            echo "$line"; kill -TERM $pid; wait $pid; echo $?; rm -r $dir
            """)
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.first?.contains("Disconnection Complete") == true, "\(outcome.output)")
        #expect(outcome.lines.last == "0", "\(outcome.messages)")
    }

    /// The terminal, its shell and the end of the session each send one. The program is still giving its reader a moment.
    @Test func manyHangupsAreNoImpatience() throws {
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/out; exec 4<>$dir/out
            "$HR" decode '\(treadmill)' >$dir/out 4<&- & pid=$!
            is() { grep -q "$1" /proc/$pid/$2 2>/dev/null; }
            until is '^wchar: [0-9]\\{5,\\}' io; do :; done
            for _ in 1 2 3 4; do kill -HUP $pid; while is '^ShdPnd:.*[1-9a-f]' status; do :; done; done
            wait $pid; echo $?; rm -r $dir
            """)
        #expect(outcome.lines.last == "0", "\(outcome.messages)")
    }

    @Test func aNamedPipeThatNobodyWritesToKeepsNothingFromEnding() throws {
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/in
            "$HR" decode $dir/in >$dir/out 2>&1 & pid=$!
            caught() { echo $((0x0$(sed -n 's/^SigCgt:\t//p' /proc/$pid/status) >> 14 & 1)); }
            until [ "$(caught)" = 1 ]; do :; done
            kill -TERM $pid; wait $pid; echo $?; cat $dir/out; rm -r $dir
            """)
        #expect(outcome.output == "0\n", "\(outcome.messages)")
    }

    @Test func aNamedPipeMayHaveItsWriterLater() throws {
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/in
            "$HR" decode $dir/in & pid=$!
            until grep -q hr-raw /proc/$pid/comm; do :; done
            cat '\(session)' >$dir/in; wait $pid; echo $?; rm -r $dir
            """)
        #expect(outcome.lines.count == 109)
        #expect(outcome.lines.last == "0", "\(outcome.messages)")
    }
}
