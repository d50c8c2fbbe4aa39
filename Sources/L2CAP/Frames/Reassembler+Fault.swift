extension Reassembler {
    /// Why octets were dropped. All counts are octets.
    public enum Fault: Hashable, Sendable {
        /// A continuation fragment while no frame was under way.
        case strayContinuation(octets: Int)
        /// The frame's rest never came: another began, or the connection ended. Counts include the header; `expected`
        /// is `nil` where the length itself had not come.
        case abandoned(received: Int, expected: Int?)
        /// More came than the frame's header declares. Counts include the header.
        case overrun(received: Int, expected: Int)
        /// The header declares a longer payload than is taken.
        case tooLong(payload: Int, limit: Int)
    }
}

extension Reassembler.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .strayContinuation(let octets):
            "continuation of \(octets) octets without a start"
        case .abandoned(let received, let expected?):
            "abandoned after \(received) of \(expected) octets"
        case .abandoned(let received, nil):
            "abandoned after \(received) octets, within the length"
        case .overrun(let received, let expected):
            "\(received) octets in a frame of \(expected)"
        case .tooLong(let payload, let limit):
            "payload of \(payload) octets is longer than \(limit)"
        }
    }
}
