import Foundation
import TestSupport
import Testing

private let session = Fixtures.path("captures/edge/le_session.btsnoop")
private let midstream = Fixtures.path("captures/edge/midstream.btsnoop")

/// The frames of the lines.
private func frames(_ arguments: [String]) throws -> [Int] {
    let outcome = try BuiltProgram.run(["decode", session] + arguments)
    #expect(outcome.status == 0)
    return outcome.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
}

@Suite struct DecodeFilterProgramTests {
    @Test func filtersPrintWhatIsWantedAndReadAll() throws {
        let notifications = try frames(["--att", "notification"])
        #expect(notifications.count == 36)
        #expect(try frames(["--att", "0x1B"]) == notifications)
        #expect(try frames(["--att", "0x000C"]) == notifications)
        #expect(try frames(["--att", "2a37"]) == (notifications + [56, 57, 100, 101]).sorted())
        #expect(try frames(["--att", "0x2A37"]) == (notifications + [56, 57, 100, 101]).sorted())
        #expect(try frames(["--att", "00002a37-0000-1000-8000-00805f9b34fb"]).count == 40)
        #expect(try frames(["--att", "notification", "--handle", "0x0041"]).allSatisfy { $0 > 90 })
        #expect(try frames(["--att", "notification", "--handle", "65"]).count == 6)
        #expect(try frames(["--handle", "64", "--handle", "65", "--att", "notification"]) == notifications)
        #expect(try frames(["--address", "c0:de:00:00:00:01", "--type", "event"]).prefix(3) == [9, 10, 15])
        #expect(try frames(["--type", "command", "--type", "event", "--to", "0.25"]) == [1, 2])
        #expect(try frames(["--from", "2024-03-01T00:00:00.5Z", "--to", "2024-03-01 01:00:00.75+01:00"]) == [9, 10])
        // The types are known from the discovery, which is not printed.
        let line = try BuiltProgram.run(["decode", "--from", "15", session]).lines.first
        #expect(line?.contains("2A37 Heart Rate Measurement") == true)
    }

    @Test func nothingWantedIsNoFailure() throws {
        let outcome = try BuiltProgram.run(["decode", "--type", "iso", session])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
    }

    @Test func filtersHoldForJSONToo() throws {
        let outcome = try BuiltProgram.run(["decode", "--json", "--att", "error", session])
        #expect(!outcome.lines.isEmpty)
        #expect(outcome.lines.allSatisfy { $0.contains(#""name":"Error Response""#) })
    }

    @Test(arguments: [
        ("--att", "notifcation", "notification"), ("--att", "27", "0x001B"), ("--att", "", "any"),
        ("--att", "0x1", "0x0001"), ("--handle", "f00d", "0x0040"), ("--handle", "00c", "0x000C"),
        ("--handle", "-1", "0x0040"), ("--address", "c0de00000001", "C0:DE:00:00:00:01"),
        ("--address", "C0:DE:00:00:01", "F0:F1:F2:F3:F4:01"), ("--type", "Events", "event"),
        ("--from", "noon", "2026-05-01T12:00:00Z"), ("--to", "nan", "2026-05-01T12:00:00Z"),
        ("--to", "1e30", "2026-05-01T12:00:00Z"), ("--from", "2024-02-30", "2026-05-01T12:00:00Z"),
    ]) func nonsenseEndsWith64AndNamesTheNearest(_ option: String, _ value: String, _ nearest: String) throws {
        let outcome = try BuiltProgram.run(["decode", option + "=" + value, session])
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains(option) && outcome.messages.contains("'\(nearest)'"), "\(outcome.messages)")
        #expect(outcome.output.isEmpty)
    }

    @Test func anEndBeforeTheBeginningIsWrongUsage() throws {
        #expect(try BuiltProgram.run(["decode", "--from", "5", "--to", "3", session]).status == 64)
        #expect(try BuiltProgram.run(["decode", "--from", "2024-03-02", "--to", "2024-03-01", session]).status == 64)
    }

    @Test func assumptionsAreSaidOnceForPeopleAndEachTimeForPrograms() throws {
        let arguments = ["--heart-rate-handle", "0x0025", midstream]
        let lines = try BuiltProgram.run(["decode"] + arguments).lines
        let said = lines.filter { $0.contains("  ? ") }
        #expect(said.count == 2)
        #expect(said.first?.contains("beginning is not in the capture") == true)
        #expect(said.first?.contains("as the user says") == true)
        let verbose = try BuiltProgram.run(["decode", "-v"] + arguments).output
        #expect(verbose.split(separator: "\n").filter { $0.contains("        Assumed: ") }.count == 5)
        let objects = try BuiltProgram.run(["decode", "--json"] + arguments).lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
        let assumed = objects.map { $0["assumed"] as? [String] ?? [] }
        #expect(assumed[0] == ["link_began_earlier", "heart_rate_handle"])
        #expect(assumed[1] == ["heart_rate_handle"])
        #expect(assumed.filter { $0.contains("heart_rate_handle") }.count == 5)
    }

    @Test func jsonTellsOfLinksSignallingAndErrors() throws {
        func objects(_ file: String) throws -> [[String: Any]] {
            try BuiltProgram.run(["decode", "--json", Fixtures.path("captures/" + file)]).lines.map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
        }
        let strap = try objects("edge/le_session.btsnoop")
        let link = try #require(strap[14]["link"] as? [String: Any])
        #expect(link["state"] as? String == "connected")
        #expect(link["address"] as? String == "C0:DE:00:00:00:01")
        #expect(link["interval_ms"] as? Double == 30)
        #expect(strap[73]["peer"] as? String == "C0:DE:00:00:00:01")
        let ended = try #require(strap[107]["link"] as? [String: Any])
        #expect((ended["reason"] as? [String: Any])?["code"] as? Int == 8)
        let error = try #require((strap[25]["att"] as? [String: Any])?["error"] as? [String: Any])
        #expect(error["code"] as? Int == 0x0A && error["handle"] as? Int == 0x16 && error["request"] as? Int == 0x10)
        #expect(error["name"] as? String == "Attribute Not Found")
        let answer = try #require(strap[56]["att"] as? [String: Any])
        #expect(answer["requested"] as? Int == 0x0D && answer["uuid"] as? String == "2902")
        let lamp = try objects("corbanvilla__BLETools.btsnoop")
        let request = try #require(lamp[331]["signaling"] as? [String: Any])
        #expect(request["code"] as? Int == 0x12 && request["connection_interval_min"] as? Int == 24)
        #expect(lamp[58]["vendor"] as? Bool == true)
    }
}
