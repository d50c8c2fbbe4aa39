/// Handles from `first` to `last`, both included. A range whose end lies before its start holds none.
public struct HandleRange: Hashable, Sendable {
    /// The least handle.
    public var first: Handle
    /// The greatest handle, itself included.
    public var last: Handle

    public init(_ first: Handle, _ last: Handle) {
        self.first = first
        self.last = last
    }

    /// Reads two handles at an offset, the first one first; `nil` where the octets end before.
    public init?(littleEndian octets: Span<UInt8>, at offset: Int = 0) {
        guard let first = Handle(littleEndian: octets, at: offset),
            let last = Handle(littleEndian: octets, at: offset + 2)
        else { return nil }
        self.init(first, last)
    }

    /// Every handle that an attribute can have.
    public static let all = HandleRange(.first, .last)

    /// Whether the range holds no handle.
    public var isEmpty: Bool { last < first }

    /// Whether the handle lies in the range.
    public func contains(_ handle: Handle) -> Bool { first <= handle && handle <= last }

    /// What of the range lies behind `handle`; `nil` where nothing does.
    public func after(_ handle: Handle) -> HandleRange? {
        guard let next = handle.next else { return nil }
        let rest = HandleRange(max(first, next), last)
        return rest.isEmpty ? nil : rest
    }
}

extension HandleRange: CustomStringConvertible {
    public var description: String { "\(first)–\(last)" }
}
