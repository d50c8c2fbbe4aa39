import Foundation
import TestSupport
import Testing

/// `--adapter replay:FILE`, as its users run it.
@Suite struct ReplayAdapterProgramTests {
    private static let bumble = Fixtures.path("captures/SYNTHETIC_bumble_hr_mtu23.btsnoop")

    /// The objects of a run by their kind, in order, without the times that the host takes from its own clock: when it told of a link.
    /// Of objects of two kinds that come within a few hundred microseconds, either may be told first.
    private func objects(_ outcome: BuiltProgram.Outcome) throws -> [String: [NSDictionary]] {
        try outcome.lines.reduce(into: [:]) { objects, line in
            var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let kind = try #require(object["event"] as? String)
            if kind == "link" { object["time"] = nil }
            objects[kind, default: []].append(object as NSDictionary)
        }
    }

    @Test func aRecordedRunTellsTheSameAgain() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("run.btsnoop").path
        let run = ["--json", "connect", "any", "--count", "4"]
        let recorded = try BuiltProgram.run(["--adapter", "sim:wide", "--capture", file] + run)
        let replayed = try BuiltProgram.run(["--adapter", "replay:\(file)"] + run)
        #expect(recorded.status == 0)
        #expect(replayed.status == 0, "\(replayed.messages)")
        #expect(replayed.messages.contains("packet by packet"))
        #expect(try objects(recorded).keys.sorted() == ["device", "heart_rate", "link"])
        #expect(try objects(recorded) == objects(replayed))
    }

    @Test func aRunThatDoesSomethingElseSaysWhat() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("run.btsnoop").path
        _ = try BuiltProgram.run(["--adapter", "sim", "--capture", file, "connect", "any", "--count", "3"])
        let other = try BuiltProgram.run(
            ["--adapter", "replay:\(file)", "connect", "any", "--count", "3", "--reset-energy"])
        #expect(other.status == 1)
        #expect(other.messages.contains("the recorded host did something else"))
        #expect(other.messages.contains("recorded: "))
        #expect(other.messages.contains("now:  "))
    }

    @Test func anotherHostsRecordingStreams() throws {
        let outcome = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble)", "connect", "any", "--count", "10"])
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.lines.count { $0.contains(" bpm") || $0.contains("no heart rate") } == 10)
        #expect(outcome.messages.contains("worn on: chest, battery 87 %"))
        #expect(outcome.messages.contains("with what it tells of its devices"))
        #expect(outcome.messages.contains("recorded: write 01 to 2A39"))
    }

    /// The attributes of a device in a recording, read by our host.
    @Test func itsDevicesCanBeLookedInto() throws {
        let outcome = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble)", "gatt", "F1:F1:F2:F3:F4:F5"])
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.output.contains("0x0019  2A37  notify"))
    }

    @Test func theRecordingsEndIsTheEnd() throws {
        let connect = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble)", "connect", "any"])
        #expect(connect.status == 0, "\(connect.messages)")
        let scan = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble)", "scan"])
        #expect(scan.status == 0, "\(scan.messages)")
        #expect(scan.output.contains("F1:F1:F2:F3:F4:F5"))
        let strictly = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble),strict", "scan", "--duration", "3"])
        #expect(strictly.status == 1)
        #expect(strictly.messages.contains("frame 7"), "\(strictly.messages)")
    }

    @Test(arguments: [
        ("google__bumble__hci_data_001.bin", "no host sends a command"), ("nothing.btsnoop", "No such file"),
        ("README.md", "no capture"), (".", "directory"),
    ])
    func whatCannotAnswerSaysWhy(_ name: String, _ reason: String) throws {
        let outcome = try BuiltProgram.run(["--adapter", "replay:" + Fixtures.path("captures/" + name), "scan"])
        #expect(outcome.status == 65)
        #expect(outcome.messages.contains(reason), "\(outcome.messages)")
    }

    /// What is before a damage is played all the same.
    @Test func aDamagedRecordingIsPlayedUpToItsDamage() throws {
        let folder = try TemporaryFolder()
        let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.bumble)))
        let file = try folder.file("cut.btsnoop", octets.dropLast(10))
        let outcome = try BuiltProgram.run(["--adapter", "replay:\(file)", "connect", "any", "--count", "10"])
        #expect(outcome.status == 65, "\(outcome.messages)")
        #expect(outcome.lines.count { $0.contains(" bpm") || $0.contains("no heart rate") } == 10)
        #expect(outcome.messages.contains("ends inside frame 127"))
    }

    /// What is replayed must not be written over by what is recorded of it.
    @Test func theRecordingIsNotItsOwnCapture() throws {
        let folder = try TemporaryFolder()
        let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.bumble)))
        let file = try folder.file("ride.btsnoop", octets)
        let outcome = try BuiltProgram.run(["--adapter", "replay:\(file)", "--capture", file, "connect", "any"])
        #expect(outcome.status == 64, "\(outcome.messages)")
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) == octets)
    }

    /// Who asks for equivalence is told by the status.
    @Test func anotherWriteFailsWhereEquivalenceIsAskedFor() throws {
        let run = ["gatt", "F1:F1:F2:F3:F4:F5", "write", "0x001E", "03"]
        let asked = try BuiltProgram.run(["--adapter", "replay:\(Self.bumble),equivalent"] + run)
        #expect(asked.status == 1, "\(asked.messages)")
        #expect(asked.messages.contains("write 03 to"))
        #expect(try BuiltProgram.run(["--adapter", "replay:\(Self.bumble)"] + run).status == 0)
    }
}
