import Capture
public import HCI
public import Wire

/// A link that has all traffic of another recorded.
public actor CapturingLink: ControllerLink {
    private nonisolated let link: any ControllerLink
    public nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private var recorder: CaptureRecorder?
    private weak var owner: (any ControllerLinkOwner)?

    /// - Parameters:
    ///   - link: the link to record
    ///   - recorder: let go of once the link is shut down
    public init(_ link: any ControllerLink, recorder: CaptureRecorder) {
        self.link = link
        executor = link.executor
        self.recorder = recorder
    }

    public nonisolated var now: Moment { link.now }
    public nonisolated func civilTime(at moment: Moment) -> Timestamp { link.civilTime(at: moment) }

    public nonisolated func perform(_ work: @escaping @Sendable () -> Void) { link.perform(work) }

    public nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { $0.owner = owner }
        link.activate(self)
    }

    public nonisolated func transmit(_ packet: [UInt8]) {
        assumeIsolated { $0.record(packet, .sent, at: $0.link.now) }
        link.transmit(packet)
    }

    public nonisolated func setAlarm(_ moment: Moment?) { link.setAlarm(moment) }

    public nonisolated func shutDown() {
        link.shutDown()
        assumeIsolated { capturing in
            capturing.owner = nil
            capturing.recorder = nil
        }
    }

    private func record(_ packet: [UInt8], _ direction: Record.Direction, at moment: Moment) {
        recorder?.record(packet, direction, at: link.civilTime(at: moment))
    }
}

extension CapturingLink: ControllerLinkOwner {
    public nonisolated func linkReceived(_ packet: [UInt8], at moment: Moment) {
        let owner = assumeIsolated { capturing in
            capturing.record(packet, .received, at: moment)
            return capturing.owner
        }
        owner?.linkReceived(packet, at: moment)
    }

    public nonisolated func linkAlarm(at moment: Moment) {
        assumeIsolated { $0.owner }?.linkAlarm(at: moment)
    }

    public nonisolated func linkEnded(_ reason: LinkEnd) {
        assumeIsolated { $0.owner }?.linkEnded(reason)
    }
}
