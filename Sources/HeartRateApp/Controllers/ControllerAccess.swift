import HCI
import HCITransport
import Host
import Simulator
import Wire

/// The way from the command line to a controller that is ready: opens what `--adapter` names, gives up root, records the traffic where
/// `--capture` asks for it, and gives the adapter back in the state in which it was found.
struct ControllerAccess: Sendable {
    /// What happens when the adapter is pulled out.
    enum Removal: Sendable {
        /// The command ends with that.
        case ends
        /// The adapter is waited for, until the deadline where there is one, and the command goes on.
        case isWaitedOut(until: Moment?)
    }

    private let adapter: AdapterSpec?
    private let scenario: Scenario
    private let captureFile: String?
    private let takesOver: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        adapter = try arguments.adapter()
        scenario = try Self.scenario(of: adapter)
        captureFile = arguments.text(.capture)
        takesOver = arguments.has(.takeOver)
    }

    private static func scenario(of adapter: AdapterSpec?) throws(UsageError) -> Scenario {
        guard case .simulator(let name?) = adapter else { return .byDefault }
        return try .chosen(name)
    }

    /// The clock that the deadlines of a whole run are set on.
    var now: Moment { SystemClock.now }

    /// Gets the controller ready and hands it to `body`. A signal from the user cancels `body`, which is no failure.
    ///
    /// - Returns: what `body` returned; `nil` after a signal, or when the adapter did not come back in time
    func withCentral<Result: Sendable>(
        _ console: Console, removal: Removal = .ends, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result? {
        try await Interruption.untilRequested {
            do {
                return try await open(console, removal, body)
            } catch HostError.cancelled where Task.isCancelled {
                throw CancellationError()
            } catch TransportError.cancelled where Task.isCancelled {
                throw CancellationError()
            } catch let error as HostError {
                throw Failure(error)
            } catch let error as TransportError {
                throw Failure(error)
            }
        } ?? nil
    }

    private func open<Result: Sendable>(
        _ console: Console, _ removal: Removal, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result? {
        let loop = try EventLoop()
        switch adapter {
        case .tcp(let host, let port):
            let link = try await StreamLink.connect(to: host, port: port, on: loop)
            return try await run(over: link, called: "tcp:\(host):\(port)", keeping: .nothing, on: loop, console, body)
        case .serial(let path, let baud):
            let link = try StreamLink.open(serial: path, baud: baud.map(UInt32.init(clamping:)), on: loop)
            return try await run(over: link, called: "serial:\(path)", keeping: .nothing, on: loop, console, body)
        case .simulator:
            console.messages.note("simulated: the scenario '\(scenario.name)', no radio")
            let link = VirtualLink(SimulatedWorld(scenario), on: loop)
            return try await run(over: link, called: "sim", keeping: .nothing, on: loop, console, body)
        case .replay(let file):
            throw Failure(.failure, "a capture (\(file)) cannot answer as a controller in this version")
        case .linux(let index):
            return try await open(.index(index), on: loop, console, removal, body)
        case nil:
            return try await open(.firstUsable, on: loop, console, removal, body)
        }
    }

    /// Runs over an adapter of this machine, and again over the same when it has been away.
    private func open<Result: Sendable>(
        _ selector: AdapterSelector, on loop: EventLoop, _ console: Console, _ removal: Removal,
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result? {
        var selector = selector
        while true {
            let session = try await AdapterSession.open(selector, takeOver: takesOver, on: loop)
            defer { report(session, console) }
            let adapter = session.adapter
            if adapter.isManaged {
                console.messages.note("bluetoothd loses \(adapter.name) until this program ends")
            }
            do {
                // Controllers without an address all say 00:00:00:00:00:00: the index tells them apart then.
                let known = adapter.address.map { $0 == .zero ? "\($0) \(adapter.name)" : "\($0)" } ?? adapter.name
                return try await run(
                    over: session.link, called: known, keeping: .adapterControl, on: loop, console, body)
            } catch HostError.linkEnded(.removed) {
                guard case .isWaitedOut(let deadline) = removal, let address = adapter.address else {
                    throw HostError.linkEnded(.removed)
                }
                console.messages.warning("\(adapter.name) was removed; waiting for \(address) to come back")
                guard let back = try await Adapters.waitForReturn(of: address, until: deadline, on: loop) else {
                    return nil
                }
                console.messages.note("\(address) is back as \(back.name)")
                selector = .address(address)
            }
        }
    }

    /// Says so where an adapter could not be put back.
    private func report(_ session: AdapterSession, _ console: Console) {
        guard case .notRestored(let error) = session.outcome else { return }
        let failure = Failure(error)
        console.messages.warning(
            "\(session.adapter.name) was up before and could not be put up again: \(failure.message)")
        console.messages.note("  sudo hciconfig \(session.adapter.name) up")
    }

    /// Runs over an open link: as an ordinary user, recorded where that is asked for. Whatever happens, the link is given back.
    ///
    /// - Parameter name: what tells the controller from others, for what is kept of it
    private func run<Result: Sendable>(
        over link: any ControllerLink, called name: String, keeping remainder: Privileges.Remainder, on loop: EventLoop,
        _ console: Console, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let recorded: any ControllerLink
        let address: Address
        do {
            try await Privileges.drop(keeping: remainder, on: loop)
            // From here on every file is the invoking user's.
            recorded = try recording(link, console)
            address = StaticAddressStore(in: UserFolders.invokingUser.state).address(of: name)
        } catch {
            await loop.run { link.shutDown() }
            throw error
        }
        return try await Central.run(
            over: recorded, configuration: .init(staticAddress: address), observer: observer(console), body)
    }

    private func recording(_ link: any ControllerLink, _ console: Console) throws(TransportError) -> any ControllerLink
    {
        guard let captureFile else { return link }
        return try CapturingLink(link, to: captureFile) { error in
            console.messages.warning("the capture is incomplete: \(Failure(error).message)")
        }
    }

    private func observer(_ console: Console) -> (@Sendable (HostEngine.Note, Timestamp) -> Void)? {
        guard console.messages.verbosity > 0 else { return nil }
        return { note, time in console.messages.detail("\(time.timeOfDay)  \(note.text)") }
    }
}
