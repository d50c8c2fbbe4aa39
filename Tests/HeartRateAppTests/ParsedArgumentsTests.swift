import Replay
import Testing
import Wire

@testable import HeartRateApp

private let duration = Option("duration", value: "S", help: "how long")
private let count = Option("count", value: "N", help: "how many")
private let passive = Option("passive", help: "only listen")
private let service = Option("service", value: "UUID", help: "may be repeated")
private let kind = Option("type", value: "public|random", help: "address type")
private let rssi = Option("min-rssi", value: "DBM", help: "how strong")

private let commands = [
    CommandDescription("scan", summary: "Listen", options: [duration, count, passive, service, rssi]),
    CommandDescription(
        "connect", summary: "Stream", operands: "ADDRESS …", operandCount: 1...8, options: [duration, count, kind]),
]

private func parse(_ line: String, variables: [String: String] = [:]) throws(UsageError) -> ParsedArguments {
    try ParsedArguments(line.split(separator: " ").map(String.init), commands: commands) { variables[$0] }
}

/// The message for a wrong command line; `nil` where it is right.
private func complaint(_ line: String) -> String? {
    do throws(UsageError) {
        _ = try parse(line)
        return nil
    } catch {
        return error.message
    }
}

@Suite struct ParsedArgumentsTests {
    @Test(arguments: [
        "--duration 3 scan --json", "scan --duration=3 --json", "--json scan --duration 3", "scan --json --duration 3",
    ])
    func optionsStandBeforeOrAfterTheCommand(_ line: String) throws {
        let parsed = try parse(line)
        #expect(parsed.command?.name == "scan")
        #expect(parsed.has(.json))
        #expect(try parsed.seconds(duration) == .seconds(3))
        #expect(parsed.operands.isEmpty)
    }

    @Test func repeatedOptionsAddUpAndTheLastSingleValueWins() throws {
        let parsed = try parse("scan --service 180D --service=180F -vv --verbose --count 1 --count 2")
        #expect(parsed.texts(service) == ["180D", "180F"])
        #expect(parsed.count(.verbose) == 3)
        #expect(try parsed.integer(count, in: 1...9) == 2)
    }

    @Test func valuesMayBeginWithADashAndDoubleDashEndsTheOptions() throws {
        #expect(try parse("scan --min-rssi -70").integer(rssi, in: -127...20) == -70)
        let parsed = try parse("connect -- --odd-name")
        #expect(parsed.operands == ["--odd-name"])
        #expect(try parse("connect --json -").operands == ["-"])
    }

    @Test func aWrongOptionIsNamedWithTheNearestOne() {
        #expect(complaint("scan --durration 3") == "unknown option --durration; the nearest is --duration")
        #expect(complaint("scan --dur 3") == "unknown option --dur; the nearest is --duration")
        #expect(complaint("scan -x") == "unknown option -x; the nearest is --json")
        #expect(
            complaint("connect A --passive")?.hasPrefix("'connect' has no option --passive; the nearest is --") == true)
    }

    @Test func aWrongCommandIsNamedWithTheNearestOne() {
        #expect(complaint("scna") == "unknown command 'scna'; the nearest is 'scan'")
        #expect(complaint("conect A") == "unknown command 'conect'; the nearest is 'connect'")
        #expect(complaint("")?.contains("scan, connect") == true)
    }

    @Test(
        arguments: [
            ("scan --durration 3", "scan"), ("--durration 3 scan", "scan"), ("connect A -x", "connect"),
            ("scan --json=yes", "scan"), ("scan --count", "scan"), ("--durration 3", nil), ("conect scan", nil),
        ] as [(String, String?)])
    func theHelpThatIsOfferedIsTheCommands(_ line: String, _ command: String?) {
        let error = #expect(throws: UsageError.self) { try parse(line) }
        #expect(error?.command == command)
    }

    @Test func missingAndSuperfluousPartsAreNamed() {
        #expect(complaint("connect") == "'connect' needs more: hr-raw connect ADDRESS …")
        #expect(complaint("scan now") == "'now' is one operand too many: hr-raw scan")
        #expect(complaint("scan --duration") == "--duration needs a value: --duration S")
        #expect(complaint("scan --duration --json") == "--duration needs a value: --duration S")
        #expect(complaint("scan --json=yes") == "--json takes no value")
    }

    @Test func helpAndVersionNeedNothingElse() throws {
        #expect(try parse("--help").command == nil)
        #expect(try parse("connect --help").command?.name == "connect")
        #expect(try parse("help connect").has(.help))
        #expect(try parse("--version").has(.version))
    }

    @Test(arguments: ["0", "-1", "1e30", "nan", "inf", "soon", "", "3s"])
    func durationsThatAreNoneAreRefused(_ text: String) throws {
        let parsed = try ParsedArguments(["scan", "--duration=\(text)"], commands: commands)
        let error = #expect(throws: UsageError.self) { try parsed.seconds(duration) }
        #expect(error?.message.hasPrefix("--duration '\(text)' is wrong") == true)
    }

    @Test(arguments: ["0", "10", "2.5", "x", "99999999999999999999"])
    func countsOutsideTheirRangeAreRefused(_ text: String) throws {
        let parsed = try ParsedArguments(["scan", "--count=\(text)"], commands: commands)
        #expect(throws: UsageError.self) { try parsed.integer(count, in: 1...9) }
    }

    @Test func choicesNameTheNearestWord() throws {
        let choices: KeyValuePairs = ["public": 0, "random": 1]
        #expect(try parse("connect A --type random").choice(kind, choices) == 1)
        #expect(try parse("connect A").choice(kind, choices) == nil)
        let error = #expect(throws: UsageError.self) { try parse("connect A --type randum").choice(kind, choices) }
        #expect(error?.message == "--type 'randum' is wrong: it takes public or random; the nearest is 'random'")
    }

    @Test func theAdapterComesFromTheOptionThenFromTheEnvironment() throws {
        let variables = ["HR_RAW_ADAPTER": "hci2"]
        #expect(try parse("scan", variables: variables).adapter() == .linux(index: 2))
        #expect(try parse("scan --adapter sim", variables: variables).adapter() == .simulator(scenario: nil))
        #expect(try parse("scan", variables: ["HR_RAW_ADAPTER": ""]).adapter() == nil)
        let error = #expect(throws: UsageError.self) {
            try parse("scan", variables: ["HR_RAW_ADAPTER": "hcix"]).adapter()
        }
        #expect(error?.message.hasPrefix("HR_RAW_ADAPTER 'hcix' is no adapter; the nearest form is hciN") == true)
    }

    @Test func aFileWithoutANameIsNone() throws {
        let error = #expect(throws: UsageError.self) {
            try ControllerAccess(ParsedArguments(["scan", "--capture", ""], commands: commands))
        }
        #expect(error?.message == "--capture '' is wrong: it takes the name of a file")
    }

    @Test func editDistancesCountSwapsAsOne() {
        #expect(editDistance("", "abc") == 3)
        #expect(editDistance("durration", "duration") == 1)
        #expect(editDistance("scna", "scan") == 1)
        #expect(editDistance("kitten", "sitting") == 3)
    }
}

