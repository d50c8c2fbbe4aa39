import Bonds
import Cryptography
import HCI
import HCITransport
import Host
import Replay
import Simulator
import Wire

/// Uses an open way to a controller: as an ordinary user, recorded where that is asked for, and given back whatever happens.
struct ControllerSession: Sendable {
    /// The adapter was pulled out.
    struct AdapterRemoved: Error {
        var adapter: Adapter
    }

    let loop: EventLoop
    let console: Console
    /// Records the traffic of the whole run, where that is asked for.
    private let recorder: CaptureRecorder?
    private let pairing: PairingOptions

    /// - Throws: `TransportError.cannotCreate` or `.cannotWrite` for the capture file, which is no reason to take an adapter
    init(
        _ loop: EventLoop, _ capture: CaptureOptions?, _ pairing: PairingOptions, _ console: Console
    ) throws(TransportError) {
        self.loop = loop
        self.pairing = pairing
        self.console = console
        recorder = try capture?.recorder(console.messages)
    }

    /// Takes an adapter of this machine, runs, and puts it back.
    ///
    /// - Throws: `AdapterRemoved` where it was pulled out meanwhile
    func run<Result: Sendable>(
        over selector: AdapterSelector, takesOver: Bool, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let session = try await AdapterSession.open(selector, takeOver: takesOver, on: loop)
        defer { report(session) }
        let adapter = session.adapter
        if let restoration = session.takesUpRestoration {
            let holder = restoration.holder
            console.messages.note(
                "\(adapter.name) was left down by \(holder.program) (process \(holder.process)), which was killed; "
                    + "it will be put up again")
        }
        if adapter.isManaged { console.messages.note("bluetoothd loses \(adapter.name) until this program ends") }
        do {
            return try await run(over: session.link, called: adapter.lastingName, keeping: .adapterControl, body)
        } catch HostError.linkEnded(.removed) {
            throw AdapterRemoved(adapter: adapter)
        }
    }

    /// Says so where an adapter could not be put back.
    private func report(_ session: AdapterSession) {
        guard case .notRestored(let error) = session.outcome else { return }
        console.messages.warning(
            "\(session.adapter.name) was up before and could not be put up again: \(Failure(error).message)")
        console.messages.note("  sudo hciconfig \(session.adapter.name) up")
    }

    /// Runs over an open link.
    ///
    /// - Parameters:
    ///   - name: what tells the controller from others, for what is kept of it
    ///   - remainder: what is still needed of root's rights
    ///   - remembersPeers: whether what is learnt of peers is kept for later runs
    ///   - screen: where those look who wear simulated straps
    func run<Result: Sendable>(
        over link: any ControllerLink, called name: String, keeping remainder: Privileges.Remainder,
        remembersPeers: Bool = true, screen: HostScreen? = nil,
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let recorded: any ControllerLink = recorder.map { CapturingLink(link, recorder: $0) } ?? link
        let address: Address
        do {
            try await Privileges.drop(keeping: remainder, on: loop)
            // From here on every file is the invoking user's.
            address = StaticAddressStore(in: UserFolders.invokingUser.state).address(of: name)
        } catch {
            await loop.run { link.shutDown() }
            throw error
        }
        let handles = remembersPeers ? KnownHandlesFile(console.messages) : nil
        return try await Central.run(
            over: recorded, configuration: .init(staticAddress: address),
            security: try security(keepsBonds: remembersPeers, screen), handles: handles, observer: observer, body)
    }

    /// What the host pairs with.
    ///
    /// - Parameter keepsBonds: whether bonds are kept for later runs
    private func security(keepsBonds: Bool, _ screen: HostScreen?) throws(Failure) -> CentralSecurity {
        let terminal = Terminal()
        var security = CentralSecurity(toolbox: LibcryptoToolbox())
        security.policy = try pairing.policy(hasPerson: terminal != nil)
        security.ownAddress = pairing.ownAddress
        let store =
            keepsBonds ? BondFile.ofInvokingUser { [messages = console.messages] in messages.warning($0.reason) } : nil
        security.store = store
        security.user = PairingPerson(
            terminal: terminal, passkey: pairing.passkey, messages: console.messages, keepsBonds: store != nil,
            screen: screen)
        return security
    }

    /// Runs against a recording, which knows what else there is to know.
    func run<Result: Sendable>(
        over standIn: StandIn, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        try await Privileges.drop(keeping: .nothing, on: loop)
        return try await standIn.run(
            observer: observer, through: { link in recorder.map { CapturingLink(link, recorder: $0) } ?? link }, body)
    }

    private var observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)? {
        guard console.messages.verbosity > 0 else { return nil }
        return { [messages = console.messages] note, time in messages.detail("\(time.timeOfDay)  \(note.text)") }
    }
}

extension Adapter {
    /// Tells the adapter from others, run after run: by its address; controllers without one all say 00:00:00:00:00:00, and the
    /// index tells those apart.
    fileprivate var lastingName: String {
        guard let address else { return name }
        return address == .zero ? "\(address) \(name)" : "\(address)"
    }
}
