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

    private var watch: Watch?
    private var socket: HCISocket?
    private var output = OutputQueue(.packets)
    private var buffer = [UInt8](repeating: 0, count: PacketLink.longestPacket)
    private var alarm: LoopAlarm?
    private weak var owner: (any ControllerLinkOwner)?
    private var giveBack: (@Sendable (_ end: LinkEnd?) -> Void)?

    /// - Parameters:
    ///   - socket: an open socket in non-blocking mode
    ///   - giveBack: called once the socket is closed, with the reason when the link ended by itself
    init(on loop: EventLoop, _ socket: consuming HCISocket, giveBack: (@Sendable (_ end: LinkEnd?) -> Void)? = nil) {
        self.loop = loop
        self.socket = consume socket
        self.giveBack = giveBack
    }

    public nonisolated var now: Moment { loop.now }
    public nonisolated var civilTime: Timestamp { SystemClock.civilTime }

    public nonisolated func perform(_ work: @escaping @Sendable () -> Void) {
        loop.reactor.post(work)
    }

    public nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { $0.start(for: owner) }
    }

    public nonisolated func transmit(_ packet: [UInt8]) {
        assumeIsolated { $0.send(packet) }
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
        guard let descriptor = socket?.number else { return }
        do {
            watch = try loop.reactor.watch(descriptor, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.ready(readiness) }
            }
        } catch {
            endLater(.failed(errno: EBADF, operation: "epoll_ctl"))
        }
    }

    private func ready(_ readiness: Readiness) {
        // The kernel tells of a removed adapter once; another read would wait for ever.
        guard readiness.isDisjoint(with: [.failed, .hungUp]) else { return end(.removed) }
        if readiness.contains(.writable) { flush() }
        if readiness.contains(.readable) { receive() }
    }

    private func receive() {
        for _ in 0..<PacketLink.packetsPerTurn {
            guard let descriptor = socket?.number else { return }
            let count = unsafe read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return readFailed(count == 0 ? EPIPE : errno) }
            owner?.linkReceived([UInt8](buffer[..<count]), at: loop.now)
        }
    }

    private func readFailed(_ number: Int32) {
        guard number != EAGAIN, number != EINTR else { return }
        end(PacketLink.reason(number, "read"))
    }

    private func send(_ packet: [UInt8]) {
        guard let descriptor = socket?.number else { return }
        settle(output.send(packet, to: descriptor))
    }

    private func flush() {
        guard let descriptor = socket?.number else { return }
        settle(output.flush(to: descriptor))
    }

    private func settle(_ outcome: OutputQueue.Outcome) {
        switch outcome {
        case .empty: watch?.change(to: .readable)
        case .waiting: watch?.change(to: [.readable, .writable])
        case .full: endLater(.stalled)
        case .failed(let number): endLater(PacketLink.reason(number, "write"))
        }
    }

    /// A removed adapter answers EPIPE, its driver on the way out ENODEV; one that was powered off, ENETDOWN.
    private static func reason(_ number: Int32, _ operation: String) -> LinkEnd {
        switch number {
        case EPIPE, ENODEV: .removed
        case ENETDOWN: .poweredOff
        default: .failed(errno: number, operation: operation)
        }
    }

    /// Not from within the owner's own call.
    private func endLater(_ reason: LinkEnd) {
        loop.reactor.post { [weak self] in
            self?.assumeIsolated { $0.end(reason) }
        }
    }

    private func end(_ reason: LinkEnd) {
        guard socket != nil else { return }
        let owner = owner
        close(because: reason)
        owner?.linkEnded(reason)
    }

    private func close(because reason: LinkEnd?) {
        guard socket != nil else { return }
        watch = nil
        alarm = nil
        socket = nil
        owner = nil
        giveBack?(reason)
        giveBack = nil
    }
}
