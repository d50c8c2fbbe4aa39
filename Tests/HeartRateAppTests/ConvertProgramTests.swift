import Foundation
import TestSupport
import Testing

private func path(_ name: String) -> String { Fixtures.path("captures/" + name) }

private func octets(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

/// The fixtures of every format.
private let captures: [String] = {
    let edge = (try? FileManager.default.contentsOfDirectory(atPath: path("edge"))) ?? []
    return edge.filter { !$0.hasSuffix(".json") }.sorted().map { "edge/" + $0 } + [
        "csacca__horizon-74-at-ble.btsnoop", "google__bumble__hci_data_001.bin",
        "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcap", "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcapng",
    ]
}()

@Suite struct ConvertProgramTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func out(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    @Test(arguments: captures) func theSameFormatStaysTheSameOctets(_ name: String) throws {
        let file = try octets(of: path(name))
        let isDamaged = name.contains("half_")
        let result = out("again." + (name.split(separator: ".").last ?? ""))
        let outcome = try BuiltProgram.run(["convert", path(name), result])
        #expect(outcome.status == (isDamaged ? 65 : 0))
        #expect(outcome.output.isEmpty)
        let again = try octets(of: result)
        #expect(isDamaged ? file.starts(with: again) && again.count > 150 : file == again)
        // Compressed on the way out and on the way in.
        #expect(try BuiltProgram.run(["convert", result, result + ".gz"]).status == 0)
        #expect(try octets(of: result + ".gz").starts(with: [0x1F, 0x8B]))
        let back = try BuiltProgram.shell(
            "\"$HR\" convert '\(result).gz' '\(result)' && gzip -dc '\(result).gz' | cmp - '\(result)'")
        #expect(back.status == 0, "\(back.messages)")
        #expect(try octets(of: result) == again)
    }

    /// Each of these holds all that the file tells.
    @Test(
        arguments: [
            "pcap", "pcap-ns-be", "pcap-254", "pcapng", "pcapng-be", "pcapng-187", "pcapng-254-be", "packetlogger",
            "packetlogger-le", "btsnoop-h1", "btsnoop-monitor",
        ]) func aFormatThatHoldsEverythingLeadsBack(_ format: String) throws
    {
        for name in ["edge/le_session.btsnoop", "csacca__horizon-74-at-ble.btsnoop"] {
            let there = try BuiltProgram.run(["convert", "--to", format, path(name), out("there")])
            #expect(there.status == 0)
            #expect(there.messages.isEmpty)
            let back = try BuiltProgram.run(["convert", out("there"), out("back.btsnoop"), "--to=btsnoop"])
            #expect(back.status == 0)
            #expect(back.messages.isEmpty)
            #expect(try octets(of: path(name)) == octets(of: out("back.btsnoop")), "\(name)")
        }
    }

    @Test func theVariantSuitsTheSource() throws {
        let cases = [
            ("edge/btsnoop_2001_monitor.btsnoop", "x.pcap", "pcap-254"),
            ("edge/btsnoop_2001_monitor.btsnoop", "x.pcapng", "pcapng-254"),
            ("edge/pcapng_201_be.pcapng", "x.pcap", "pcap-ns"), ("edge/packetlogger_le.pklg", "x.log", "btsnoop"),
            ("edge/btsnoop_1001_h1.btsnoop", "x.pklg", "packetlogger"),
            ("edge/pcap_201_be_ns.pcap", "x.cap", "pcap-be-ns"),
            ("google__bumble__hci_data_001.bin", "x.pcap", "pcap-187"),
            ("google__bumble__hci_data_001.bin", "x.PCAPNG.GZ", "pcapng-187"),
        ]
        for (source, name, format) in cases {
            let outcome = try BuiltProgram.run(["convert", "-v", path(source), out(name)])
            #expect(outcome.status == 0)
            #expect(outcome.messages.contains(" to \(format)\n"), "\(outcome.messages)")
        }
    }

    @Test func whatCannotBeHeldIsSaid() throws {
        let cases = [
            ("edge/packetlogger_be.pklg", "btsnoop", "3 notes cannot be held by btsnoop"),
            ("edge/packetlogger_be.pklg", "pcap-254", "2 notes cannot be held by pcap-254"),
            (
                "edge/btsnoop_1002_h4.btsnoop", "btsnoop-h1",
                "2 SCO packets and 2 ISO packets cannot be held by btsnoop-h1"
            ),
            (
                "edge/btsnoop_1002_h4.btsnoop", "pcap-187",
                "the directions of 9 records and the count of 5 lost packets cannot be held by pcap-187"
            ),
            ("edge/pcap_201_le_ns.pcap", "pcap", "the nanoseconds of 17 records cannot be held by pcap"),
            ("edge/cut_short.pcap", "packetlogger", "the original lengths of 6 records cannot be held by packetlogger"),
            (
                "edge/pcapng_201_le.pcapng", "pcap-ns",
                "1 packet of another protocol, the adapters of 12 records and 1 comment cannot be held by pcap-ns"
            ),
        ]
        for (source, format, text) in cases {
            let outcome = try BuiltProgram.run(["convert", "--to", format, path(source), out("x")])
            #expect(outcome.status == 0)
            #expect(outcome.messages == "hr-raw: \(text)\n", "\(source)")
        }
    }

    @Test func standardInputAndOutputWillDo() throws {
        let file = try octets(of: path("edge/le_session.btsnoop"))
        let outcome = try BuiltProgram.shell(
            "\"$HR\" convert --to pcapng - - <'\(path("edge/le_session.btsnoop"))' | gzip | \"$HR\" convert --to btsnoop - '\(out("x"))'"
        )
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(try octets(of: out("x")) == file)
        let closed = try BuiltProgram.shell(
            "\"$HR\" convert --to pcap '\(path("csacca__horizon-74-at-ble.btsnoop"))' - | head -c 5 >/dev/null; echo ${PIPESTATUS[0]}"
        )
        #expect(closed.output == "0\n")
        #expect(closed.messages.isEmpty)
    }

    @Test func wrongUsageIsSaid() throws {
        let session = path("edge/le_session.btsnoop")
        let cases: [([String], String)] = [
            ([session], "IN OUT"), ([session, "-"], "--to"),
            ([session, out("x.txt")], "does not end as a capture does"),
            ([session, out("x"), "--to", "pcap-9"], "pcap[-187|-254]"),
            ([session, out("x"), "--to", "h4-le"], "h4-le"),
            ([session, session], "the same file"),
        ]
        for (arguments, text) in cases {
            let outcome = try BuiltProgram.run(["convert"] + arguments)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.messages.contains(text), "\(outcome.messages)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func whatIsNoCaptureMakesNoFile() throws {
        let files: [(String, [UInt8])] = [
            ("empty", []), ("text", Array("no capture, only some words".utf8)),
            ("random", (0..<4096).map { _ in UInt8.random(in: 6...255) }),
        ]
        for (name, content) in files {
            let file = try folder.file(name, content)
            let outcome = try BuiltProgram.run(["convert", file, out("x.pcap")])
            #expect(outcome.status == 65, "\(name)")
            #expect(outcome.messages.contains(name))
        }
        for file in [folder.url.path, "/dev/null", "/dev/zero", out("missing")] {
            #expect(try BuiltProgram.run(["convert", file, out("x.pcap")]).status == 65, "\(file)")
        }
        let pipe = try BuiltProgram.shell(
            "mkfifo '\(out("pipe"))' && { echo text >'\(out("pipe"))' & } && \"$HR\" convert '\(out("pipe"))' '\(out("x.pcap"))'"
        )
        #expect(pipe.status == 65)
        #expect(pipe.messages.contains("no capture"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(left == ["empty", "pipe", "random", "text"])
    }

    @Test func whatIsNoFileIsNotReplaced() throws {
        let session = path("edge/le_session.btsnoop")
        for (target, kind) in [("/dev/full", "a device"), (folder.url.path, "a folder")] {
            let outcome = try BuiltProgram.run(["convert", session, target, "--to", "pcap"])
            #expect(outcome.status == 1)
            #expect(outcome.messages.contains(kind), "\(outcome.messages)")
        }
        let full = try BuiltProgram.shell("\"$HR\" convert --to pcap '\(session)' - >/dev/full")
        #expect(full.status == 1)
        #expect(full.messages.contains("No space left on device"))
        let missing = try BuiltProgram.run(["convert", session, out("none/x.pcap")])
        #expect(missing.status == 1)
        #expect(missing.messages.contains("No such file or directory"))
    }

    /// The limit of a file's size stands for a disk that is full.
    @Test func aFailureLeavesWhatWasThereBefore() throws {
        let before = try folder.file("x.pcapng", [1, 2, 3])
        let outcome = try BuiltProgram.shell(
            "trap '' XFSZ; ulimit -f 20; \"$HR\" convert '\(path("csacca__horizon-74-at-ble.btsnoop"))' '\(before)'")
        #expect(outcome.status == 1)
        #expect(outcome.messages.contains("File too large"), "\(outcome.messages)")
        #expect(try octets(of: before) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["x.pcapng"])
    }

    @Test func theFileIsForThoseWhoMayReadTheSource() throws {
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        let source = try folder.file("a.btsnoop", try octets(of: path("edge/le_session.btsnoop")))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: source)
        #expect(try BuiltProgram.run(["convert", source, out("b.pcap")]).status == 0)
        #expect(try mode(out("b.pcap")) == 0o640)
        #expect(
            try BuiltProgram.shell(
                "\"$HR\" convert - '\(out("c.pcap"))' <'\(source)' && \"$HR\" convert '\(source)' '\(out("c.pcap"))'"
            ).status == 0)
        #expect(try mode(out("c.pcap")) == 0o640 || mode(out("c.pcap")) == 0o600)
        // A link stays one.
        try FileManager.default.createSymbolicLink(atPath: out("link.pcap"), withDestinationPath: out("b.pcap"))
        #expect(try BuiltProgram.run(["convert", source, out("link.pcap")]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: out("link.pcap")) == out("b.pcap"))
    }

    @Test func damageInsideCompressionIsSaid() throws {
        let whole = try folder.file("a.btsnoop", try octets(of: path("csacca__horizon-74-at-ble.btsnoop")))
        let outcome = try BuiltProgram.shell(
            "gzip -c '\(whole)' | head -c 10000 >'\(out("cut.gz"))'; \"$HR\" convert '\(out("cut.gz"))' '\(out("b.btsnoop"))'"
        )
        #expect(outcome.status == 65)
        #expect(outcome.messages.contains("gzip data is cut"), "\(outcome.messages)")
        let part = try octets(of: out("b.btsnoop"))
        #expect(part.count > 30_000)
        #expect(try octets(of: whole).starts(with: part))
    }
}
