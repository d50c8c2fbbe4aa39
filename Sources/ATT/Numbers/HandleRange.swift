/// Handles from `first` to `last`, both included. A range whose end lies before its start holds none.
public struct HandleRange: Hashable, Sendable {
    public var first: Handle
    public var last: Handle

    public init(_ first: Handle, _ last: Handle) {
        self.first = first
        self.last = last
    }

    /// Every handle that an attribute can have.
    public static let all = HandleRange(.first, .last)

    public var isEmpty: Bool { last < first }

    public func contains(_ handle: Handle) -> Bool { first <= handle && handle <= last }

    /// What of the range lies behind `handle`; `nil` where nothing does.
    public func after(_ handle: Handle) -> HandleRange? {
        guard let next = handle.next, next <= last else { return nil }
        return HandleRange(max(first, next), last)
    }
}

extension HandleRange: CustomStringConvertible {
    public var description: String { "\(first)–\(last)" }
}
