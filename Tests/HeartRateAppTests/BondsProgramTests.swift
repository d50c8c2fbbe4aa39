import Foundation
import Testing

@testable import HeartRateApp

/// `hr-raw bonds` and `hr-raw unpair`, as their users run them.
@Suite struct BondsProgramTests {
    private let folder: TemporaryFolder
    private let key = "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF"

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
        let outcome = try BuiltProgram.run(arguments, environment: ["XDG_STATE_HOME": folder.url.path])
        #expect(!outcome.wasKilled)
        // Whatever it says, it says no key.
        for said in [outcome.output, outcome.messages] {
            #expect(!said.lowercased().contains("a0a1a2") && !said.lowercased().contains("a2a1a0"))
        }
        return outcome
    }

    private var file: URL { folder.url.appendingPathComponent("hr-raw/bonds") }

    /// What BlueZ might keep of devices.
    private func makeSystemsBonds() throws -> String {
        let adapter = folder.url.appendingPathComponent("bluetooth/00:00:5E:00:53:01")
        func write(_ device: String, _ text: String) throws {
            let place = adapter.appendingPathComponent(device)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try text.write(to: place.appendingPathComponent("info"), atomically: false, encoding: .utf8)
        }
        try write(
            "C0:00:5E:00:53:02",
            "[General]\nName=HRM \u{1B}[31m7\nAddressType=static\n[PeripheralLongTermKey]\nKey=\(key)\nAuthenticated=3\n"
                + "EncSize=16\nEDiv=0\nRand=0\n[IdentityResolvingKey]\nKey=9B7D390AA610103405ADC857A33402EC\n")
        try write(
            "00:00:5E:00:53:03",
            "[General]\nName=Watch\nAddressType=public\n[LongTermKey]\nKey=\(key)\nAuthenticated=0\nEncSize=12\nEDiv=5\nRand=6\n"
        )
        return adapter.deletingLastPathComponent().path
    }

    @Test func takenOverListedAndForgotten() throws {
        let empty = try run("bonds")
        #expect(empty.status == 0 && empty.output.isEmpty)
        #expect(empty.messages.contains("no bonds"))
        let source = try makeSystemsBonds()
        let taken = try run("bonds", "--import", source)
        #expect(taken.status == 0, "\(taken.messages)")
        #expect(taken.lines.count == 2)
        let listed = try run("bonds")
        #expect(listed.status == 0 && listed.messages.isEmpty)
        #expect(
            listed.lines.map { $0.split(separator: "  since ").first } == [
                "00:00:5E:00:53:03 (public)  Watch  encrypted, key of 12 octets, legacy pairing",
                "C0:00:5E:00:53:02 (random)  HRM \u{FFFD}[31m7  encrypted and authenticated by Secure Connections, key of 16 octets, "
                    + "Secure Connections  recognised under private addresses",
            ])
        // Again: there is nothing new.
        let again = try run("bonds", "--import", source)
        #expect(again.status == 0 && again.output.isEmpty)
        #expect(again.messages.contains("nothing new"))
        #expect(again.messages.contains("unpair C0:00:5E:00:53:02"))
        // By its name, and by the private address that it has just now: prand and hash of a published vector.
        let watch = try run("unpair", "Watch")
        #expect(watch.status == 0 && watch.output == "forgotten: 00:00:5E:00:53:03 (public) Watch\n")
        let strap = try run("unpair", "70:81:94:0d:fb:aa", "--json")
        #expect(strap.status == 0)
        #expect(
            strap.output.hasPrefix(
                #"{"event":"unpaired","identity":"C0:00:5E:00:53:02","identity_type":"random","name":"HRM \u001b[31m7"}"#
            ))
        #expect(try run("bonds").output.isEmpty)
    }

    @Test func asJSON() throws {
        _ = try run("bonds", "--import", makeSystemsBonds())
        let lines = try run("bonds", "--json").lines
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(objects.count == 2)
        let watch = try #require(objects.first ?? nil)
        #expect(watch["event"] as? String == "bond")
        #expect(watch["identity"] as? String == "00:00:5E:00:53:03")
        #expect(watch["identity_type"] as? String == "public")
        #expect(watch["name"] as? String == "Watch")
        #expect(watch["level"] as? String == "encrypted")
        #expect(watch["key_size"] as? Int == 12)
        #expect(watch["secure_connections"] as? Bool == false)
        #expect(watch["private_addresses"] as? Bool == false)
        #expect(watch["own_address"] as? String == "00:00:5E:00:53:01")
        #expect((watch["since"] as? String)?.hasSuffix("Z") == true)
    }

    @Test func whoIsNotKnownCannotBeForgotten() throws {
        for device in ["F0:F1:F2:F3:F4:01", "Somebody"] {
            let outcome = try run("unpair", device)
            #expect(outcome.status == 69)
            #expect(outcome.messages.contains("no bond with \(device)"))
        }
        // Nothing is made of it.
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func twoOfOneName() throws {
        let source = try makeSystemsBonds()
        let other = source + "/00:00:5E:00:53:01/C0:00:5E:00:53:09"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try "[General]\nName=Watch\nAddressType=static\n[LongTermKey]\nKey=\(key)\nAuthenticated=2\n".write(
            toFile: other + "/info", atomically: false, encoding: .utf8)
        _ = try run("bonds", "--import", source)
        let outcome = try run("unpair", "Watch")
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains("00:00:5E:00:53:03 (public), C0:00:5E:00:53:09 (random)"))
        #expect(try run("unpair", "Watch", "--type", "random").status == 0)
        #expect(try run("bonds").lines.count == 2)
    }

    @Test func aDamagedFileIsSetAside() throws {
        _ = try run("bonds", "--import", makeSystemsBonds())
        for (number, command) in [["bonds"], ["unpair", "Watch"]].enumerated() {
            try Data("hr-raw-bonds 1\nhalf".utf8).write(to: file)
            let outcome = try BuiltProgram.run(command, environment: ["XDG_STATE_HOME": folder.url.path])
            #expect(outcome.status == 65)
            let aside = file.path + ".damaged" + (number == 0 ? "" : ".2")
            #expect(outcome.messages.contains("it is now \(aside)"))
            #expect(FileManager.default.contents(atPath: aside) == Data("hr-raw-bonds 1\nhalf".utf8))
        }
        try Data("hr-raw-bonds 7\n".utf8).write(to: file)
        let newer = try run("bonds")
        #expect(newer.status == 65 && newer.messages.contains("version 7"))
        #expect(try Data(contentsOf: file) == Data("hr-raw-bonds 7\n".utf8))
    }

    @Test func whatCannotBeTakenOver() throws {
        let source = try makeSystemsBonds()
        let info = source + "/00:00:5E:00:53:01/00:00:5E:00:53:03/info"
        try "[General]\nAddressType=public\n[LongTermKey]\nKey=A0A1\n".write(
            toFile: info, atomically: false, encoding: .utf8)
        let damaged = try run("bonds", "--import", source)
        #expect(damaged.status == 65)
        #expect(damaged.messages.contains("\(info), line 4: "))
        #expect(damaged.lines.count == 1 && damaged.output.hasPrefix("C0:00:5E:00:53:02"))
        let missing = try run("bonds", "--import", source + "/nowhere")
        #expect(missing.status == 65 && missing.messages.contains("nowhere"))
        let empty = try run("bonds", "--import", "/usr/share")
        #expect(empty.status == 65 && empty.messages.contains("no adapter's folder"))
    }

    /// BlueZ keeps its folder for its owner alone. To be refused it, root has to do without what makes it root.
    @Test(.enabled(if: geteuid() == 0)) func withoutPermission() throws {
        let source = try makeSystemsBonds()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700, .ownerAccountID: 65534], ofItemAtPath: source)
        let outcome = try BuiltProgram.shell(
            "setpriv --bounding-set -dac_override,-dac_read_search \"$HR\" bonds --import '\(source)'")
        #expect(outcome.status == 77)
        #expect(outcome.messages.contains("sudo hr-raw bonds --import '\(source)'"))
        // Our own file, where it is another user's.
        _ = try run("bonds", "--import", source)
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: file.path)
        let foreign = try run("bonds")
        #expect(foreign.status == 77)
        #expect(foreign.messages.contains("sudo chown \"$(id -un)\" '\(file.path)'"))
    }

    @Test(arguments: [
        (["bonds", "folder"], "--import"), (["unpair"], "needs more"), (["unpair", "any"], "no device to forget"),
        (["unpair", "F0:F1"], "no address"), (["unpair", "x", "--type", "secret"], "public or random"),
    ])
    func aWrongCommandLineIsNamed(_ line: [String], _ part: String) throws {
        let outcome = try BuiltProgram.run(line)
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains(part))
    }
}
