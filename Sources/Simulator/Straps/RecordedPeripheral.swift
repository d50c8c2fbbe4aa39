public import ATT
public import GATT
public import HCI
import Wire

/// What is known of a peripheral that somebody met before: it advertises as it did, holds what it held, and tells what it told.
public struct RecordedPeripheral: Hashable, Sendable {
    /// How it advertises.
    public var advertises: AdvertiserPlan
    /// What it holds.
    public var services: [ServiceDefinition]
    /// The values that it refuses to be written, by their handles.
    public var refusedWrites: [Handle: [[UInt8]: ErrorCode]]
    /// What happened in its connections, the first one first.
    public var connections: [Connection]

    public init(
        advertises: AdvertiserPlan, services: [ServiceDefinition],
        refusedWrites: [Handle: [[UInt8]: ErrorCode]] = [:], connections: [Connection]
    ) {
        self.advertises = advertises
        self.services = services
        self.refusedWrites = refusedWrites
        self.connections = connections
    }

    /// What a peripheral does by itself in one connection.
    public struct Connection: Hashable, Sendable {
        /// The values that it tells by itself, by the handle of the value: for each time that the client asks for them, those that
        /// follow. Asked more often, it tells nothing more.
        public var told: [Handle: [[Told]]]
        /// That it leaves, and how long after the client first asked for a value; `nil` where it stays.
        public var leaves: Leaving?

        public init(told: [Handle: [[Told]]] = [:], leaves: Leaving? = nil) {
            self.told = told
            self.leaves = leaves
        }
    }

    /// A value that the peripheral tells.
    public struct Told: Hashable, Sendable {
        /// How long after the client asked for the values.
        public var after: Duration
        /// The value as it was sent.
        public var value: [UInt8]

        public init(after: Duration, value: [UInt8]) {
            self.after = after
            self.value = value
        }
    }

    /// How the peripheral ends a connection.
    public struct Leaving: Hashable, Sendable {
        /// How long after the client first asked for values.
        public var after: Duration
        /// The reason that it gives.
        public var reason: Status

        public init(after: Duration, reason: Status) {
            self.after = after
            self.reason = reason
        }
    }
}

/// What a recorded peripheral has still to do in its connection.
struct RecordedActs: Hashable, Sendable {
    private let connection: RecordedPeripheral.Connection
    /// What is due, the latest first.
    private var due: [Act] = []
    /// How often the client has asked for the values at each handle.
    private var asked: [Handle: Int] = [:]

    private struct Act: Hashable {
        var moment: Moment
        var kind: Kind
    }

    /// What is done.
    enum Kind: Hashable, Sendable {
        case tell(Handle, [UInt8])
        case leave(Status)
    }

    init(_ connection: RecordedPeripheral.Connection) { self.connection = connection }

    var nextDeadline: Moment? { due.last?.moment }

    /// The client asked for the values at `handle`, or no longer.
    mutating func configured(_ handle: Handle, isOn: Bool, at now: Moment) {
        due.removeAll { act in
            if case .tell(handle, _) = act.kind { true } else { false }
        }
        guard isOn else { return }
        var acts = Array(due.reversed())
        if asked.isEmpty, let leaving = connection.leaves {
            acts.append(Act(moment: now + leaving.after, kind: .leave(leaving.reason)))
        }
        let times = asked[handle, default: 0]
        asked[handle] = times + 1
        if let all = connection.told[handle], times < all.count {
            acts += all[times].map { Act(moment: now + $0.after, kind: .tell(handle, $0.value)) }
        }
        // Values of the same moment keep their order.
        let ordered = acts.enumerated().sorted { ($0.element.moment, $0.offset) > ($1.element.moment, $1.offset) }
        due = ordered.map(\.element)
    }

    /// The next thing that is due by `now`.
    mutating func next(upTo now: Moment) -> Kind? {
        guard let first = due.last, first.moment <= now else { return nil }
        due.removeLast()
        return first.kind
    }
}
