import ATT
import GAP
import HCI
import HeartRate
import Host
import SMP
import Simulator
import Synchronization
import Wire

/// Those who use the host in a trial.
struct Callers: Sendable {
    let plan: TrialPlan
    let central: Central
    let link: TrialLink
    let ledger: Ledger

    /// Runs all of them until the time is over, and waits until what they began is undone.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for (number, caller) in plan.callers.enumerated() { group.addTask { await run(caller, number) } }
            guard !plan.stopsAbruptly else { return }
            try? await central.wait(plan.length)
            link.isOver = true
            group.cancelAll()
            // Who is cancelled takes back what was begun, and that takes no longer than disconnecting and its like.
            _ = try? await ledger.call("leaving", within: .seconds(30)) { await group.waitForAll() }
        }
        guard !plan.stopsAbruptly else { return }
        // A connection that nobody wants any more is ended by the host itself.
        try? await central.wait(.seconds(12))
        if let ending = await central.ending {
            if !link.isBeyondRepair { link.object("the host gave the controller up: \(ending)") }
        } else {
            link.lookBack(at: central)
        }
    }

    /// Runs one caller until it is done or cancelled.
    private func run(_ caller: CallerPlan, _ number: Int) async {
        if caller.begins > .zero, await !wait(caller.begins) { return }
        guard let ends = caller.ends else { return await perform(caller.task, number) }
        let rest = ends - caller.begins
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await perform(caller.task, number) }
            group.addTask { _ = await wait(max(.zero, rest)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Returns: whether the time has passed
    private func wait(_ duration: Duration) async -> Bool {
        (try? await ledger.call("wait \(duration)", within: duration + .milliseconds(1)) {
            try await central.wait(duration)
        }) != nil
    }

    private func perform(_ task: CallerPlan.Task, _ number: Int) async {
        switch task {
        case .monitor(let strap): await monitor(strap, number)
        case .scan(let isActive): await scan(isActive: isActive)
        case .visit(let strap, let time, let acts): await visit(strap, within: time, acts)
        case .wait(let duration): _ = await wait(duration)
        }
    }

    // MARK: Monitor

    /// Monitors a strap for as long as it is wanted, as a user would who starts again when it is given up.
    private func monitor(_ strap: HeartRateMonitor.Wanted, _ number: Int) async {
        let heard = Mutex((sequence: HeardSequence(plan.faults), last: Moment.zero, hasStreamed: false))
        while !Task.isCancelled {
            let monitor = HeartRateMonitor(central: central) { event in
                heard.withLock { heard in
                    if let objection = note(event, number, &heard.sequence) {
                        link.object("monitor \(number): \(objection)")
                    }
                    if case .measurement = event { (heard.last, heard.hasStreamed) = (link.now, true) }
                }
            }
            do {
                try await ledger.call("monitor \(number)", within: .seconds(100_000)) {
                    try await monitor.run(strap)
                }
            } catch HostError.security(.keyMissing) where plan.mayCutPairings {
                // One side had its keys, and the other not yet, when the link ended: the user pairs anew.
                await forget(strap)
                heard.withLock { $0.hasStreamed = false }
            } catch {
                if await central.ending != nil { return }
                if !Task.isCancelled, !link.isOver, heard.withLock({ $0.hasStreamed }),
                    !plan.faults.holds([.garbledEvent])
                {
                    link.object("monitor \(number) gave up: \(error)")
                }
            }
            guard await wait(.seconds(1)) else { break }
        }
        let (last, now) = (heard.withLock { $0.last }, link.now)
        guard link.isOver, expectsHealing, now - last > Self.longestSilence else { return }
        link.object("monitor \(number) has heard nothing for \(now - last) at the end")
    }

    private func forget(_ strap: HeartRateMonitor.Wanted) async {
        guard let identity = plan.scenario.straps.first(where: { $0.isMeant(by: strap) })?.address else { return }
        _ = try? await ledger.call("forget", within: .seconds(1)) { try await central.forget(identity) }
    }

    /// The longest silence of a strap that is well, with the seconds of its own going away.
    private static let longestSilence: Duration = .seconds(12)

    /// Whether all is well again at the end.
    private var expectsHealing: Bool {
        !plan.stopsAbruptly && !plan.mayAskInVain && !plan.faults.holds(Fault.spoilingConnections) && link.isUsable
    }

    private func note(_ event: HeartRateEvent, _ number: Int, _ sequence: inout HeardSequence) -> String? {
        switch event {
        case .measurement(let measurement, let moment):
            link.note(
                "monitor \(number): \(measurement.raw.hexadecimal)", 2, moment.nanoseconds,
                Int64(measurement.energyExpended ?? 0))
            return sequence.hear(measurement)
        case .link(let state, let moment):
            link.note("monitor \(number): \(state)", 3, moment.nanoseconds)
            if case .connected = state { sequence.beginConnection() }
        case .details(let details):
            link.note("monitor \(number): \(details)", 4)
        case .stale(let staleness):
            link.note("monitor \(number): \(staleness)", 8)
        case .gap(let gap):
            if case .readerTooSlow = gap.reason { sequence.beginConnection() }
            link.note("monitor \(number): \(gap)", 5, gap.from.nanoseconds, gap.to.nanoseconds)
        }
        return nil
    }

    // MARK: Scan

    private func scan(isActive: Bool) async {
        _ = try? await ledger.call("scan", within: .seconds(100_000)) {
            try await central.withSightings(isActive: isActive) { sightings in
                var count: Int64 = 0
                for await case .value(_) in sightings { count += 1 }
                link.note("\(count) sightings", 6, count)
            }
        }
    }

    // MARK: Visit

    private func visit(_ strap: DeviceAddress, within time: Duration, _ acts: [CallerPlan.Act]) async {
        guard
            let peer = try? await ledger.call(
                "connect", within: time + Self.slack,
                {
                    try await central.connect(to: strap, within: time)
                })
        else { return }
        for act in acts {
            do { try await perform(act, on: peer) } catch { break }
        }
        _ = try? await ledger.call("disconnect", within: .seconds(8)) { await peer.disconnect() }
    }

    /// What telling the controller may take besides: to a command that is slow, to take back what was begun.
    private static let slack: Duration = .seconds(25)
    /// An unanswered request ends after half a minute; others may be before it, and be late.
    private static let requests: Duration = .seconds(150)

    /// A value waits for the controller's buffers for half a minute.
    private static let handingOver: Duration = .seconds(31)

    private func perform(_ act: CallerPlan.Act, on peer: Peer) async throws {
        switch act {
        case .discover:
            _ = try await ledger.call("discover", within: Self.requests) { try await peer.discover() }
        case .discoverService(let uuid):
            _ = try await ledger.call("discover service", within: Self.requests) {
                try await peer.discover(service: BluetoothUUID(uuid))
            }
        case .exchangeMTU:
            _ = try await ledger.call("exchange MTU", within: Self.requests) { try await peer.exchangeMTU() }
        case .readSignalStrength:
            _ = try? await ledger.call("signal strength", within: .seconds(20)) { try await peer.signalStrength() }
        case .read(let handle):
            _ = try? await ledger.call("read", within: Self.requests) { try await peer.read(Handle(handle)) }
        case .readMany(let count):
            await readMany(count, from: peer)
        case .write(let handle):
            _ = try? await ledger.call("write", within: Self.requests) { try await peer.write([1], to: Handle(handle)) }
        case .writeWithoutResponse(let handle, let times):
            for _ in 0..<times {
                try await ledger.call("write without response", within: Self.handingOver) {
                    try await peer.writeWithoutResponse([1], to: Handle(handle))
                }
            }
        case .listen(let values):
            try await listen(values, to: peer)
        case .pause(let duration):
            _ = await wait(duration)
        }
    }

    private func readMany(_ count: Int, from peer: Peer) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    _ = try? await ledger.call("read \(number)", within: Self.requests) {
                        try await peer.read(Handle(UInt16(number % 40)))
                    }
                }
            }
        }
    }

    private func listen(_ values: Int, to peer: Peer) async throws {
        let subscription = try await ledger.call("subscribe", within: Self.requests) {
            try await peer.subscribe(
                service: HeartRateUUID.heartRateService, characteristic: HeartRateUUID.measurement)
        }
        try await ledger.call("values", within: .seconds(100_000)) {
            var sequence = HeardSequence(plan.faults)
            for await case .value(let notification) in subscription.notifications {
                link.note("value \(notification.value.hexadecimal)", 7, notification.moment.nanoseconds)
                let measurement = HeartRateMeasurement(decoding: notification.value.span)
                if let objection = sequence.hear(measurement) { link.object("visitor: \(objection)") }
                if sequence.count >= values { return }
            }
        }
    }
}
