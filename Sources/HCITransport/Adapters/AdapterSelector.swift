public import Wire

/// Which Linux adapter is meant.
public enum AdapterSelector: Hashable, Sendable {
    /// The first one that can be used and carries no live connection.
    case firstUsable
    /// `hciN`.
    case index(UInt16)
    /// The one with this public address, whatever its index.
    case address(Address)
}

extension AdapterSelector: CustomStringConvertible {
    public var description: String {
        switch self {
        case .firstUsable: "the first usable adapter"
        case .index(let index): "hci\(index)"
        case .address(let address): "the adapter \(address)"
        }
    }
}

/// The program that holds an adapter.
public struct AdapterHolder: Hashable, Sendable {
    /// The program's name, as its process or its lock file says.
    public let program: String
    /// Its process number.
    public let process: Int32

    public init(program: String, process: Int32) {
        self.program = program
        self.process = process
    }
}
