// What is done to a connection that exists.

public import Wire

/// Ends a connection; ended by Disconnection Complete (Core Vol 4, Part E, 7.1.6).
public struct Disconnect: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x0406)

    public var handle = ConnectionHandle(rawValue: 0)
    /// What the peer is told.
    public var reason = Status.remoteUserTerminated

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.number("Reason", &reason)
    }
}

/// Asks for the peer's version; ended by Read Remote Version Information Complete (Core Vol 4, Part E, 7.1.23).
public struct ReadRemoteVersionInformation: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x041D)

    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
    }
}

/// Asks for the peer's LE features; ended by LE Read Remote Features Complete (Core Vol 4, Part E, 7.8.21).
public struct LEReadRemoteFeatures: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2016)

    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
    }
}

/// Changes the connection parameters; ended by LE Connection Update Complete (Core Vol 4, Part E, 7.8.18).
public struct LEConnectionUpdate: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2013)

    public var handle = ConnectionHandle(rawValue: 0)
    public var parameters = ConnectionParameters()
    /// How long a meeting is expected to take, in units of 0.625 ms.
    public var minCELength: UInt16 = 0
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try parameters.fields(&pass)
        try pass.time("Min_CE_Length", &minCELength, in: Slots.self)
        try pass.time("Max_CE_Length", &maxCELength, in: Slots.self)
    }
}

/// Accepts an LE Remote Connection Parameter Request (Core Vol 4, Part E, 7.8.31).
public struct LERemoteConnectionParameterRequestReply: Command {
    public static let opcode = Opcode(rawValue: 0x2020)
    public typealias ReturnParameters = HandleReturn

    public var handle = ConnectionHandle(rawValue: 0)
    public var parameters = ConnectionParameters()
    /// How long a meeting is expected to take, in units of 0.625 ms.
    public var minCELength: UInt16 = 0
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try parameters.fields(&pass)
        try pass.time("Min_CE_Length", &minCELength, in: Slots.self)
        try pass.time("Max_CE_Length", &maxCELength, in: Slots.self)
    }
}

/// Refuses an LE Remote Connection Parameter Request (Core Vol 4, Part E, 7.8.32).
public struct LERemoteConnectionParameterRequestNegativeReply: Command {
    public static let opcode = Opcode(rawValue: 0x2021)
    public typealias ReturnParameters = HandleReturn

    public var handle = ConnectionHandle(rawValue: 0)
    public var reason = Status.unacceptableConnectionParameters

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.number("Reason", &reason)
    }
}

/// How loud the peer is (Core Vol 4, Part E, 7.5.4).
public struct ReadRSSI: Command {
    public static let opcode = Opcode(rawValue: 0x1405)

    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Handle", &handle)
    }

    public struct ReturnParameters: ConnectionReturn {
        public var status = Status.success
        public var handle = ConnectionHandle(rawValue: 0)
        public var rssi = SignalLevel.notAvailable

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("Handle", &handle)
            try pass.number("RSSI", &rssi)
        }
    }
}
