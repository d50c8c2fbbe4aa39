import CHCI
import Glibc

/// Octets that the system did not take at once. Bounded: a controller that takes nothing must not fill the memory.
struct OutputQueue {
    /// How a descriptor takes octets.
    enum Style {
        /// One write is one packet.
        case packets
        /// Octets follow one another; a write may take a part.
        case stream
    }

    /// What became of an attempt to write.
    enum Outcome: Equatable {
        /// Nothing waits.
        case empty
        /// The rest goes when the descriptor is writable again.
        case waiting
        /// More would have to wait than may: the other side takes nothing.
        case full
        /// The system refused; the number is `errno`.
        case failed(Int32)
    }

    /// Octets that may wait: enough for every buffer of a controller, small beside the goal of 10 MB.
    static let limit = 1 << 20
    /// Entries that have gone before their places are freed: seldom enough to cost nothing.
    static let compaction = 64

    private let style: Style
    private var packets: [[UInt8]] = []
    /// Packets of `packets` that have gone.
    private var sent = 0
    /// Octets of the first waiting packet that have gone.
    private var offset = 0
    private var waiting = 0

    init(_ style: Style) { self.style = style }

    var isEmpty: Bool { sent == packets.count }

    /// Entries held, those that have gone included.
    var entryCount: Int { packets.count }

    /// Sends a packet, behind those that wait.
    mutating func send(_ packet: [UInt8], to descriptor: Int32) -> Outcome {
        guard waiting + packet.count <= OutputQueue.limit else { return .full }
        guard !packet.isEmpty else { return isEmpty ? .empty : .waiting }
        packets.append(packet)
        waiting += packet.count
        return packets.count - sent == 1 ? flush(to: descriptor) : .waiting
    }

    /// Writes what the system takes.
    mutating func flush(to descriptor: Int32) -> Outcome {
        while sent < packets.count {
            let written = write(packets[sent], from: offset, to: descriptor)
            if written == -ENXIO && style == .packets {
                // An adapter of /dev/vhci that the kernel has taken down: nobody listens, and the packet is gone.
                advance(by: packets[sent].count)
                continue
            }
            if written < 0 {
                return written == -EAGAIN || written == -EINTR ? .waiting : .failed(Int32(-written))
            }
            advance(by: written)
        }
        packets.removeAll(keepingCapacity: true)
        sent = 0
        return .empty
    }

    private mutating func advance(by written: Int) {
        let rest = packets[sent].count - offset
        // A packet that a packet descriptor took in part is gone: the remainder would be another packet.
        let gone = style == .packets ? rest : min(written, rest)
        waiting -= gone
        offset += gone
        guard offset == packets[sent].count else { return }
        packets[sent] = []
        sent += 1
        offset = 0
        // A queue that is never quite empty would grow for ever.
        if sent >= OutputQueue.compaction && sent >= packets.count / 2 {
            packets.removeFirst(sent)
            sent = 0
        }
    }

    /// Answers the octets written, or minus the error number.
    private func write(_ octets: [UInt8], from offset: Int, to descriptor: Int32) -> Int {
        unsafe octets.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
            return Int(unsafe chci_write(descriptor, rest.baseAddress, rest.count))
        }
    }
}
