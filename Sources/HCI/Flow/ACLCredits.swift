import Wire

/// Hands data to the controller as it has buffers for it, fairly between the connections (Core Vol 4, Part E, 4.1).
///
/// A PDU is cut into packets of the controller's buffer length; the packets of one connection stay in order, those of different
/// connections take turns. A connection whose peer takes nothing any more, until it is given up, must not hold all buffers: whoever
/// has one already leaves one for each of those that have none. A packet counts before it is sent, so that its completion cannot come too early.
public struct ACLCredits: Hashable, Sendable {
    /// The controller's buffers.
    public struct Buffers: Hashable, Sendable {
        /// The most octets of data in one packet.
        public var length: Int
        /// How many packets the controller holds at a time.
        public var count: Int

        public init(length: Int, count: Int) {
            self.length = length
            self.count = count
        }

        /// LE's own buffers; where they are zero, those that LE shares with BR/EDR; `nil` where there are none either,
        /// so that no data can be sent.
        public init?(le: LEReadBufferSize.ReturnParameters, classic: ReadBufferSize.ReturnParameters?) {
            if le.aclLength > 0, le.aclCount > 0 {
                self.init(length: Int(le.aclLength), count: Int(le.aclCount))
            } else if let classic, classic.aclLength > 0, classic.aclCount > 0 {
                self.init(length: Int(classic.aclLength), count: Int(classic.aclCount))
            } else {
                return nil
            }
        }
    }

    /// Why a PDU was not taken.
    public enum Refusal: Error, Hashable, Sendable {
        /// No connection has this handle.
        case notConnected(ConnectionHandle)
        /// So many PDUs wait on this connection already; the controller does not keep up.
        case full(ConnectionHandle, waiting: Int)
        /// The controller has no buffers, or they are not known yet.
        case noBuffers
    }

    private struct Connection: Hashable, Sendable {
        var handle: ConnectionHandle
        /// Packets in the controller's buffers.
        var inFlight = 0
        /// PDUs that are not wholly sent, the oldest first.
        var waiting: [[UInt8]] = []
        /// Octets of the oldest that are sent.
        var sent = 0
        /// PDUs that were wholly sent.
        var done: UInt64 = 0

        /// Counts and cuts off the next packet; only while something waits.
        mutating func nextPacket(length: Int) -> [UInt8] {
            let pdu = waiting[0]
            let end = min(pdu.count, sent + length)
            let packet = ACLPacket(
                handle: handle, boundary: sent == 0 ? .firstNonFlushable : .continuation,
                payload: Array(pdu[sent..<end]))
            inFlight += 1
            if end == pdu.count {
                waiting.removeFirst()
                sent = 0
                done &+= 1
            } else {
                sent = end
            }
            return Packet.acl(packet).encoded
        }
    }

    /// How many PDUs may wait on one connection.
    public let limit: Int

    /// The controller's buffers; `nil` while they are not known.
    public private(set) var buffers: Buffers?

    /// In the order of their turns: who has just sent goes last.
    private var connections: [Connection] = []

    public init(limit: Int = 64) { self.limit = limit }

    /// Packets that the controller has buffers for now.
    public var available: Int {
        max(0, (buffers?.count ?? 0) - connections.reduce(0) { $0 + $1.inFlight })
    }

    /// PDUs of a connection that are not wholly sent.
    public func waiting(on handle: ConnectionHandle) -> Int {
        connections.first { $0.handle == handle }?.waiting.count ?? 0
    }

    /// PDUs of a connection that were wholly handed to the controller since the connection began.
    public func handedOver(on handle: ConnectionHandle) -> UInt64 {
        connections.first { $0.handle == handle }?.done ?? 0
    }

    /// Packets of a connection in the controller's buffers.
    public func inFlight(on handle: ConnectionHandle) -> Int {
        connections.first { $0.handle == handle }?.inFlight ?? 0
    }

    // MARK: Inputs

    /// Takes over the controller's buffers, once they have been read.
    public mutating func configure(_ buffers: Buffers?) {
        self.buffers = buffers.flatMap { $0.length > 0 && $0.count > 0 ? $0 : nil }
    }

    /// A connection exists. For one that came about only: a failed attempt's handle may be another connection's.
    public mutating func connected(_ handle: ConnectionHandle) {
        connections.removeAll { $0.handle == handle }
        connections.append(Connection(handle: handle))
    }

    /// A connection is gone, its buffers with it; appends what can be sent in their place.
    ///
    /// - Returns: how many PDUs were not wholly sent.
    @discardableResult
    public mutating func disconnected(_ handle: ConnectionHandle, into packets: inout [[UInt8]]) -> Int {
        let lost = waiting(on: handle)
        connections.removeAll { $0.handle == handle }
        send(into: &packets)
        return lost
    }

    /// Takes one L2CAP PDU in and appends the packets that can be sent now, each its H4 type octet first.
    public mutating func enqueue(
        _ pdu: [UInt8], on handle: ConnectionHandle, into packets: inout [[UInt8]]
    ) throws(Refusal) {
        guard buffers != nil else { throw .noBuffers }
        guard let index = connections.firstIndex(where: { $0.handle == handle }) else { throw .notConnected(handle) }
        let waiting = connections[index].waiting.count
        guard waiting < limit else { throw .full(handle, waiting: waiting) }
        connections[index].waiting.append(pdu)
        send(into: &packets)
    }

    /// Buffers are free again; appends the packets that can be sent now. Handles of no connection are passed over, and a count
    /// beyond what is in flight frees no more than that.
    public mutating func receive(_ event: NumberOfCompletedPackets, into packets: inout [[UInt8]]) {
        for completion in event.completions {
            guard let index = connections.firstIndex(where: { $0.handle == completion.handle }) else { continue }
            connections[index].inFlight = max(0, connections[index].inFlight - Int(completion.count))
        }
        send(into: &packets)
    }

    // MARK: Steps

    private mutating func send(into packets: inout [[UInt8]]) {
        guard let buffers else { return }
        var available = available
        while available > 0 {
            let idle = connections.count { $0.inFlight == 0 }
            let turn = connections.firstIndex { connection in
                !connection.waiting.isEmpty && (connection.inFlight == 0 || available > idle)
            }
            guard let turn else { return }
            available -= 1
            var connection = connections.remove(at: turn)
            packets.append(connection.nextPacket(length: buffers.length))
            connections.append(connection)
        }
    }
}
