public import HCI
public import Wire

/// A simulated world whose packets to and from the host are disturbed as a plan says, on the world's own time.
///
/// Events keep their order among each other, and so do the fragments of a connection; between these lanes there is none, as on USB,
/// where events and data come from different endpoints.
public struct FaultyController: VirtualController {
    /// What lies behind.
    public internal(set) var world: SimulatedWorld
    /// What goes wrong.
    public let plan: FaultPlan

    /// How often each fault happened.
    public internal(set) var occurrences: [Fault: Int] = [:]

    /// The faults since the controller was last reset by the host: what they spoilt before is forgotten on both sides.
    public private(set) var faultsSinceReset: Set<Fault> = []

    var chance: SeededGenerator
    /// Chances in a million by `Fault.rawValue`.
    private let chances: [UInt32]
    private var beginning: Moment?
    private var isDisturbing = true

    /// Packets on their way to the host, in the order in which they are due.
    private var parcels: [Parcel] = []
    /// Starts of frames that wait for their continuations, to be given to the host as one.
    var held: [ConnectionHandle: ACLPacket] = [:]
    /// Connections that are to end.
    var breaks: [Break] = []

    /// What keeps its order.
    enum Lane: Hashable, Sendable {
        case events
        case data(ConnectionHandle)
    }

    /// Whether a packet tells of a connection's end.
    public static func isDisconnection(_ packet: [UInt8]) -> Bool {
        packet.starts(with: [PacketType.event.rawValue, EventCode.disconnectionComplete.rawValue])
    }

    private struct Parcel: Timed, Hashable {
        var due: Moment
        var lane: Lane
        var packet: [UInt8]
    }

    struct Break: Timed, Hashable, Sendable {
        var due: Moment
        var handle: ConnectionHandle
        var reason: Status
    }

    public init(_ world: SimulatedWorld, _ plan: FaultPlan) {
        self.world = world
        self.plan = plan
        chance = SeededGenerator(seed: plan.seed)
        chances = Fault.allCases.map { plan.chances[$0, default: 0] }
    }

    /// Whether nothing is on its way: host and controller have heard of the same.
    public var isSettled: Bool { parcels.isEmpty && held.isEmpty && breaks.isEmpty }

    /// Whether the host sent data on a connection of whose end it had not been told yet. Where its handle is in use again, the data
    /// is the new one's, and nobody can know.
    public private(set) var hasCrossed = false

    // MARK: VirtualController

    public mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        advance(to: now, into: &output)
        meddle(at: now, into: &output)
        let isCommand = packet.first == PacketType.command.rawValue
        if isCommand, happens(.flood) {
            let count = Int.random(in: 5...40, using: &chance)
            pass(at: now, into: &output) { $0.flood(count, at: now, into: &$1) }
        }
        if !isCommand, parcels.contains(where: { Self.isDisconnection($0.packet) }) {
            hasCrossed = true
        }
        if happens(isCommand ? .lostCommand : .lostDataToPeer) { return }
        if packet == Reset().packet { faultsSinceReset = [] }
        pass(at: now, into: &output) { $0.receive(packet, at: now, into: &$1) }
    }

    public mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        keepTime(now)
        deliver(upTo: now, into: &output)
        if let due = world.nextDeadline, due <= now {
            pass(at: now, into: &output) { $0.advance(to: now, into: &$1) }
        }
        endDue(at: now, into: &output)
        deliver(upTo: now, into: &output)
    }

    public var nextDeadline: Moment? {
        var earliest = Earliest(world.nextDeadline)
        earliest.consider(parcels.first?.due)
        earliest.consider(breaks.first?.due)
        return earliest.moment
    }

    private mutating func keepTime(_ now: Moment) {
        let beginning = beginning ?? now
        self.beginning = beginning
        let elapsed = now - beginning
        isDisturbing = elapsed >= plan.begins && (plan.ends.map { elapsed < $0 } ?? true)
    }

    // MARK: Chance

    /// Whether a fault happens, now that it could. A fault that the plan leaves out costs no chance.
    mutating func happens(_ fault: Fault) -> Bool {
        let rate = chances[fault.rawValue]
        guard rate > 0, isDisturbing, chance.next() % 1_000_000 < UInt64(rate) else { return false }
        occurrences[fault, default: 0] += 1
        faultsSinceReset.insert(fault)
        return true
    }

    /// A time by which something is late: most often short, sometimes long.
    mutating func delay(most: Duration) -> Duration {
        let share = Double(chance.next() % 1000 + 1) / 1000
        return .nanoseconds(Int64(Double(most.wholeNanoseconds) * share * share * share))
    }

    // MARK: To the host

    /// Lets `act` act on the world and disturbs what comes of it.
    mutating func pass(
        at now: Moment, into output: inout [[UInt8]], _ act: (inout SimulatedWorld, inout [[UInt8]]) -> Void
    ) {
        var packets: [[UInt8]] = []
        act(&world, &packets)
        for packet in packets { disturb(packet, at: now, into: &output) }
    }

    /// Sends a packet behind those of its lane, `delay` later than now at the earliest.
    mutating func send(
        _ packet: [UInt8], _ lane: Lane, after delay: Duration = .zero, at now: Moment, into output: inout [[UInt8]]
    ) {
        let before = parcels.last { $0.lane == lane }?.due
        if before == nil, delay <= .zero {
            output.append(packet)
            return
        }
        let due = max(now + delay, before ?? now)
        parcels.schedule(Parcel(due: due, lane: lane, packet: packet))
    }

    private mutating func deliver(upTo now: Moment, into output: inout [[UInt8]]) {
        let count = parcels.firstIndex { $0.due > now } ?? parcels.count
        guard count > 0 else { return }
        output += parcels[..<count].map(\.packet)
        parcels.removeFirst(count)
    }

    /// What is on its way is not sent any more.
    mutating func dropParcels() {
        parcels.removeAll()
        held.removeAll()
        breaks.removeAll()
    }
}
