public import Wire

/// A controller that is a value: packets and time in, packets out. The simulator is one, a capture that answers is another.
///
/// `HCITransport` puts one behind a `ControllerLink` or serves it to other programs; a test calls it directly, on virtual time.
public protocol VirtualController: Sendable {
    /// Takes one packet from the host, its H4 type octet first, and appends the answers that are due at once.
    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]])

    /// Appends what is due up to `now`.
    mutating func advance(to now: Moment, into output: inout [[UInt8]])

    /// When `advance(to:into:)` will next have something to do.
    var nextDeadline: Moment? { get }

    /// Why nothing will come any more; `nil` while something may.
    var end: LinkEnd? { get }
}

extension VirtualController {
    public var end: LinkEnd? { nil }
}
