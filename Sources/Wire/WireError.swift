/// Why octets could not be read as the packet they should be.
public enum WireError: Error, Hashable, Sendable {
    /// The octets end before the field does.
    ///
    /// - Parameters:
    ///   - field: the field's name in the specification
    ///   - at: offset in octets from the start of what was decoded
    ///   - needed: octets the field takes
    ///   - remaining: octets that were left
    case truncated(field: String, at: Int, needed: Int, remaining: Int)

    /// The octets are there and mean nothing that the specification allows.
    case invalid(field: String, at: Int, reason: String)
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let field, let at, let needed, let remaining):
            "\(field) at offset \(at) needs \(needed) octets, \(remaining) remain"
        case .invalid(let field, let at, let reason):
            "\(field) at offset \(at): \(reason)"
        }
    }
}
