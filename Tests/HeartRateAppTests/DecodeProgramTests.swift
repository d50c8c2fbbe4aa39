import Foundation
import TestSupport
import Testing

private func object(_ line: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
}

private let treadmill = Fixtures.path("captures/csacca__horizon-74-at-ble.btsnoop")
private let session = Fixtures.path("captures/edge/le_session.btsnoop")

@Suite struct DecodeProgramTests {
    @Test func everyRecordIsALine() throws {
        let plain = try BuiltProgram.run(["decode", treadmill])
        #expect(plain.status == 0)
        #expect(plain.lines.count == 2572)
        #expect(plain.messages.isEmpty)
        let json = try BuiltProgram.run(["decode", "--json", treadmill])
        #expect(json.lines.count == 2572)
        for (index, line) in json.lines.enumerated() { #expect(try object(line)["frame"] as? Int == index + 1) }
    }

    @Test func attributesAndCompaniesAreNamed() throws {
        let lines = try BuiltProgram.run(["decode", session]).lines
        #expect(
            lines[73].hasSuffix(
                "0x000C 2A37 Heart Rate Measurement: 163e0004d003 = 62 bpm contact RR 1000.0 953.125 ms"))
        let folder = try TemporaryFolder()
        // Two reports: company 0x006B, which is Polar's, and 0xFFFE, which nobody has.
        let report = "043e 10 02 01 00 01 0000005e00c0"
        let file = try folder.file("companies", octets("\(report) 04 03ff6b00 c0 \(report) 04 03fffeff c0"))
        let companies = try BuiltProgram.run(["decode", file]).lines
        #expect(companies.first?.contains("(Polar Electro OY)") == true, "\(companies)")
        #expect(companies.last?.contains("(company 0xFFFE)") == true, "\(companies)")
    }

    @Test func theKeysOfTheContract() throws {
        let lines = try BuiltProgram.run(["decode", "--json", session]).lines
        let report = try object(lines[8])
        #expect(report["time"] as? String == "2024-03-01T00:00:00.500000Z")
        #expect(report["direction"] as? String == "in")
        #expect(report["packet"] as? String == "event")
        #expect(report["event_code"] as? Int == 62)
        #expect(report["subevent"] as? Int == 2)
        #expect(report["name"] as? String == "LE Advertising Report")
        let advertisement = try #require((report["adv"] as? [[String: Any]])?.first)
        #expect(advertisement["kind"] as? Int == 0)
        #expect(advertisement["address_type"] as? Int == 1)
        #expect(advertisement["address"] as? String == "C0:DE:00:00:00:01")
        #expect(advertisement["rssi"] as? Int == -61)
        #expect(advertisement["data"] as? String == "02010605030d180f180b0945646765205374726170")
        let answer = try object(lines[1])
        #expect(answer["opcode"] as? Int == 0x0C03)
        #expect(answer["status"] as? Int == 0)
        let beat = try object(lines[73])
        #expect(beat["handle"] as? Int == 64)
        #expect(beat["cid"] as? Int == 4)
        let attribute = try #require(beat["att"] as? [String: Any])
        #expect(attribute["opcode"] as? Int == 27)
        #expect(attribute["handle"] as? Int == 12)
        #expect(attribute["value"] as? String == "163e0004d003")
        let measurement = try #require(beat["heart_rate"] as? [String: Any])
        #expect(measurement["bpm"] as? Int == 62)
        #expect(measurement["contact"] as? Bool == true)
        #expect(measurement["rr_ticks"] as? [Int] == [1024, 976])
        #expect(measurement["rr_ms"] as? [Double] == [1000, 953.125])
        #expect(measurement["raw"] as? String == "163e0004d003")
    }

