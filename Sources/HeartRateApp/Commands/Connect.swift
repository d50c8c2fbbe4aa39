import HCI
import HeartRate
import Host
import Wire

/// `hr-raw connect`: streams the heart rates of one strap or several.
struct Connect: Command {
    static let description = CommandDescription(
        "connect", summary: "Stream the heart rate of straps", operands: "ADDRESS …", operandCount: 1...Int.max,
        options: [.addressType, .duration, .count, .timeout, .noReconnect, .resetEnergy] + Option.pairing + [.takeOver],
        discussion: """
            ADDRESS is a strap's address, its name, or 'any' for the first heart-rate strap that is heard.
            Several are streamed at once, as many as the adapter holds; 'any any' are two different straps.
            A lost link is connected again until you end the program; the gap is shown. Without --type the
            kind of the address is found out by scanning.
            """,
        examples: [
            "sudo hr-raw connect any", "sudo hr-raw connect any any any",
            "sudo hr-raw connect F0:F1:F2:F3:F4:01 --type random --json",
            "hr-raw --adapter sim connect any --count 5",
        ])

    /// A strap, in the user's words and in ours.
    private struct Selector: Sendable {
        var device: DeviceSelector
        var title: String
        var wanted: HeartRateMonitor.Wanted
    }

    private let access: ControllerAccess
    /// So that each finds a strap of its own, also when the adapter has been away.
    private let claims: StrapClaims
    private let selectors: [Selector]
    private let options: HeartRateMonitor.Options
    private let duration: Duration?
    private let count: Int?
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try ControllerAccess(arguments)
        let kind = try arguments.choice(.addressType, ["public": AddressKind.public, "random": .random])
        var selectors: [Selector] = []
        for text in arguments.operands {
            let device = try DeviceSelector(text, command: "connect")
            if device != .any, selectors.contains(where: { $0.device == device }) {
                throw UsageError("'\(text)' is given twice: each ADDRESS is one strap", command: "connect")
            }
            let isOneOfSeveral = device == .any && arguments.operands.count > 1
            let title = isOneOfSeveral ? "any strap (\(selectors.count + 1))" : device.title(text)
            selectors.append(Selector(device: device, title: title, wanted: device.wanted(kind: kind)))
        }
        self.selectors = selectors
        var owners: [Address: Int] = [:]
        for (index, selector) in selectors.enumerated() {
            if case .address(let address) = selector.device { owners[address] = index }
        }
        claims = StrapClaims(owners)
        var options = HeartRateMonitor.Options()
        if let timeout = try arguments.seconds(.timeout) { options.timeout = timeout }
        options.reconnects = !arguments.has(.noReconnect)
        options.resetsEnergy = arguments.has(.resetEnergy)
        self.options = options
        duration = try arguments.seconds(.duration)
        count = try arguments.integer(.count, in: 1...Int(Int32.max))
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        let printer = StrapPrinter(console: console, isJSON: isJSON, namesStraps: selectors.count > 1)
        let run = StrapRun(selectors.map(\.title), printer: printer, console: console, limit: count)
        let deadline = duration.map { access.now + $0 }
        let end = try await access.withCentral(console, removal: .isWaitedOut(until: deadline)) { central in
            try await follow(central, run, until: deadline)
        }
        switch end {
        case .interrupted: return
        case .finished(.enough), .finished(.givenUp): try run.finish(isCutOff: false)
        case .finished(.timeIsOver), .adapterStayedAway, .recordingEnded: try run.finish(isCutOff: true)
        }
    }

    /// Monitors every strap until all have been given up, enough measurements have come, or the time is over.
    private func follow(_ central: Central, _ run: StrapRun, until deadline: Moment?) async throws -> End {
        try await withThrowingTaskGroup(of: End.self) { group in
            for index in selectors.indices where !run.isGivenUp(index) {
                group.addTask { try await monitor(index, central, run) }
            }
            group.addTask {
                for await _ in run.ends() { return .enough }
                throw CancellationError()
            }
            if let deadline {
                group.addTask {
                    try await central.wait(deadline - central.now)
                    return .timeIsOver
                }
            }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                if end != .givenUp { return end }
            }
            return .givenUp
        }
    }

    /// Why a run ends.
    private enum End {
        /// All straps have been given up.
        case givenUp
        case enough
        case timeIsOver
    }

    /// Monitors one strap until it is given up. What concerns the controller concerns all, and is thrown.
    private func monitor(_ index: Int, _ central: Central, _ run: StrapRun) async throws -> End {
        var options = options
        // Not the same for two hosts nor for two straps, but for two runs: what was recorded can be replayed.
        options.seed = await central.controller.ownAddress.address.rawValue << 8 | UInt64(truncatingIfNeeded: index)
        let monitor = HeartRateMonitor(central: central, options: options, claims: claims, owner: index) { event in
            run.take(event, from: index, clock: central.civilTime(at:))
        }
        do {
            try await monitor.run(run.device(index).map { .target($0) } ?? selectors[index].wanted)
        } catch {
            if Task.isCancelled { throw error }
            if let failure = await central.ending { throw failure }
            run.giveUp(index, Failure(of: error, peer: selectors[index].title))
        }
        return .givenUp
    }
}

extension Option {
    fileprivate static let count = Option("count", value: "N", help: "end after N heart rates, over all straps")
    fileprivate static let noReconnect = Option("no-reconnect", help: "end with status 69 when the link is lost")
    fileprivate static let resetEnergy = Option("reset-energy", help: "set the strap's energy count to zero first")
}
