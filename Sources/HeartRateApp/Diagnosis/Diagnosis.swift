import GAP
import GATT
import HCI
import HeartRate
import Host
import Wire

/// Finds out, step by step, why a device's heart rate does not come, and tells each step as it is found out.
struct Diagnosis: Sendable {
    /// What is to be looked into.
    struct Question: Sendable {
        var selector: DeviceSelector
        /// What the device is called in messages.
        var title: String
        /// The kind of its address, where the user knows it.
        var kind: AddressKind?
        /// How long it is searched for, and then again how long it may take to be connected to and to answer.
        var timeout: Duration
        /// How long its heart rate is listened to, at least; `nil` for as long as it takes to judge it.
        var duration: Duration?
    }

    let central: Central
    let question: Question
    private let report: @Sendable (Finding) throws -> Void

    /// - Parameter tell: told of each finding as it is made
    init(central: Central, question: Question, tell: @escaping @Sendable (Finding) throws -> Void) {
        self.central = central
        self.question = question
        report = tell
    }

    /// Tells a finding. What a cancelled task makes of its broken waits is none: it says nothing of the device.
    func tell(_ finding: Finding) throws {
        try Task.checkCancellation()
        try report(finding)
    }

    /// Makes all findings up to the one that stands in the way.
    ///
    /// - Returns: the status that says what it comes to; the verdict has been told
    /// - Throws: `HostError` where it is the controller's fault, `CancellationError` where the task was cancelled, and what `tell` throws
    func run() async throws -> ExitStatus {
        do {
            let heard = try await search()
            let habit = Habit(heard.device)
            try judge(heard, habit)
            let (peer, service) = try await connect(to: heard.device.address, habit)
            do {
                try await judge(service, of: peer, habit)
                let verdict = try await talk(with: peer, habit)
                await peer.disconnect()
                try tell(verdict)
                return .done
            } catch {
                await peer.disconnect()
                throw error
            }
        } catch let impasse as Impasse {
            // What the controller is to blame for is not the device's fault.
            if let ending = await central.ending { throw ending }
            try tell(impasse.finding)
            try tell(impasse.verdict)
            return impasse.status
        }
    }

    // MARK: Connecting

    /// What the search for the Heart Rate service came to.
    private typealias Search = Result<Service?, HostError>

    /// Connects and looks for the service, and again where the first packets were lost: only an answer shows that there is
    /// a link.
    private func connect(to target: DeviceAddress, _ habit: Habit?) async throws -> (Peer, Search) {
        let deadline = await central.now + question.timeout
        var attempts = 0
        while true {
            attempts += 1
            let peer: Peer
            do throws(HostError) {
                peer = try await central.connect(to: target, within: deadline - central.now)
            } catch {
                throw Impasse(.connection, error, habit: habit)
            }
            let connection = await peer.connection
            let search: Search
            do {
                let service = try await answering { try await peer.discover(service: HeartRateUUID.heartRateService) }
                search = .success(service)
            } catch let error as HostError {
                search = .failure(error)
            }
            if case .failure(.disconnected(.failedToBeEstablished)) = search {
                guard attempts == Central.mostFalseStarts else { continue }
                throw Impasse(.connection, .disconnected(.failedToBeEstablished), habit: habit)
            }
            try tellConnected(connection, attempts: attempts)
            return (peer, search)
        }
    }

    private func tellConnected(_ connection: Connection?, attempts: Int) throws {
        let interval = connection.map { "every \($0.interval)" } ?? "for a moment"
        guard attempts > 1 else { return try tell(Finding(.connection, .ok, interval)) }
        try tell(
            Finding(
                .connection, .ok, "\(interval), after \(attempts) attempts",
                advice: "Its first packets got lost: the signal is weak, or disturbed. Go nearer."))
    }

    // MARK: Talking

    /// Everything that happens on the link. Gives the good verdict.
    private func talk(with peer: Peer, _ habit: Habit?) async throws -> Finding {
        let subscription: Subscription
        do {
            subscription = try await answering {
                try await peer.subscribe(
                    service: HeartRateUUID.heartRateService, characteristic: HeartRateUUID.measurement)
            }
        } catch let error as HostError {
            throw Impasse(.subscription, error, habit: habit)
        }
        try tell(Finding(.subscription, .ok, "notifications of 2A37 are on"))
        let heartRate = try await listen(to: subscription, of: peer, habit)
        try tell(heartRate)
        let strength = try? await peer.signalStrength()
        let interval = await peer.connection.map { "every \($0.interval)" }
        let link = [interval, strength.flatMap(\.self).map { "\($0) dBm" }].compactMap(\.self)
        try tell(Finding(.link, .ok, link.isEmpty ? "the link held" : link.joined(separator: ", ")))
        return Finding(.verdict, .ok, "Heart rates come: \(heartRate.detail)", advice: heartRate.advice)
    }

    private func judge(_ search: Search, of peer: Peer, _ habit: Habit?) async throws {
        switch search {
        case .failure(.peer(.refused(let request, let handle, let code))):
            // Subscribing searches in other ways as well.
            try tell(Finding(.service, .unknown, "it refuses \(request) on handle \(handle): \(code)"))
        case .failure(.peer(.brokeProtocol(let pdu, _))):
            // Subscribing needs less of it, and may not get as far as that.
            try tell(Finding(.service, .unknown, "it breaks the protocol with \(pdu)"))
        case .failure(let error):
            throw Impasse(.service, error, habit: habit)
        case .success(nil):
            let database = try? await answering { try await peer.discover() }
            if let service = database?.services.first(where: { $0.uuid == HeartRateUUID.heartRateService }) {
                return try tell(
                    Finding(.service, .ok, "180D, handles \(service.range), not found when searched for by its type"))
            }
            let others = database.map { "; it has " + $0.services.map { "\($0.uuid)" }.joined(separator: ", ") } ?? ""
            throw Impasse(
                .service, .protocolError, "This is no heart-rate sensor, or not yet",
                "it has no heart-rate service (180D)\(others)",
                advice: habit?.broadcast ?? Self.speaksAnother)
        case .success(let service?):
            // Where the first of several lacks the measurement, subscribing looks into the others.
            let lack =
                service.characteristic(HeartRateUUID.measurement) == nil ? ", its measurement (2A37) not seen" : ""
            try tell(Finding(.service, lack.isEmpty ? .ok : .unknown, "180D, handles \(service.range)" + lack))
        }
    }

    private static let speaksAnother = """
        It speaks a protocol of its own maker. On a watch or band, switch on its heart-rate broadcast and try again;
        where there is none, only the maker's app can read it.
        """

    /// Gives the device its time to answer.
    private func answering<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await central.within(central.now + question.timeout, .subscribing, body)
    }
}
