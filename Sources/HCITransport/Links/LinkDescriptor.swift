import CHCI
import Glibc
import HCI

/// The descriptor of a link: watched by the loop, with a queue for what the system does not take at once.
///
/// What ends the link while it writes is told later, never from within the call.
struct LinkDescriptor: ~Copyable {
    /// What an error number, or 0 for the end of a stream, means for the link.
    typealias Meaning = @Sendable (_ errno: Int32, _ operation: String) -> LinkEnd

    /// What a read gave.
    enum Reading {
        /// So many octets, at the front of the buffer.
        case octets(Int)
        /// Nothing just now.
        case nothing
        /// Nothing ever again.
        case ended(LinkEnd)
    }

    private var descriptor: OwnedDescriptor?
    private var output: OutputQueue
    private let meaning: Meaning
    private var watch: Watch?
    private var endLater: (@Sendable (LinkEnd) -> Void)?

    /// - Parameter descriptor: open, in non-blocking mode
    init(_ descriptor: consuming OwnedDescriptor, _ style: OutputQueue.Style, meaning: @escaping Meaning) {
        self.descriptor = consume descriptor
        self.meaning = meaning
        output = OutputQueue(style)
    }

    var isOpen: Bool { descriptor != nil }

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - ready: called when there is something to read, when writing is possible again, and when the other side is gone
    ///   - ended: called when nothing can be written any more
    mutating func start(
        on loop: EventLoop, ready: @escaping @Sendable (Readiness) -> Void,
        ended: @escaping @Sendable (LinkEnd) -> Void
    ) {
        guard let number = descriptor?.number else { return }
        endLater = { reason in loop.reactor.post { ended(reason) } }
        do {
            watch = try loop.reactor.watch(number, for: .readable, ready)
        } catch {
            endLater?(.failed(errno: EBADF, operation: "epoll_ctl"))
        }
    }

    /// Reads once.
    mutating func read(into buffer: inout [UInt8]) -> Reading {
        guard let number = descriptor?.number else { return .nothing }
        let count = unsafe Glibc.read(number, &buffer, buffer.count)
        if count > 0 { return .octets(count) }
        let error = count == 0 ? 0 : errno
        return error == EAGAIN || error == EINTR ? .nothing : .ended(meaning(error, "read"))
    }

    /// Sends a packet, behind those that wait.
    mutating func send(_ packet: [UInt8]) {
        guard let number = descriptor?.number else { return }
        settle(output.send(packet, to: number))
    }

    /// Writes what waits, as far as the system takes it.
    mutating func flush() {
        guard let number = descriptor?.number else { return }
        settle(output.flush(to: number))
    }

    private mutating func settle(_ outcome: OutputQueue.Outcome) {
        switch outcome {
        case .empty: watch?.change(to: .readable)
        case .waiting: watch?.change(to: [.readable, .writable])
        case .full: endLater?(.stalled)
        case .failed(let number): endLater?(meaning(number, "write"))
        }
    }

    /// Ends the watch, then closes the descriptor.
    ///
    /// - Parameter last: what is still done with the descriptor in between
    mutating func close(_ last: (_ descriptor: Int32) -> Void = { _ in }) {
        watch = nil
        endLater = nil
        if let number = descriptor?.number { last(number) }
        descriptor = nil
    }
}
