import Cryptography
import HCI
import Host
public import Simulator
import Synchronization
import Wire

/// One run of the whole host against a disturbed world.
public struct Trial: Sendable {
    /// What came of it.
    public struct Outcome: Sendable {
        /// What the host did wrong; nothing, it is hoped.
        public var objections: [String]
        /// Everything that passed, as one number: the same for the same seed.
        public var digest: UInt64
        /// How often each fault happened.
        public var faults: [Fault: Int]
        public var packets: Int
        public var calls: Int
        /// The most entries that the host's tables and queues had together.
        public var mostEntries: Int
        /// How much time passed in it.
        public var length: Duration
        /// Why the host gave the controller up, if it did.
        public var ending: String?
    }

    public let plan: TrialPlan

    public init(seed: UInt64) { plan = TrialPlan(seed: seed) }

    public init(_ plan: TrialPlan) { self.plan = plan }

    /// Runs it from beginning to end, on this thread.
    ///
    /// - Parameter print: given all that happens, line by line
    public func run(printing print: (@Sendable (String) -> Void)? = nil) -> Outcome {
        let loop = TrialLoop()
        let link = TrialLink(plan, transcript: Transcript(printing: print), on: loop)
        let ledger = Ledger(link)
        let ending = Mutex<HostError?>(nil)
        let plan = plan
        Task(executorPreference: loop) {
            let error = await Self.perform(plan, over: link, ledger, on: loop)
            ending.withLock { $0 = error }
            loop.stop()
        }
        let hasEnded = loop.run { link.assumeIsolated { $0.jump() } }
        return link.assumeIsolated { link in
            if !hasEnded { link.object("the trial is stuck; open calls: \(ledger.open)") }
            if !loop.isRepeatable { link.object("work came from another thread") }
            return Outcome(
                objections: link.inspector.objections, digest: link.transcript.digest,
                faults: link.controller.occurrences,
                packets: link.transcript.packets, calls: ledger.calls, mostEntries: link.inspector.mostEntries,
                length: link.now - .zero, ending: ending.withLock { $0.map { "\($0)" } })
        }
    }

    /// - Returns: why the host gave the controller up, if it did
    private static func perform(
        _ plan: TrialPlan, over link: TrialLink, _ ledger: Ledger, on loop: TrialLoop
    ) async -> HostError? {
        var rest: Task<Void, Never>?
        do {
            let central = try await ledger.call("run", within: .seconds(100_000)) {
                var security = CentralSecurity(toolbox: SeededToolbox(seed: plan.seed ^ 0xB0_4D))
                security.ownAddress = plan.ownAddress
                return try await Central.run(over: link, security: security) { central in
                    let callers = Callers(plan: plan, central: central, link: link, ledger: ledger)
                    guard plan.stopsAbruptly else {
                        await callers.run()
                        return central
                    }
                    // These go on while all is stopped under them.
                    rest = Task(executorPreference: loop) { await callers.run() }
                    try? await central.wait(plan.length)
                    link.isOver = true
                    return central
                }
            }
            await rest?.value
            link.lookBack(at: central)
            let ending = await central.ending
            return ending == .linkEnded(.closed) ? nil : ending
        } catch {
            await rest?.value
            if !link.isBeyondRepair { link.object("the controller did not get ready: \(error)") }
            return error as? HostError
        }
    }
}
