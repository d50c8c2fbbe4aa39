// A connection attempt ended. Three events say so; `established` is what they have in common.

public import Wire

/// A connection that came about.
public struct EstablishedConnection: Hashable, Sendable {
    public var handle: ConnectionHandle
    public var role: Role
    public var peer: DeviceAddress
    public var interval: ConnectionInterval
    /// How many meetings the peripheral may pass over.
    public var latency: UInt16
    public var supervisionTimeout: SupervisionTimeout
    /// The address this device used; `nil` where it was not a resolvable private one, or the event does not say.
    public var localPrivateAddress: Address?
    /// The address the peer used; `nil` where it was not a resolvable private one, or the event does not say.
    public var peerPrivateAddress: Address?
}

/// What LE Connection Complete and LE Enhanced Connection Complete share.
public protocol ConnectionCompletion: LEEventParameters {
    /// Anything but success: there is no connection, and all other fields mean nothing, the handle (often 0) least of all.
    var status: Status { get set }

    /// The connection; `nil` for an attempt that failed. Take the handle from here, never from a failed attempt:
    /// its handle 0 may belong to another connection.
    var established: EstablishedConnection? { get }
}

/// The legacy event (Core Vol 4, Part E, 7.7.65.1).
public struct LEConnectionComplete: ConnectionCompletion {
    public static let subevent = LESubevent.connectionComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var role = Role.central
    public var peer = DeviceAddress.zero
    public var interval = ConnectionInterval(rawValue: 0)
    public var latency: UInt16 = 0
    public var supervisionTimeout = SupervisionTimeout(rawValue: 0)
    /// 0 for 500 ppm to 7 for 20 ppm; of the central, told to the peripheral.
    public var centralClockAccuracy: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Role", &role)
        try pass.deviceAddress("Peer_Address_Type", "Peer_Address", &peer)
        try pass.number("Connection_Interval", &interval)
        try pass.uint16("Peripheral_Latency", &latency)
        try pass.number("Supervision_Timeout", &supervisionTimeout)
        try pass.clockAccuracy("Central_Clock_Accuracy", &centralClockAccuracy)
    }

    public var established: EstablishedConnection? {
        guard status == .success else { return nil }
        return EstablishedConnection(
            handle: handle, role: role, peer: peer, interval: interval, latency: latency,
            supervisionTimeout: supervisionTimeout)
    }
}

/// The event of privacy and extended advertising (Core Vol 4, Part E, 7.7.65.10).
public struct LEEnhancedConnectionComplete: ConnectionCompletion {
    public static let subevent = LESubevent.enhancedConnectionComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var role = Role.central
    public var peer = DeviceAddress.zero
    /// Zero where this device used none.
    public var localPrivateAddress = Address.zero
    /// Zero where the peer used none that the controller resolved.
    public var peerPrivateAddress = Address.zero
    public var interval = ConnectionInterval(rawValue: 0)
    public var latency: UInt16 = 0
    public var supervisionTimeout = SupervisionTimeout(rawValue: 0)
    /// 0 for 500 ppm to 7 for 20 ppm; of the central, told to the peripheral.
    public var centralClockAccuracy: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Role", &role)
        try pass.deviceAddress("Peer_Address_Type", "Peer_Address", &peer)
        try pass.randomAddress("Local_Resolvable_Private_Address", &localPrivateAddress)
        try pass.randomAddress("Peer_Resolvable_Private_Address", &peerPrivateAddress)
        try pass.number("Connection_Interval", &interval)
        try pass.uint16("Peripheral_Latency", &latency)
        try pass.number("Supervision_Timeout", &supervisionTimeout)
        try pass.clockAccuracy("Central_Clock_Accuracy", &centralClockAccuracy)
    }

    public var established: EstablishedConnection? {
        guard status == .success else { return nil }
        return EstablishedConnection(
            handle: handle, role: role, peer: peer, interval: interval, latency: latency,
            supervisionTimeout: supervisionTimeout,
            localPrivateAddress: localPrivateAddress == .zero ? nil : localPrivateAddress,
            peerPrivateAddress: peerPrivateAddress == .zero ? nil : peerPrivateAddress)
    }
}

/// The event of periodic advertising with responses (Core Vol 4, Part E, 7.7.65.10).
public struct LEEnhancedConnectionCompleteV2: ConnectionCompletion {
    public static let subevent = LESubevent.enhancedConnectionCompleteV2

    /// All that the event has in common with its first version.
    public var first = LEEnhancedConnectionComplete()
    /// 0xFF for a connection that did not begin with periodic advertising.
    public var advertisingHandle: UInt8 = 0xFF
    /// 0xFFFF for a connection that did not begin with periodic advertising.
    public var syncHandle: UInt16 = 0xFFFF

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try first.fields(&pass)
        try pass.uint8("Advertising_Handle", &advertisingHandle)
        try pass.uint16("Sync_Handle", &syncHandle)
    }

    public var status: Status {
        get { first.status }
        set { first.status = newValue }
    }

    public var established: EstablishedConnection? { first.established }
}
