// What happens to an LE connection.

public import Wire

/// The connection parameters are now these (Core Vol 4, Part E, 7.7.65.3).
public struct LEConnectionUpdateComplete: LEEventParameters {
    public static let subevent = LESubevent.connectionUpdateComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var interval = ConnectionInterval(rawValue: 0)
    public var latency: UInt16 = 0
    public var supervisionTimeout = SupervisionTimeout(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Connection_Interval", &interval)
        try pass.uint16("Peripheral_Latency", &latency)
        try pass.number("Supervision_Timeout", &supervisionTimeout)
    }
}

/// The peer's features (Core Vol 4, Part E, 7.7.65.4).
public struct LEReadRemoteFeaturesComplete: LEEventParameters {
    public static let subevent = LESubevent.readRemoteFeaturesComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var features = LEFeatures()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("LE_Features", &features)
    }
}

/// The central wants encryption; which key? (Core Vol 4, Part E, 7.7.65.5)
public struct LELongTermKeyRequest: LEEventParameters {
    public static let subevent = LESubevent.longTermKeyRequest

    public var handle = ConnectionHandle(rawValue: 0)
    public var random: UInt64 = 0
    public var diversifier: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint64("Random_Number", &random)
        try pass.uint16("Encrypted_Diversifier", &diversifier)
    }
}

/// The peer wants other connection parameters; answer within 30 s (Core Vol 4, Part E, 7.7.65.6).
public struct LERemoteConnectionParameterRequest: LEEventParameters {
    public static let subevent = LESubevent.remoteConnectionParameterRequest

    public var handle = ConnectionHandle(rawValue: 0)
    public var parameters = ConnectionParameters()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try parameters.fields(&pass)
    }
}

/// How much now fits one packet on air (Core Vol 4, Part E, 7.7.65.7).
public struct LEDataLengthChange: LEEventParameters {
    public static let subevent = LESubevent.dataLengthChange

    public var handle = ConnectionHandle(rawValue: 0)
    public var txOctets: UInt16 = 0
    /// Microseconds.
    public var txTime: UInt16 = 0
    public var rxOctets: UInt16 = 0
    /// Microseconds.
    public var rxTime: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint16("Max_TX_Octets", &txOctets)
        try pass.uint16("Max_TX_Time", &txTime)
        try pass.uint16("Max_RX_Octets", &rxOctets)
        try pass.uint16("Max_RX_Time", &rxTime)
    }
}

/// The PHYs are now these (Core Vol 4, Part E, 7.7.65.12).
public struct LEPHYUpdateComplete: LEEventParameters {
    public static let subevent = LESubevent.phyUpdateComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var tx = PHY.none
    public var rx = PHY.none

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("TX_PHY", &tx)
        try pass.number("RX_PHY", &rx)
    }
}

/// How the connection hops (Core Vol 4, Part E, 7.7.65.20).
public struct LEChannelSelectionAlgorithm: LEEventParameters {
    public static let subevent = LESubevent.channelSelectionAlgorithm

    public var handle = ConnectionHandle(rawValue: 0)
    /// 0 for algorithm #1, 1 for #2.
    public var algorithm: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint8("Channel_Selection_Algorithm", &algorithm)
    }
}
