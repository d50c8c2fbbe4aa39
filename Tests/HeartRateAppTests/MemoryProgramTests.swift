import TestSupport
import Testing

/// What the program keeps of a capture does not grow with it. `make bench` shows the same on gigabytes; here is a debug build.
@Suite struct MemoryProgramTests {
    private static let phone = Fixtures.path("captures/wangdalian__btsnooper.btsnoop")

    /// The most memory that the program had, in KiB: after twice the capture of a phone, and after fourteen times.
    @Test(arguments: ["decode -v -", "decode --json -v -", "replay --json -"])
    func isBounded(_ command: String) throws {
        // A write to a pipe ends when all but a pipe's content was read.
        let outcome = try BuiltProgram.shell(
            """
            dir=$(mktemp -d); mkfifo $dir/in
            "$HR" \(command) <$dir/in >/dev/null & pid=$!
            exec 5>$dir/in
            feed() { for _ in $(seq $1); do tail -c +17 '\(Self.phone)' >&5; done; }
            peak() { sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status; }
            head -c 16 '\(Self.phone)' >&5
            feed 2; peak; feed 12; peak
            exec 5>&-; wait $pid; echo "status $?"; rm -r $dir
            """)
        #expect(outcome.lines.last == "status 0", "\(outcome.messages)")
        let peaks = outcome.lines.dropLast().compactMap { Int($0) }
        try #require(peaks.count == 2)
        #expect(peaks[1] - peaks[0] < 2048, "\(command): from \(peaks[0]) to \(peaks[1]) KiB")
    }
}
