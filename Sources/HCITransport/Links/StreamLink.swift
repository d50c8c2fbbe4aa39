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

    private var descriptor: LinkDescriptor
    private var companion: OwnedDescriptor?
    private var giveBack: (@Sendable (_ descriptor: Int32) -> Void)?
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
        self.descriptor = LinkDescriptor(descriptor, .stream, meaning: StreamLink.meaning)
        self.companion = consume companion
        self.giveBack = giveBack
        framer = H4Framer(from: sender)
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
        descriptor.start(on: loop) { [weak self] readiness in
            self?.assumeIsolated { $0.ready(readiness) }
        } ended: { [weak self] reason in
            self?.assumeIsolated { $0.end(reason) }
        }
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { descriptor.flush() }
        // What came before the other side closed is read first; the end shows in the read.
        if !readiness.isDisjoint(with: [.readable, .failed, .hungUp]) { receive() }
    }

    private func receive() {
        switch descriptor.read(into: &buffer) {
        case .octets(let count):
            framer.append(buffer[..<count])
            deliver()
        case .nothing: break
        case .ended(let reason): end(reason)
        }
    }

    private func deliver() {
        let moment = loop.now
        do {
            while let packet = try framer.next() {
                owner?.linkReceived(packet, at: moment)
                guard descriptor.isOpen else { return }
            }
        } catch {
            end(.framingLost(detail: "no packet start within \(error.skipped) octets"))
        }
    }

    /// A stream ends with no octets, a reset connection, or, on a pty or a serial line that was pulled out, with EIO.
    private static func meaning(_ number: Int32, _ operation: String) -> LinkEnd {
        switch number {
        case 0, ECONNRESET, EPIPE, EIO, ENXIO, ENODEV: .closed
        default: .failed(errno: number, operation: operation)
        }
    }

    private func end(_ reason: LinkEnd) {
        guard descriptor.isOpen else { return }
        let owner = owner
        close()
        owner?.linkEnded(reason)
    }

    private func close() {
        alarm = nil
        descriptor.close { giveBack?($0) }
        giveBack = nil
        companion = nil
        owner = nil
    }
}
