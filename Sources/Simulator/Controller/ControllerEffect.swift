import HCI
import Wire

/// What the controller does to the two worlds it stands between.
enum ControllerEffect: Hashable, Sendable {
    /// A packet for the host, its H4 type octet first.
    case host([UInt8])
    /// Something reaches the device at this place in the air.
    case peer(Int, PeerEvent)
}

/// What a device notices of its link.
enum PeerEvent: Hashable, Sendable {
    /// A central has connected, under its address and to that of the device, both as on air.
    case connected(by: DeviceAddress, as: DeviceAddress)
    case fragment([UInt8], isContinuation: Bool)
    /// The link has other parameters now.
    case parametersChanged(interval: ConnectionInterval)
    /// The host refused the parameters that the device asked for through the link layer.
    case parametersRefused
    /// The host wants the link encrypted, with the key that these name.
    case keyRequested(random: UInt64, diversifier: UInt16)
    /// The link is encrypted from now on, or with another key than before.
    case encrypted
    case disconnected(Status)
}
