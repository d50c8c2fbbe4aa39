public import ATT
public import HCI
public import L2CAP
public import SMP
public import Wire

/// How a strap breaks the rules: what it sends where an honest one sends its answer, and what it says unasked.
///
/// Values only, so that a scenario plays the same again and can be compared.
public struct Misconduct: Hashable, Sendable {
    /// What it does on which occasion; of several that fit, the first counts.
    public var rules: [Rule]
    /// What it does by the clock.
    public var outbursts: [Outburst]

    public init(_ rules: [Rule] = [], outbursts: [Outburst] = []) {
        self.rules = rules
        self.outbursts = outbursts
    }

    /// One rule that it breaks.
    public struct Rule: Hashable, Sendable {
        /// On which occasion.
        public var occasion: Occasion
        /// Which times of that occasion in a connection, from 1.
        public var turns: ClosedRange<Int>
        /// In which connections, from 1.
        public var connections: ClosedRange<Int>
        /// What it does instead of what it should; nothing where it keeps silent.
        public var acts: [Act]

        public init(
            _ occasion: Occasion, _ acts: [Act], turns: ClosedRange<Int> = 1...Int.max,
            connections: ClosedRange<Int> = 1...Int.max
        ) {
            self.occasion = occasion
            self.turns = turns
            self.connections = connections
            self.acts = acts
        }
    }

    /// What the strap should react to, or do by itself.
    public enum Occasion: Hashable, Sendable {
        /// A request of that opcode, or a confirmation.
        case pdu(ATT.Opcode)
        /// Any request.
        case anyRequest
        /// A measurement is due.
        case measurement
        /// A PDU of that kind came on the Security Manager's channel.
        case pairing(PairingCode)
        /// It should say such a one.
        case saying(PairingCode)
        /// Its link layer wants the key that the link is to be encrypted with.
        case keyRequest
    }

    /// Something that it does by the clock.
    public struct Outburst: Hashable, Sendable {
        /// From when on.
        public var beginning: Beginning
        /// How long after the beginning.
        public var delay: Duration
        /// From one time to the next; `nil` for a single time.
        public var period: Duration?
        /// What it does; proper answers are not among it, for nobody asked.
        public var acts: [Act]

        public init(
            since beginning: Beginning, after delay: Duration, every period: Duration? = nil, _ acts: [Act]
        ) {
            self.beginning = beginning
            self.delay = delay
            self.period = period
            self.acts = acts
        }

        /// What an outburst's time is counted from.
        public enum Beginning: Hashable, Sendable {
            case connection
            /// The first subscription to the measurements.
            case subscription
        }
    }

    /// One thing that it does.
    public enum Act: Hashable, Sendable {
        /// Sends what it should.
        case answer(Change = .none)
        /// Sends an ATT PDU.
        case pdu([Part])
        /// Sends a PDU on the Security Manager's channel.
        case pairing([Part])
        /// Says again what it said first of that kind in this connection.
        case again(PairingCode)
        /// Gives its link layer a key, 16 octets, or says that it has none.
        case key([UInt8]?)
        /// Sends a frame on any channel.
        case frame(ChannelID, [UInt8])
        /// Ends the link with this reason.
        case leave(Status)
        /// Is not heard any more.
        case vanish
    }

    /// What is done to an answer that was right.
    public enum Change: Hashable, Sendable {
        case none
        /// Octets are written over it, from a place on.
        case overwritten(at: Int, [UInt8])
        /// Octets follow it.
        case followed(by: [UInt8])
        /// Its end is missing.
        case cut(to: Int)
        /// It says something else altogether: another opcode before the same parameters.
        case renamed(ATT.Opcode)
    }

    /// A piece of a PDU.
    public enum Part: Hashable, Sendable, ExpressibleByArrayLiteral {
        case octets([UInt8])
        /// So many octets of the request, from a place on.
        case ofRequest(at: Int, count: Int)
        /// The value handle of the first characteristic of that type, or a handle so far from it.
        case valueHandle(BluetoothUUID, plus: Int = 0)

        public init(arrayLiteral octets: UInt8...) { self = .octets(octets) }
    }
}

extension Misconduct {
    /// Breaks one rule.
    public static func on(
        _ occasion: Occasion, turns: ClosedRange<Int> = 1...Int.max, connections: ClosedRange<Int> = 1...Int.max,
        _ acts: Act...
    ) -> Misconduct {
        Misconduct([Rule(occasion, acts, turns: turns, connections: connections)])
    }

    /// Has one outburst.
    public static func unasked(
        since beginning: Outburst.Beginning, after delay: Duration, every period: Duration? = nil, _ acts: Act...
    ) -> Misconduct {
        Misconduct(outbursts: [Outburst(since: beginning, after: delay, every: period, acts)])
    }

    /// Both together.
    public static func + (one: Misconduct, other: Misconduct) -> Misconduct {
        Misconduct(one.rules + other.rules, outbursts: one.outbursts + other.outbursts)
    }
}
