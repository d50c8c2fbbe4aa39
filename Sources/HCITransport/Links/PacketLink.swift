import CHCI
import Glibc
public import HCI
public import Wire

/// A link over a descriptor on which one read is one packet and one write is one packet: a user channel, or `/dev/vhci`.
public actor PacketLink: ControllerLink {
    /// The thread this link lives on.
    public nonisolated let loop: EventLoop
    public nonisolated var executor: any SerialExecutor { loop }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Longest packet: an ISO or ACL packet with all its 65,535 octets, its header and its type.
    private static let longestPacket = 65_535 + 4 + 1
    /// Packets taken before the loop turns to others.
    private static let packetsPerTurn = 64

    private var descriptor: LinkDescriptor
    private var buffer = [UInt8](repeating: 0, count: PacketLink.longestPacket)
    private var alarm: LoopAlarm?
    private weak var owner: (any ControllerLinkOwner)?
    private var giveBack: (@Sendable (_ end: LinkEnd?) -> Void)?

    /// - Parameters:
    ///   - descriptor: open, in non-blocking mode
    ///   - giveBack: called once the descriptor is closed, with the reason when the link ended by itself
    init(
        on loop: EventLoop, _ descriptor: consuming OwnedDescriptor,
        giveBack: (@Sendable (_ end: LinkEnd?) -> Void)? = nil
    ) {
        self.loop = loop
        self.descriptor = LinkDescriptor(descriptor, .packets, meaning: PacketLink.meaning)
        self.giveBack = giveBack
    }

    public nonisolated var now: Moment { loop.now }
    public nonisolated func civilTime(at moment: Moment) -> Timestamp { loop.civilTime(at: moment) }

    public nonisolated func perform(_ work: @escaping @Sendable () -> Void) {
        loop.reactor.post(work)
    }

    public nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { $0.start(for: owner) }
    }

    public nonisolated func transmit(_ packet: [UInt8]) {
        assumeIsolated { $0.descriptor.send(packet) }
    }

    public nonisolated func setAlarm(_ moment: Moment?) {
        assumeIsolated { $0.alarm?.set(moment) }
    }

    public nonisolated func shutDown() {
        assumeIsolated { $0.close(because: nil) }
    }

    isolated deinit { close(because: nil) }
}

extension PacketLink {
    private func start(for owner: any ControllerLinkOwner) {
        self.owner = owner
        alarm = LoopAlarm(on: loop) { [weak self] moment in
            self?.assumeIsolated { $0.owner?.linkAlarm(at: moment) }
        }
        descriptor.start(on: loop) { [weak self] readiness in
            self?.assumeIsolated { $0.ready(readiness) }
        } ended: { [weak self] reason in
            self?.assumeIsolated { $0.end(reason) }
        }
    }

    private func ready(_ readiness: Readiness) {
        // The kernel tells of a removed adapter once; another read would wait for ever.
        guard readiness.isDisjoint(with: [.failed, .hungUp]) else { return end(.removed) }
        if readiness.contains(.writable) { descriptor.flush() }
        if readiness.contains(.readable) { receive() }
    }

    private func receive() {
        for _ in 0..<PacketLink.packetsPerTurn {
            switch descriptor.read(into: &buffer) {
            case .octets(let count): owner?.linkReceived([UInt8](buffer[..<count]), at: loop.now)
            case .nothing: return
            case .ended(let reason): return end(reason)
            }
        }
    }

    /// A removed adapter answers EPIPE or nothing, its driver on the way out ENODEV; one that was powered off, ENETDOWN.
    private static func meaning(_ number: Int32, _ operation: String) -> LinkEnd {
        switch number {
        case 0, EPIPE, ENODEV: .removed
        case ENETDOWN: .poweredOff
        default: .failed(errno: number, operation: operation)
        }
    }

    private func end(_ reason: LinkEnd) {
        guard descriptor.isOpen else { return }
        let owner = owner
        close(because: reason)
        owner?.linkEnded(reason)
    }

    private func close(because reason: LinkEnd?) {
        guard descriptor.isOpen else { return }
        alarm = nil
        descriptor.close()
        owner = nil
        giveBack?(reason)
        giveBack = nil
    }
}