    @Test func whatIsUnknownIsAbsent() throws {
        let lines = try BuiltProgram.run(["decode", "--json", session]).lines
        let silent = try #require(try object(lines[61])["heart_rate"] as? [String: Any])
        #expect(silent["bpm"] == nil && silent["contact"] == nil && silent["energy_kj"] == nil)
        let stream = try BuiltProgram.run([
            "decode", "--json", Fixtures.path("captures/google__bumble__hci_data_001.bin"),
        ])
        for line in stream.lines { #expect(try object(line)["time"] == nil) }
    }

    @Test func standardInputIsReadToo() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: session))
        let outcome = try BuiltProgram.run(["decode", "-"], input: file)
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 108)
    }

    @Test(arguments: ["half_header", "half_payload"]) func aDamagedFileIsPrintedUpToTheDamage(_ name: String) throws {
        let outcome = try BuiltProgram.run(["decode", Fixtures.path("captures/edge/\(name).btsnoop")])
        #expect(outcome.status == 65)
        #expect(outcome.lines.count == 5)
        #expect(outcome.messages.contains("frame 6"))
        #expect(outcome.messages.contains("offset 171"))
    }

    @Test func whatIsNoCaptureEndsWith65() throws {
        let folder = try TemporaryFolder()
        let files: [(String, [UInt8])] = [
            ("empty", []), ("text", Array("no capture, only some words".utf8)),
            ("head", octets("6274736e6f6f7000 00000001 0000 03ea 0000")),
            ("link", octets("6274736e6f6f7000 00000001 000007d2")),
        ]
        for (name, content) in files {
            for command in ["decode", "replay"] {
                let outcome = try BuiltProgram.run([command, try folder.file(name, content)])
                #expect(outcome.status == 65, "\(command) \(name)")
                #expect(outcome.messages.contains(name), "\(command) \(name)")
                #expect(outcome.output.isEmpty)
            }
        }
        let missing = try BuiltProgram.run(["decode", folder.url.path + "/missing"])
        #expect(missing.status == 65)
        #expect(missing.messages.contains("No such file"))
        #expect(try BuiltProgram.run(["decode", folder.url.path]).status == 65)
    }

    @Test func aReaderWhoLeavesEndsTheProgramQuietly() throws {
        let outcome = try BuiltProgram.shell("\"$HR\" decode '\(treadmill)' | head -1; echo ${PIPESTATUS[0]}")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.last == "0")
        #expect(outcome.messages.isEmpty)
    }

    @Test func aFullDiskIsSaid() throws {
        for command in ["decode", "decode --json", "replay", "--help", "--version"] {
            let file = command.hasPrefix("-") ? "" : "'\(session)'"
            let outcome = try BuiltProgram.shell("\"$HR\" \(command) \(file) >/dev/full")
            #expect(outcome.status == 1, "\(command)")
            #expect(outcome.messages.contains("No space left on device"), "\(command)")
        }
    }

    @Test func wrongUsageEndsWith64AndNamesWhatIsRight() throws {
        let cases: [([String], String)] = [
            (["decode"], "hr-raw decode FILE"), (["decode", "a", "b"], "'b'"), (["frobnicate"], "frobnicate"),
            (["decode", "--jsn", "a"], "--json"), ([], "decode"),
            (["decode", "--heart-rate-handle", "0", "a"], "--heart-rate-handle"),
        ]
        for (arguments, hint) in cases {
            let outcome = try BuiltProgram.run(arguments)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.messages.contains(hint), "\(arguments)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func helpGoesToStandardOutput() throws {
        for arguments in [["--help"], ["decode", "--help"], ["help", "replay"], ["--version"]] {
            let outcome = try BuiltProgram.run(arguments)
            #expect(outcome.status == 0)
            #expect(!outcome.output.isEmpty)
            #expect(outcome.messages.isEmpty)
        }
    }

    @Test func replayTellsTheSession() throws {
        let outcome = try BuiltProgram.run(["replay", "--json", session])
        #expect(outcome.status == 0)
        let objects = try outcome.lines.map(object)
        #expect(objects.filter { $0["event"] as? String == "heart_rate" }.count == 36)
        #expect(objects.allSatisfy { $0["frame"] is Int })
        let ended = try #require(objects.last { $0["event"] as? String == "link" })
        #expect(ended["state"] as? String == "disconnected")
        let reason = try #require(ended["reason"] as? [String: Any])
        #expect(reason["code"] as? Int == 8)
        #expect(reason["name"] as? String == "Connection Timeout")
        let connected = try #require(objects.first { $0["state"] as? String == "connected" })
        #expect(connected["interval_ms"] as? Double == 30)
        #expect(connected["latency"] as? Int == 0)
        #expect(connected["supervision_timeout_ms"] as? Int == 720)
        let device = try #require(objects.first { $0["event"] as? String == "device" })
        #expect(device["sensor_location"] as? String == "chest")
        #expect(device["battery_percent"] as? Int == 87)
        #expect(objects.filter { $0["event"] as? String == "gap" }.count == 1)
        let plain = try BuiltProgram.run(["replay", session])
        #expect(plain.output.contains("72 bpm"))
        #expect(!plain.output.contains("\u{1B}"))
    }

    @Test func replayNamesWhatTheUserMayKnow() throws {
        let file = Fixtures.path("captures/edge/midstream.btsnoop")
        let outcome = try BuiltProgram.run(["replay", "--json", file])
        #expect(outcome.status == 0)
        #expect(outcome.messages.contains("--heart-rate-handle 0x0025"))
        let told = try BuiltProgram.run(["replay", "--json", "--heart-rate-handle", "0x0025", file])
        #expect(told.lines.filter { $0.contains("\"bpm\":") }.count == 5)
    }

    @Test func randomBodiesBehindAGoodHeaderNeverKillIt() throws {
        let folder = try TemporaryFolder()
        var generator = SystemRandomNumberGenerator()
        for index in 0..<40 {
            let body = (0..<Int.random(in: 16...600, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next() % 5 == 0 ? generator.next() : 0)
            }
            let file = try folder.file("\(index)", octets("6274736e6f6f7000 00000001 000003ea") + body)
            for command in ["decode", "replay"] {
                let outcome = try BuiltProgram.run([command, "--json", file])
                #expect(!outcome.wasKilled, "\(body)")
                #expect([0, 65].contains(outcome.status), "\(body)")
            }
        }
    }
}