@Suite struct AdapterSpecTests {
    @Test func theForms() {
        #expect(AdapterSpec("hci0") == .linux(index: 0))
        #expect(AdapterSpec("tcp:127.0.0.1:9000") == .tcp(host: "127.0.0.1", port: 9000))
        #expect(AdapterSpec("tcp:[::1]:9000") == .tcp(host: "::1", port: 9000))
        #expect(AdapterSpec("serial:/dev/ttyUSB0") == .serial(path: "/dev/ttyUSB0", baud: nil))
        #expect(AdapterSpec("serial:/dev/ttyUSB0,1000000") == .serial(path: "/dev/ttyUSB0", baud: 1_000_000))
        #expect(AdapterSpec("sim") == .simulator(scenario: nil))
        #expect(AdapterSpec("sim:crowd") == .simulator(scenario: "crowd"))
        #expect(AdapterSpec("replay:a:b,c") == .replay(file: "a:b,c", nil))
        #expect(AdapterSpec("replay:a,strict") == .replay(file: "a", .strictly))
        #expect(AdapterSpec("replay:a,equivalent") == .replay(file: "a", .equivalently))
    }

    @Test(arguments: [
        "", "hci", "hci-1", "hci+1", "hci65536", "tcp:", "tcp:host", "tcp:host:0", "tcp:host:65536", "tcp:::1:9",
        "tcp::9000",
        "serial:", "serial:,9600", "serial:/dev/x,", "serial:/dev/x,fast", "sim:", "replay:", "replay:,strict", "usb:0",
        "0",
    ])
    func whatIsNone(_ text: String) {
        #expect(AdapterSpec(text) == nil)
    }
}

@Suite struct DeviceSelectorTests {
    @Test func addressesNamesAndAny() throws {
        #expect(
            try DeviceSelector("f0:f1:f2:f3:f4:01", command: "connect") == .address(.init(rawValue: 0xF0F1_F2F3_F401)))
        #expect(try DeviceSelector("any", command: "connect") == .any)
        #expect(try DeviceSelector("Polar H10 12345678", command: "connect") == .name("Polar H10 12345678"))
        #expect(try DeviceSelector("HRM: left", command: "connect") == .name("HRM: left"))
        #expect(try DeviceSelector("decade", command: "connect") == .name("decade"))
    }

    @Test(arguments: [
        "", "NOTANADDRESS:XX", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:0G", "F0-F1-F2-F3-F4-01", "F0F1F2F3F401",
        "F0:F1:F2:F3:F4:01:02", " F0:F1:F2:F3:F4:01", "F0:F1:F2:F3:F4:01 ", "\tF0-F1-F2-F3-F4-01\n", " ", "\u{A0}",
    ])
    func whatLooksLikeAnAddressAndIsNone(_ text: String) {
        #expect(throws: UsageError.self) { try DeviceSelector(text, command: "connect") }
    }
}

@Suite struct HelpTests {
    @Test func theHelpShowsEveryOptionOfTheTable() {
        let text = Help.of(commands[0])
        for option in commands[0].options + Option.common { #expect(text.contains("--" + option.name)) }
        #expect(text.hasPrefix("Usage: hr-raw scan [OPTION …]\n"))
    }

    @Test func theGeneralHelpShowsEveryCommand() {
        let text = Help.general(commands)
        #expect(text.contains("\n  scan     Listen\n"))
        #expect(text.contains("\n  connect  Stream\n"))
    }

    @Test func noLineIsTooLongForATerminal() {
        for text in [Help.general(CommandTable.descriptions)] + CommandTable.descriptions.map(Help.of) {
            for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        }
    }
}

@Suite struct ConnectArgumentsTests {
    /// How many straps are too many is the adapter's to say.
    @Test func anyNumberOfStrapsIsRightUsage() throws {
        let addresses = (0..<300).map { "C0:00:00:00:\(String($0 / 100 + 10)):\(String($0 % 100 / 10))\($0 % 10)" }
        let arguments = try ParsedArguments(["connect"] + addresses, commands: [Connect.description]) { _ in nil }
        _ = try Connect(arguments)
    }
}
