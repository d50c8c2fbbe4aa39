import HCI
import HCITransport
import Host
import Replay
import Simulator
import Wire

/// The way from the command line to a controller that is ready: opens what `--adapter` names and hands it to the command.
struct ControllerAccess: Sendable {
    /// What happens when the adapter is pulled out.
    enum Removal: Sendable {
        /// The command ends with that.
        case ends
        /// The adapter is waited for, until the deadline where there is one, and the command goes on.
        case isWaitedOut(until: Moment?)
    }

    /// How the command's work with the controller ended.
    enum End<Result: Sendable>: Sendable {
        case finished(Result)
        /// By a signal from the user, which is no failure.
        case interrupted
        /// The adapter was pulled out and did not come back in time.
        case adapterStayedAway
        /// A recording stood in for the controller, and is over.
        case recordingEnded
    }

    private let adapter: AdapterSpec?
    private let scenario: Scenario
    private let takesOver: Bool
    private let pairing: PairingOptions
    private let capture: CaptureOptions?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        adapter = try arguments.adapter()
        scenario = if case .simulator(let name?) = adapter { try Scenario.chosen(name) } else { .byDefault }
        takesOver = arguments.has(.takeOver)
        pairing = try PairingOptions(arguments)
        capture = try CaptureOptions(arguments, over: adapter)
    }

    /// The clock that the deadlines of a whole run are set on.
    var now: Moment {
        // A recording has a clock of its own.
        if case .replay = adapter { .zero } else { SystemClock.now }
    }

    /// Gets the controller ready and hands it to `body`, again for each time that the adapter comes back. A signal cancels `body`.
    func withCentral<Result: Sendable>(
        _ console: Console, removal: Removal = .ends, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> End<Result> {
        let end = try await Interruption.untilRequested {
            do {
                return try await run(console, removal, body)
            } catch  where Interruption.isRequested {
                // Whatever a cancelled command says of it, it is what the user wanted.
                throw CancellationError()
            } catch HostError.linkEnded(.recordingEnded) {
                return .recordingEnded
            } catch let divergence as Divergence {
                throw Failure(HostError.linkEnded(.recordingDiverged(divergence.description)))
            } catch let error as HostError {
                throw Failure(error)
            } catch let error as TransportError {
                throw Failure(error)
            }
        }
        return end ?? .interrupted
    }

    private func run<Result: Sendable>(
        _ console: Console, _ removal: Removal, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> End<Result> {
        let loop = try EventLoop()
        let session = try ControllerSession(loop, capture, pairing, console)
        switch adapter {
        case .tcp(let host, let port):
            let link = try await StreamLink.connect(to: host, port: port, on: loop)
            return .finished(try await session.run(over: link, called: "tcp:\(host):\(port)", keeping: .nothing, body))
        case .serial(let path, let baud):
            let link = try StreamLink.open(serial: path, baud: baud.map(UInt32.init(clamping:)), on: loop)
            return .finished(try await session.run(over: link, called: "serial:\(path)", keeping: .nothing, body))
        case .simulator:
            console.messages.note("simulated: the scenario '\(scenario.name)', no radio")
            let screen = HostScreen()
            let link = VirtualLink(SimulatedWorld.withCryptography(scenario, seed: 1, screen: screen), on: loop)
            // The next scenario's straps have the same addresses and other attributes.
            return .finished(
                try await session.run(
                    over: link, called: "sim", keeping: .nothing, remembersPeers: false, screen: screen, body))
        case .replay(let file, let matching):
            return try await run(over: file, matching, session, body)
        case .linux(let index):
            return try await run(.index(index), session, removal, body)
        case nil:
            return try await run(.firstUsable, session, removal, body)
        }
    }

    /// Runs over an adapter of this machine, and again over the same when it has been away.
    private func run<Result: Sendable>(
        _ selector: AdapterSelector, _ session: ControllerSession, _ removal: Removal,
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> End<Result> {
        let messages = session.console.messages
        var selector = selector
        while true {
            do {
                return .finished(try await session.run(over: selector, takesOver: takesOver, body))
            } catch let removed as ControllerSession.AdapterRemoved {
                guard case .isWaitedOut(let deadline) = removal, let address = removed.adapter.address else {
                    throw HostError.linkEnded(.removed)
                }
                messages.warning("\(removed.adapter.name) was removed; waiting for \(address) to come back")
                guard let back = try await Adapters.waitForReturn(of: address, until: deadline, on: session.loop)
                else { return .adapterStayedAway }
                messages.note("\(address) is back as \(back.name)")
                selector = .address(address)
            }
        }
    }
}
