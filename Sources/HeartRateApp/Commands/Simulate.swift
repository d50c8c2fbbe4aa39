import HCITransport
import Simulator

/// `hr-raw simulate`: serves the simulator to other programs.
struct Simulate: Command {
    static let description = CommandDescription(
        "simulate", summary: "Serve a simulated controller, with straps around it, to other programs",
        options: [.tcp, .pty, .vhci, .scenario, .seed],
        discussion: """
            Give one of --tcp, --pty and --vhci. Where the controller is to be found is printed as
            --adapter takes it. It serves until it is told to end, one program at a time; each finds
            the simulation at its beginning.

            Scenarios:

            \(Scenario.list)
            """,
        examples: [
            "hr-raw simulate --tcp 9000", "hr-raw simulate --pty --scenario dropping",
            "sudo hr-raw simulate --vhci --scenario straps",
        ])

    /// Over what the controller is served.
    private enum Means: Hashable {
        case tcp(port: UInt16)
        case pty
        case adapter
    }

    private let means: Means
    private let scenario: Scenario
    private let seed: UInt64
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        means = try Self.means(arguments)
        scenario = try arguments.text(.scenario).map(Scenario.chosen) ?? .byDefault
        seed = try UInt64(arguments.integer(.seed, in: 0...Int.max) ?? 1)
        isJSON = arguments.has(.json)
        for option in [Option.adapter, .capture] where arguments.has(option) {
            throw UsageError("--\(option.name) is for the program that is served", command: Self.description.name)
        }
    }

    private static func means(_ arguments: ParsedArguments) throws(UsageError) -> Means {
        let port = try arguments.integer(.tcp, in: 0...Int(UInt16.max)).map { Means.tcp(port: UInt16(clamping: $0)) }
        let given = [port, arguments.has(.pty) ? .pty : nil, arguments.has(.vhci) ? .adapter : nil].compactMap(\.self)
        guard let means = given.first, given.count == 1 else {
            throw UsageError("'simulate' needs one of --tcp PORT, --pty and --vhci", command: description.name)
        }
        return means
    }

    func run(_ console: Console) async throws {
        _ = try await Interruption.untilRequested {
            do {
                try await serve(console)
            } catch TransportError.cancelled where Task.isCancelled {
                throw CancellationError()
            } catch TransportError.cannotOpen(let path, _) where means == .adapter {
                throw Failure(
                    .unavailable, "there is no \(path): the kernel cannot be served", remedy: "sudo modprobe hci_vhci")
            } catch let error as TransportError {
                throw Failure(error)
            }
        }
    }

    private func serve(_ console: Console) async throws {
        let loop = try EventLoop()
        // A world of its own for each program, its random numbers among it.
        let world: ControllerServer.MakeController = { [scenario, seed] in
            SimulatedWorld.withCryptography(scenario, seed: seed)
        }
        let server: ControllerServer
        switch means {
        case .tcp(let port): server = try ControllerServer.tcp(port: port, on: loop, serving: world)
        case .pty: server = try ControllerServer.pty(on: loop, serving: world)
        case .adapter: server = try ControllerServer.adapter(on: loop, serving: world)
        }
        // Nothing that a host sends is read as root.
        try await Privileges.drop(keeping: .nothing, on: loop)
        try show(server.place, console)
        console.messages.note("simulating '\(scenario.name)': \(scenario.summary)")
        try await server.run()
    }

    private func show(_ place: ControllerServer.Place, _ console: Console) throws(OutputError) {
        let adapter =
            switch place {
            case .tcp(let port): "tcp:127.0.0.1:\(port)"
            case .pty(let path): "serial:\(path)"
            case .adapter(let index): "hci\(index)"
            }
        guard isJSON else { return try console.output.writeLine(adapter) }
        try console.output.write { octets in
            JSONWriter.line(to: &octets) { writer in
                writer.event("serving")
                writer.key("adapter")
                writer.string(adapter)
                writer.key("scenario")
                writer.string(scenario.name)
            }
        }
    }
}

extension Scenario {
    /// The scenario of a name that somebody typed.
    static func chosen(_ name: String) throws(UsageError) -> Scenario {
        if let scenario = named(name) { return scenario }
        let names = all.map(\.name)
        let nearest = names.nearest(to: name).map { "; the nearest is '\($0)'" } ?? ""
        throw UsageError("there is no scenario '\(name)'\(nearest); '\(Help.program) simulate --help' lists them all")
    }

    /// All scenarios under their titles, each with its line, for the help.
    fileprivate static var list: String {
        groups.map { group in
            let width = group.scenarios.map(\.name.count).max() ?? 0
            let lines = group.scenarios.map { scenario in
                let name = scenario.name + String(repeating: " ", count: width - scenario.name.count)
                return "  \(name)  \(scenario.summary)"
            }
            return group.title + ":\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}

extension Option {
    fileprivate static let tcp = Option(
        "tcp", value: "PORT", help: "serve H4 over TCP on 127.0.0.1; 0 takes any port that is free")
    fileprivate static let pty = Option("pty", help: "serve H4 over a new pseudo-terminal")
    fileprivate static let vhci = Option(
        "vhci", help: "serve this machine's kernel: an adapter (root, module hci_vhci)")
    fileprivate static let scenario = Option("scenario", value: "NAME", help: "what to simulate (default: strap)")
    fileprivate static let seed = Option(
        "seed", value: "N", help: "another course of chance; the same one gives the same simulation")
}
