import CHCI
import Glibc
public import HCI
public import Wire

/// H4 over a stream of octets: a TCP connection, a serial line, a pty (UART transport layer, Core Vol 4, Part A).
public actor StreamLink: ControllerLink {
    /// The thread this link lives on.
    public nonisolated let loop: EventLoop
    public nonisolated var executor: any SerialExecutor { loop }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private static let readSize = 65_536

    private var watch: Watch?
    private var descriptor: OwnedDescriptor?
    private var companion: OwnedDescriptor?
    private var giveBack: (@Sendable (_ descriptor: Int32) -> Void)?
    private var output = OutputQueue(.stream)
    private var framer: H4Framer
    private var buffer = [UInt8](repeating: 0, count: StreamLink.readSize)
    private var alarm: LoopAlarm?
    private weak var owner: (any ControllerLinkOwner)?

    /// - Parameters:
    ///   - descriptor: an open stream in non-blocking mode
    ///   - sender: who is at the other end
    ///   - companion: another descriptor, held open as long as the stream
    ///   - giveBack: called with the stream's descriptor before it is closed
    init(
        on loop: EventLoop, _ descriptor: consuming OwnedDescriptor, from sender: H4Framer.Sender = .controller,
        keeping companion: consuming OwnedDescriptor? = nil, giveBack: (@Sendable (_ descriptor: Int32) -> Void)? = nil
    ) {
        self.loop = loop
        self.descriptor = consume descriptor
        self.companion = consume companion
        self.giveBack = giveBack
        framer = H4Framer(from: sender)
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
        assumeIsolated { $0.close() }
    }

    isolated deinit { close() }
}

extension StreamLink {
    private func start(for owner: any ControllerLinkOwner) {
        self.owner = owner
        alarm = LoopAlarm(on: loop) { [weak self] moment in
            self?.assumeIsolated { $0.owner?.linkAlarm(at: moment) }
        }
        guard let number = descriptor?.number else { return }
        do {
            watch = try loop.reactor.watch(number, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.ready(readiness) }
            }
        } catch {
            endLater(.failed(errno: EBADF, operation: "epoll_ctl"))
        }
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        // What came before the other side closed is read first; the end shows in the read.
        if !readiness.isDisjoint(with: [.readable, .failed, .hungUp]) { receive() }
    }

    private func receive() {
        guard let number = descriptor?.number else { return }
        let count = unsafe read(number, &buffer, buffer.count)
        guard count > 0 else { return readFailed(count == 0 ? 0 : errno) }
        framer.append(buffer[..<count])
        deliver()
    }

    private func deliver() {
        let moment = loop.now
        do {
            while let packet = try framer.next() {
                owner?.linkReceived(packet, at: moment)
                guard descriptor != nil else { return }
            }
        } catch {
            end(.framingLost(detail: "no packet start within \(error.skipped) octets"))
        }
    }

    private func readFailed(_ number: Int32) {
        guard number != EAGAIN, number != EINTR else { return }
        end(StreamLink.reason(number, "read"))
    }

    private func send(_ packet: [UInt8]) {
        guard let number = descriptor?.number else { return }
        settle(output.send(packet, to: number))
    }

    private func flush() {
        guard let number = descriptor?.number else { return }
        settle(output.flush(to: number))
    }

    private func settle(_ outcome: OutputQueue.Outcome) {
        switch outcome {
        case .empty: watch?.change(to: .readable)
        case .waiting: watch?.change(to: [.readable, .writable])
        case .full: endLater(.stalled)
        case .failed(let number): endLater(StreamLink.reason(number, "write"))
        }
    }

    /// A stream ends with no octets, a reset connection, or, on a pty or a serial line that was pulled out, with EIO.
    private static func reason(_ number: Int32, _ operation: String) -> LinkEnd {
        switch number {
        case 0, ECONNRESET, EPIPE, EIO, ENXIO, ENODEV: .closed
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
        guard descriptor != nil else { return }
        let owner = owner
        close()
        owner?.linkEnded(reason)
    }

    private func close() {
        watch = nil
        alarm = nil
        if let number = descriptor?.number { giveBack?(number) }
        giveBack = nil
        descriptor = nil
        companion = nil
        owner = nil
    }
}
