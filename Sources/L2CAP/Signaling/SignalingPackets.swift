public import Wire

/// Command Reject (Core Vol 3, Part A, 4.1).
public struct CommandReject: Fielded, Hashable {
    public var reason = CommandRejectReason.commandNotUnderstood
    /// What the reason says more.
    public var data: [UInt8] = []

    public init() {}

    public init(reason: CommandRejectReason, data: [UInt8] = []) {
        self.reason = reason
        self.data = data
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Reason", &reason)
        try pass.rest("Reason Data", &data)
    }
}

/// The two ends of a channel: Disconnection Request and Disconnection Response (Core Vol 3, Part A, 4.6 and 4.7).
public struct ChannelEnds: Fielded, Hashable {
    /// The channel at the end that receives the request.
    public var destination = ChannelID.null
    /// The channel at the end that sends the request.
    public var source = ChannelID.null

    public init() {}

    public init(destination: ChannelID, source: ChannelID) {
        self.destination = destination
        self.source = source
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Destination CID", &destination)
        try pass.number("Source CID", &source)
    }
}

/// Connection Parameter Update Response (Core Vol 3, Part A, 4.21).
public struct ConnectionParameterUpdateResponse: Fielded, Hashable {
    public var result = ParameterUpdateResult.accepted

    public init() {}

    public init(_ result: ParameterUpdateResult) { self.result = result }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Result", &result)
    }
}

/// LE Credit Based Connection Request (Core Vol 3, Part A, 4.22).
public struct LECreditBasedConnectionRequest: Fielded, Hashable {
    /// What the channel is for.
    public var spsm: UInt16 = 0
    public var source = ChannelID.null
    /// Octets of the longest unit of data.
    public var mtu: UInt16 = 0
    /// Octets of the longest frame.
    public var mps: UInt16 = 0
    /// Frames that may be sent at once.
    public var initialCredits: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("SPSM", &spsm)
        try pass.number("Source CID", &source)
        try pass.uint16("MTU", &mtu)
        try pass.uint16("MPS", &mps)
        try pass.uint16("Initial Credits", &initialCredits)
    }
}

/// LE Credit Based Connection Response (Core Vol 3, Part A, 4.23). In a refusal only the result counts.
public struct LECreditBasedConnectionResponse: Fielded, Hashable {
    public var destination = ChannelID.null
    /// Octets of the longest unit of data.
    public var mtu: UInt16 = 0
    /// Octets of the longest frame.
    public var mps: UInt16 = 0
    /// Frames that may be sent at once.
    public var initialCredits: UInt16 = 0
    public var result = CreditBasedConnectionResult.successful

    public init() {}

    /// A refusal.
    public init(refusing result: CreditBasedConnectionResult) { self.result = result }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Destination CID", &destination)
        try pass.uint16("MTU", &mtu)
        try pass.uint16("MPS", &mps)
        try pass.uint16("Initial Credits", &initialCredits)
        try pass.number("Result", &result)
    }
}

/// Flow Control Credit Indication (Core Vol 3, Part A, 4.24).
public struct FlowControlCredit: Fielded, Hashable {
    /// The channel at the end that gives the credits.
    public var channel = ChannelID.null
    /// Frames more that may be sent.
    public var credits: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("CID", &channel)
        try pass.uint16("Credits", &credits)
    }
}

/// A channel in a list of channels.
public struct ListedChannel: Fielded, Hashable {
    public var channel = ChannelID.null

    public init() {}

    public init(_ channel: ChannelID) { self.channel = channel }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("CID", &channel)
    }
}

/// Credit Based Connection Request: up to five channels at once (Core Vol 3, Part A, 4.25).
public struct CreditBasedConnectionRequest: Fielded, Hashable {
    /// What the channels are for.
    public var spsm: UInt16 = 0
    /// Octets of the longest unit of data.
    public var mtu: UInt16 = 0
    /// Octets of the longest frame.
    public var mps: UInt16 = 0
    /// Frames that may be sent at once.
    public var initialCredits: UInt16 = 0
    public var sources: [ListedChannel] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("SPSM", &spsm)
        try pass.uint16("MTU", &mtu)
        try pass.uint16("MPS", &mps)
        try pass.uint16("Initial Credits", &initialCredits)
        try pass.restList("Source CID", &sources)
    }
}

/// Credit Based Connection Response (Core Vol 3, Part A, 4.26).
public struct CreditBasedConnectionResponse: Fielded, Hashable {
    /// Octets of the longest unit of data.
    public var mtu: UInt16 = 0
    /// Octets of the longest frame.
    public var mps: UInt16 = 0
    /// Frames that may be sent at once.
    public var initialCredits: UInt16 = 0
    public var result = CreditBasedConnectionResult.successful
    /// One for each source in the request; null for one that was refused.
    public var destinations: [ListedChannel] = []

    public init() {}

    /// A refusal of as many channels as were asked for.
    public init(refusing result: CreditBasedConnectionResult, count: Int) {
        self.result = result
        destinations = Array(repeating: ListedChannel(.null), count: count)
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("MTU", &mtu)
        try pass.uint16("MPS", &mps)
        try pass.uint16("Initial Credits", &initialCredits)
        try pass.number("Result", &result)
        try pass.restList("Destination CID", &destinations)
    }
}

/// Credit Based Reconfigure Request (Core Vol 3, Part A, 4.27).
public struct CreditBasedReconfigureRequest: Fielded, Hashable {
    /// Octets of the longest unit of data.
    public var mtu: UInt16 = 0
    /// Octets of the longest frame.
    public var mps: UInt16 = 0
    public var destinations: [ListedChannel] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("MTU", &mtu)
        try pass.uint16("MPS", &mps)
        try pass.restList("Destination CID", &destinations)
    }
}

/// Credit Based Reconfigure Response (Core Vol 3, Part A, 4.28).
public struct CreditBasedReconfigureResponse: Fielded, Hashable {
    public var result = ReconfigureResult.successful

    public init() {}

    public init(_ result: ReconfigureResult) { self.result = result }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Result", &result)
    }
}
