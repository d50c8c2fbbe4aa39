import TestSupport
import Testing

private let session = Fixtures.path("captures/edge/le_session.btsnoop")

/// `decode --follow`: the tests wait for lines, of which each comes when its record is written, and for nothing else.
@Suite struct FollowProgramTests {
    /// Starts the program on `$file`, which holds the first 100 octets of a capture of 108 records; its lines come by `next`.
    private func follow(_ story: String) throws -> BuiltProgram.Outcome {
        try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/out; exec 4<>$dir/out; file=$dir/capture; head -c 100 '\(session)' >$file
            next() { for _ in $(seq $1); do read -r line <&4 || exit 9; done; echo "$line" | cut -d' ' -f1; }
            "$HR" decode --follow $file >$dir/out 4<&- & pid=$!
            \(story)
            kill -INT $pid; wait $pid; echo "status $?"; rm -r $dir
            """)
    }

    @Test func whatIsWrittenLaterIsPrintedWhenItIsThere() throws {
        // 100 octets hold two records and half of the third.
        let outcome = try follow(
            """
            next 2
            tail -c +101 '\(session)' | head -c 10 >>$file; tail -c +111 '\(session)' | head -c 300 >>$file; next 9
            tail -c +411 '\(session)' >>$file; next 97
            """)
        #expect(outcome.lines == ["2", "11", "108", "status 0"], "\(outcome.messages)")
        #expect(outcome.messages.isEmpty)
    }

    @Test func aFileThatIsCutIsReadAnew() throws {
        let outcome = try follow(
            "next 2; head -c 60 '\(session)' >$file; next 1; tail -c +61 '\(session)' >>$file; next 107")
        #expect(outcome.lines == ["2", "1", "108", "status 0"], "\(outcome.messages)")
        #expect(outcome.messages.contains("was cut"))
    }

    @Test func aFileThatTakesTheNameIsReadInItsPlace() throws {
        // What was there before is printed to its end first, and a while without a file is only a while.
        let outcome = try follow(
            """
            next 2; tail -c +101 '\(session)' >>$file; mv $file $file.1
            cat '\(session)' >$file.2; next 106; mv $file.2 $file; next 108
            """)
        #expect(outcome.lines == ["2", "108", "108", "status 0"], "\(outcome.messages)")
        #expect(outcome.messages.contains("another file"))
    }

    @Test func damageEndsIt() throws {
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); file=$dir/capture; head -c 16 '\(session)' >$file
            (head -c 24 /dev/zero | tr '\\0' '\\377') >>$file
            "$HR" decode --follow $file; echo $?; rm -r $dir
            """)
        #expect(outcome.lines == ["65"])
        #expect(outcome.messages.contains("frame 1"))
    }

    @Test func aReaderWhoLeavesIsNotWaitedFor() throws {
        let outcome = try BuiltProgram.shell("\"$HR\" decode --follow '\(session)' | head -1; echo ${PIPESTATUS[0]}")
        #expect(outcome.lines.count == 2 && outcome.lines.last == "0")
        #expect(outcome.messages.isEmpty)
    }

    @Test func whatEndsByItselfIsReadToItsEnd() throws {
        let outcome = try BuiltProgram.shell("cat '\(session)' | \"$HR\" decode --follow - | wc -l")
        #expect(outcome.lines == ["108"])
    }

    @Test func aFileThatIsNotThereIsNotWaitedFor() throws {
        let outcome = try BuiltProgram.run(["decode", "--follow", "/nowhere/capture"])
        #expect(outcome.status == 65)
        #expect(outcome.messages.contains("No such file"))
    }

    /// Waiting costs no processor: as many ticks after a while of waiting as before it.
    @Test func waitingIsResting() throws {
        let outcome = try follow(
            """
            next 2; ticks() { cut -d' ' -f14,15 /proc/$pid/stat; }
            is_resting() { grep -q '^State:.S' /proc/$pid/status; }
            until is_resting; do :; done; before=$(ticks)
            for _ in $(seq 200); do cat '\(session)' >/dev/null; done
            [ "$before" = "$(ticks)" ] && echo rested
            """)
        #expect(outcome.lines == ["2", "rested", "status 0"], "\(outcome.messages)")
    }
}
