public import Wire

/// The way to one controller: a socket, a serial line, a simulation. Implementations live in `HCITransport`.
///
/// Everything of a link happens on its `executor`: the owner's calls and the link's callbacks. An owner that is an actor names
/// `executor` as its own, so that a packet reaches it without a hop and in order.
public protocol ControllerLink: AnyObject, Sendable {
    /// Where the owner runs. It keeps running until `shutDown()` has been called and the owner is gone.
    var executor: any SerialExecutor { get }

    /// Runs `work` on the executor, behind everything that was given to it before. For callers that cannot wait, such as the
    /// cancellation of a task.
    func perform(_ work: @escaping @Sendable () -> Void)

    /// The link's clock, real or virtual.
    var now: Moment { get }

    /// What the civil clock shows, or showed, at a moment of this clock, for what is shown and recorded. One moment has one time,
    /// whoever asks, until the civil clock is set. May be called from anywhere.
    func civilTime(at moment: Moment) -> Timestamp

    /// Starts the flow of packets to `owner`, which is held weakly. Call once, on the executor.
    func activate(_ owner: any ControllerLinkOwner)

    /// Sends one packet, its H4 type octet first (Core Vol 4, Part A, 2). Packets leave in the order of the calls.
    ///
    /// A failure to write is told through `linkEnded(_:)`.
    func transmit(_ packet: [UInt8])

    /// Asks for one call of `linkAlarm(at:)` once `moment` has come; replaces the alarm set before, `nil` takes it back.
    func setAlarm(_ moment: Moment?)

    /// Ends the flow of packets and gives the controller back in the state it was found in. No callback follows.
    func shutDown()
}

extension ControllerLink {
    /// Civil time now.
    public var civilTime: Timestamp { civilTime(at: now) }
}

/// Who receives from a `ControllerLink`. All calls come on the link's executor.
public protocol ControllerLinkOwner: AnyObject, Sendable {
    /// One packet from the controller, its H4 type octet first.
    func linkReceived(_ packet: [UInt8], at moment: Moment)

    /// The alarm of `setAlarm(_:)` is due.
    func linkAlarm(at moment: Moment)

    /// The link is gone; nothing can be sent any more. Told at most once.
    func linkEnded(_ reason: LinkEnd)
}

/// Why a link ended by itself.
public enum LinkEnd: Error, Hashable, Sendable {
    /// The adapter was pulled out, or its driver went away.
    case removed
    /// The other side of a TCP connection or pty closed it.
    case closed
    /// The adapter was powered off under the link, by rfkill for example.
    case poweredOff
    /// The controller takes no more octets, although it is still there.
    case stalled
    /// The octets stopped making sense as H4 and no packet start was found again within the bound.
    case framingLost(detail: String)
    /// A recording stands in for the controller, and is over.
    case recordingEnded
    /// A recording stands in for the controller, and the host did not do what the recorded one had done: what was to be sent, and
    /// what was.
    case recordingDiverged(String)
    /// The system refused to read or write; the number is `errno`.
    case failed(errno: Int32, operation: String)
}
