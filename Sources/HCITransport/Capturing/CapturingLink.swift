import Capture
public import HCI
public import Wire

/// A link that records all traffic of another in a btsnoop file.
///
/// A file that can be written no more, a full disk say, does not disturb the traffic: that is told once, and the records are
/// tried again, as there may be room later.
public actor CapturingLink: ControllerLink {
    private nonisolated let link: any ControllerLink
    public nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    private var file: CaptureFile?
    private var onFailure: (@Sendable (TransportError) -> Void)?
    private weak var owner: (any ControllerLinkOwner)?

    /// - Parameters:
    ///   - link: the link to record
    ///   - path: the file, made anew, for its owner alone (mode 0600)
    ///   - onFailure: told once, on the executor, with `TransportError.cannotWrite`
    /// - Throws: `TransportError.notPermitted`, `.cannotOpen`, `.cannotWrite`.
    public init(
        _ link: any ControllerLink, to path: String, onFailure: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) {
        self.link = link
        executor = link.executor
        self.path = path
        self.onFailure = onFailure
        file = try CaptureFile(creating: path)
    }

    public nonisolated var now: Moment { link.now }
    public nonisolated var civilTime: Timestamp { link.civilTime }

    public nonisolated func perform(_ work: @escaping @Sendable () -> Void) { link.perform(work) }

    public nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { $0.owner = owner }
        link.activate(self)
    }

    public nonisolated func transmit(_ packet: [UInt8]) {
        assumeIsolated { $0.record(packet, .sent) }
        link.transmit(packet)
    }

    public nonisolated func setAlarm(_ moment: Moment?) { link.setAlarm(moment) }

    public nonisolated func shutDown() {
        link.shutDown()
        assumeIsolated { capturing in
            capturing.owner = nil
            capturing.file = nil
        }
    }

    /// The file's, for a test that fills the disk.
    var descriptor: Int32? { file?.descriptor }

    private func record(_ packet: [UInt8], _ direction: Record.Direction) {
        guard let number = file?.write(packet, direction, at: civilTime), number != 0 else { return }
        onFailure?(.cannotWrite(path: path, errno: number))
        onFailure = nil
    }
}

extension CapturingLink: ControllerLinkOwner {
    public nonisolated func linkReceived(_ packet: [UInt8], at moment: Moment) {
        let owner = assumeIsolated { capturing in
            capturing.record(packet, .received)
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
