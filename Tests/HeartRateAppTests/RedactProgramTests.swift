import Foundation
import TestSupport
import Testing
import Wire

/// `--redact`, as its users use it.
@Suite struct RedactProgramTests {
    private let folder: TemporaryFolder
    private let key = octets("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")

    init() throws { folder = try TemporaryFolder() }

    /// An H4 stream of an identity key in two fragments, of the start of encryption, and of something else.
    private var stream: [UInt8] {
        octets("02 4000 0900 1100 0600 08") + key.prefix(4) + octets("02 4010 0c00") + key.suffix(12)
            + octets("01 1920 1c 4000 0000000000000000 0000") + key + octets("01 030c 00")
    }

    private func holdsKey(_ octets: [UInt8]) -> Bool {
        octets.indices.dropLast(2).contains { octets[$0..<$0 + 3].allSatisfy { (0xA0...0xAF).contains($0) } }
    }

    @Test func converting() throws {
        let source = try folder.file("in.h4", stream)
        for (name, format) in [("same.h4", "h4"), ("other.btsnoop", "btsnoop"), ("other.pcapng.gz", "pcapng")] {
            let place = folder.url.appendingPathComponent(name).path
            let outcome = try BuiltProgram.run(["convert", "--redact", "--to", format, source, place])
            #expect(outcome.status == 0, "\(outcome.messages)")
            let lines = try BuiltProgram.run(["decode", "--json", place]).lines
            #expect(lines.count == 4)
            #expect(lines.contains { $0.contains("LE Enable Encryption") })
            #expect(!lines.contains { $0.contains("a4a5") || $0.contains("a0a1") })
            // Not redacted it is there.
            #expect(try BuiltProgram.run(["convert", "--to", format, source, place]).status == 0)
            #expect(try BuiltProgram.run(["decode", "--json", place]).output.contains("a4a5"))
        }
        let same = try BuiltProgram.run(["convert", "--redact", "--to", "h4", source, folder.url.path + "/again.h4"])
        #expect(same.status == 0)
        let again = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("again.h4")))
        #expect(again.count == stream.count && !holdsKey(again) && holdsKey(stream))
    }

    @Test func decoding() throws {
        let source = try folder.file("in.h4", stream)
        for options in [[], ["-v"], ["--json"], ["--json", "-v"]] {
            #expect(try BuiltProgram.run(["decode", source] + options).output.contains("a4a5"))
            let outcome = try BuiltProgram.run(["decode", source, "--redact"] + options)
            #expect(outcome.status == 0 && outcome.output.contains("LE Enable Encryption"))
            #expect(!outcome.output.contains("a4a5") && !outcome.output.contains("a0a1"))
        }
    }

    @Test func capturing() throws {
        let path = folder.url.appendingPathComponent("run.btsnoop").path
        let outcome = try BuiltProgram.run(
            ["--adapter", "sim", "connect", "any", "--count", "2", "--capture", path, "--redact"],
            environment: ["XDG_STATE_HOME": folder.url.path])
        #expect(outcome.status == 0, "\(outcome.messages)")
        // All but keys is in it.
        #expect(try BuiltProgram.run(["replay", path]).output.contains("bpm"))
        let alone = try BuiltProgram.run(["--adapter", "sim", "connect", "any", "--redact"])
        #expect(alone.status == 64 && alone.messages.contains("--redact needs --capture FILE"))
    }
}

/// A whole pairing, recorded and redacted, and the keys that came of it.
@Suite struct RedactedPairingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Every key in the file of bonds, as there and as on the wire.
    private func keptKeys() throws -> [[UInt8]] {
        let text = try String(contentsOf: folder.url.appendingPathComponent("hr-raw/bonds"), encoding: .utf8)
        let words = text.split { !$0.isHexDigit }.filter { $0.count == 32 }
        return words.map { octets(String($0)) }
    }

    private func holds(_ capture: [UInt8], _ key: [UInt8]) -> Bool {
        [key, key.reversed()].contains { order in
            (0...8).contains { start in
                let piece = Data(order[start..<start + 8])
                return Data(capture).range(of: piece) != nil
            }
        }
    }

    /// Both generations, with keys of each kind: `signing` hands out all of them.
    @Test(arguments: ["signing", "legacy-passkey", "encrypted"]) func noKeyIsLeft(_ scenario: String) throws {
        for (name, option) in [("redacted", "--redact"), ("plain", "")] {
            let outcome = try BuiltProgram.shell(
                """
                coproc SIMULATOR { exec $HR simulate --tcp 0 --scenario \(scenario); }
                read -r adapter <&"${SIMULATOR[0]}"
                XDG_STATE_HOME='\(folder.url.path)' $HR --adapter "$adapter" pair any --passkey 123456 \
                    --capture '\(folder.url.path)/\(name)' \(option)
                echo "pair $?"
                kill "$SIMULATOR_PID"
                """)
            #expect(outcome.lines.contains("pair 0"), "\(outcome.messages)")
            let keys = try keptKeys()
            #expect(keys.count >= 2)
            let capture = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
            // Plain, all that a new pairing made is there: so it would have been found.
            #expect(keys.count { holds(capture, $0) } == (option.isEmpty ? keys.count : 0))
            let steps = try BuiltProgram.run(["decode", "-v", folder.url.path + "/" + name]).lines
                .filter { $0.contains("  Security: ") }
            #expect(steps.contains { $0.contains("so they pair by") })
            #expect(steps.contains { $0.contains("that completes the pairing") })
            let said = try BuiltProgram.run(["-v", "bonds"], environment: ["XDG_STATE_HOME": folder.url.path])
            for text in [outcome.output, outcome.messages, said.output, said.messages] + steps.map(String.init) {
                #expect(
                    !keys.contains { key in
                        text.lowercased().contains(key.prefix(4).hexadecimal)
                    })
            }
        }
    }
}
