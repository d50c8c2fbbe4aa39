public import ATT
public import Wire

/// Which ATT PDUs are wanted.
public enum AttributeSelector: Hashable, Sendable {
    /// All of them.
    case any
    /// Those with an opcode.
    case opcode(Opcode)
    /// Those about the attribute with a handle: also a response to a request that named it, and an error about it.
    case handle(Handle)
    /// Those about attributes of a type, or asking for them; also about the descriptors that configure a characteristic of it.
    case type(BluetoothUUID)

    func selects(_ dissected: Dissected) -> Bool {
        guard let attribute = dissected.attribute else { return false }
        switch self {
        case .any: return true
        case .opcode(let opcode): return attribute.opcode == opcode
        case .handle(let handle): return attribute.handle == handle || attribute.requested == handle
        case .type(let type): return attribute.attributeType == type || attribute.configured == type
        }
    }

    /// The opcodes whose names have all these words, whatever their case: `notification`, `read response`, `write-command`.
    /// Empty where no name has them.
    public static func opcodes(named text: String) -> [Opcode] {
        let wanted = words(of: text)
        guard !wanted.isEmpty else { return [] }
        return named.filter { wanted.isSubset(of: words(of: $0.description)) }
    }

    /// The words that `opcodes(named:)` knows, sorted.
    public static var words: [String] { Set(named.flatMap { words(of: $0.description) }).sorted() }

    private static var named: [Opcode] {
        (0...UInt8.max).map(Opcode.init(rawValue:)).filter { $0.name != nil }
    }

    private static func words(of name: String) -> Set<String> {
        Set(name.lowercased().split { " -_".contains($0) }.map(String.init))
    }
}
