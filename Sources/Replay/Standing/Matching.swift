/// What a host of ours has to do as the recorded host did.
public enum Matching: Sendable {
    /// Every packet, octet by octet, in the same order: for recordings of hr-raw's own. The controller's packets come as they came.
    case strictly
    /// Every procedure that a peer remembers: connections, subscriptions, writes, with the same outcome. For recordings of any host:
    /// the devices in it are simulated, and hold and tell what the recording says.
    case equivalently
}
