import HCI
import HCITransport
import Host
import Wire

/// The way from the command line to a controller that is ready: opens what `--adapter` names, records it where `--capture` asks for it,
/// and gives it back in the state in which it was found.
struct ControllerAccess: Sendable {
    private let adapter: AdapterSpec?
    private let captureFile: String?
    private let takesOver: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        adapter = try arguments.adapter()
        captureFile = arguments.text(.capture)
        takesOver = arguments.has(.takeOver)
    }

    /// Gets the controller ready and hands it to `body`. A signal from the user cancels `body`, which is no failure.
    ///
    /// - Returns: what `body` returned; `nil` after a signal
    func withCentral<Result: Sendable>(
        _ console: Console, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result? {
        try await Interruption.untilRequested {
            do {
                return try await open(console) { link in
                    try await Central.run(over: link, configuration: configuration, observer: observer(console), body)
                }
            } catch HostError.cancelled where Task.isCancelled {
                throw CancellationError()
            } catch TransportError.cancelled where Task.isCancelled {
                throw CancellationError()
            } catch let error as HostError {
                throw Failure(error)
            } catch let error as TransportError {
                throw Failure(error)
            }
        }
    }

    /// The clock that deadlines of a whole run are set on.
    var now: Moment { SystemClock.now }

    private var configuration: HostEngine.Configuration { HostEngine.Configuration() }

    private func observer(_ console: Console) -> (@Sendable (HostEngine.Note, Timestamp) -> Void)? {
        guard console.messages.verbosity > 0 else { return nil }
        return { note, time in console.messages.detail("\(time.timeOfDay)  \(note.text)") }
    }

    /// Opens the link, for as long as `body` runs.
    private func open<Result>(_ console: Console, _ body: (any ControllerLink) async throws -> Result) async throws
        -> Result
    {
        let loop = try EventLoop()
        let link = try await makeLink(on: loop, console)
        return try await body(link)
    }

    private func makeLink(on loop: EventLoop, _ console: Console) async throws -> any ControllerLink {
        switch adapter {
        case .tcp(let host, let port):
            return try await StreamLink.connect(to: host, port: port, on: loop)
        case .serial(let path, let baud):
            return try StreamLink.open(serial: path, baud: baud.map(UInt32.init(clamping:)), on: loop)
        case .simulator:
            throw Failure(.failure, "no simulator yet")
        case .replay(let file):
            throw Failure(.failure, "replaying \(file) as a controller is not done yet")
        case .linux, nil:
            throw Failure(.failure, "no user channel yet")
        }
    }
}
