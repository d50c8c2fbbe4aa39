import Wire

/// Joins the ACL fragments of one connection, in one direction, to frames (Core Vol 3, Part A, 7.2.2).
///
/// A fragment may hold any part of a frame, even of its header. What does not fit together is dropped and told; the
/// next start fragment is a new beginning. Holds at most one frame, of at most `limit` payload octets, and only octets
/// that came.
public struct Reassembler: Hashable, Sendable {
    /// The longest payload that is taken; a longer one is passed over.
    public let limit: Int

    private var state = State.idle

    private enum State: Hashable {
        /// No frame is under way. Can transition to collecting, passingOver.
        case idle
        /// A frame has begun. Can transition to idle, collecting, passingOver.
        case collecting([UInt8])
        /// The rest of a frame that is too long, so many octets, is awaited and dropped. Can transition to idle,
        /// collecting.
        case passingOver(remaining: Int)
    }

    public init(limit: Int = Int(UInt16.max)) { self.limit = limit }

    /// What one fragment brought.
    public struct Outcome: Hashable, Sendable {
        /// The frame that the fragment completed.
        public var frame: BasicFrame?
        /// What had to be dropped.
        public var faults: [Fault] = []

        public init(frame: BasicFrame? = nil, faults: [Fault] = []) {
            self.frame = frame
            self.faults = faults
        }
    }

    /// Whether a frame has begun and not ended.
    public var isCollecting: Bool { state != .idle }

    /// Takes the data of one ACL packet.
    ///
    /// - Parameter isContinuation: whether its Packet Boundary flag is 01; every other value begins a frame
    ///   (Core Vol 4, Part E, 5.4.2)
    public mutating func receive(_ fragment: Span<UInt8>, isContinuation: Bool) -> Outcome {
        var outcome = Outcome()
        if isContinuation { append(fragment, &outcome) } else { begin(fragment, &outcome) }
        return outcome
    }

    /// Forgets the frame under way, as the end of the connection does, and tells what was lost.
    @discardableResult
    public mutating func reset() -> Fault? {
        defer { state = .idle }
        guard case .collecting(let octets) = state else { return nil }
        return .abandoned(received: octets.count, expected: Self.expectedCount(octets.span))
    }

    private mutating func begin(_ fragment: Span<UInt8>, _ outcome: inout Outcome) {
        if let lost = reset() { outcome.faults.append(lost) }
        // Nearly every frame comes whole: then its payload is copied once.
        if let expected = Self.expectedCount(fragment), expected == fragment.count,
            expected - BasicFrame.headerCount <= limit
        {
            outcome.frame = Self.frame(fragment)
        } else {
            collect([UInt8](fragment), &outcome)
        }
    }

    private mutating func append(_ fragment: Span<UInt8>, _ outcome: inout Outcome) {
        switch state {
        case .idle:
            outcome.faults.append(.strayContinuation(octets: fragment.count))
        case .passingOver(let remaining):
            state = fragment.count < remaining ? .passingOver(remaining: remaining - fragment.count) : .idle
        case .collecting(var octets):
            state = .idle  // Leaves one owner of the octets, so that they grow in place.
            for index in fragment.indices { octets.append(fragment[index]) }
            collect(octets, &outcome)
        }
    }

    /// Goes on from `octets`, all of the frame that has come so far.
    private mutating func collect(_ octets: [UInt8], _ outcome: inout Outcome) {
        guard let expected = Self.expectedCount(octets.span) else {
            state = .collecting(octets)
            return
        }
        let declared = expected - BasicFrame.headerCount
        if declared > limit {
            outcome.faults.append(.tooLong(payload: declared, limit: limit))
            state = octets.count < expected ? .passingOver(remaining: expected - octets.count) : .idle
        } else if octets.count < expected {
            state = .collecting(octets)
        } else if octets.count == expected {
            outcome.frame = Self.frame(octets.span)
        } else {
            outcome.faults.append(.overrun(received: octets.count, expected: expected))
        }
    }

    /// Reads a frame that is whole.
    private static func frame(_ octets: Span<UInt8>) -> BasicFrame {
        let channel = ChannelID(rawValue: UInt16(octets[2]) | UInt16(octets[3]) << 8)
        return BasicFrame(channel: channel, payload: [UInt8](octets.extracting(BasicFrame.headerCount..<octets.count)))
    }

    /// The frame's octets, header included, as its first two tell; `nil` before these are there.
    private static func expectedCount(_ octets: Span<UInt8>) -> Int? {
        guard octets.count >= 2 else { return nil }
        return BasicFrame.headerCount + Int(octets[0]) + Int(octets[1]) << 8
    }
}
