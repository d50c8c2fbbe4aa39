import ATT
import GATT
import Wire

/// What `gatt` does with a peer's attributes.
enum AttributeAction: Hashable, Sendable {
    case show
    case read([Choice])
    case write(Choice, [UInt8], Manner)
    case subscribe(Choice)

    /// Which attribute: by its type, or by its handle.
    enum Choice: Hashable, Sendable {
        case uuid(BluetoothUUID)
        case handle(Handle)
    }

    /// How a value is written.
    enum Manner: String, Hashable, Sendable, CaseIterable {
        /// With the peer's answer; without where the characteristic offers nothing else.
        case asOffered = ""
        case withoutResponse = "without-response"
        case signed
        case reliable
    }

    /// When a subscription ends by itself.
    struct Limits: Hashable, Sendable {
        var count: Int?
        var duration: Duration?
    }

    /// Reads the operands behind the address.
    ///
    /// - Parameter manners: the ways of writing that options ask for
    init(_ operands: [String], manners: [Manner] = []) throws(UsageError) {
        if manners.count > 1 {
            let names = manners.map { "--\($0.rawValue)" }.joined(separator: " and ")
            throw UsageError("a value is written in one way, not in two: \(names)", command: "gatt")
        }
        if let manner = manners.first, operands.first != "write" {
            throw UsageError("--\(manner.rawValue) is for 'write'", command: "gatt")
        }
        guard let verb = operands.first else {
            self = .show
            return
        }
        let verbs = ["read", "write", "subscribe"]
        guard verbs.contains(verb) else {
            let nearest = verbs.nearest(to: verb).map { "; the nearest is '\($0)'" } ?? ""
            throw UsageError("'\(verb)' is nothing to do with an attribute\(nearest)", command: "gatt")
        }
        guard operands.count >= 2 else {
            throw UsageError("'\(verb)' needs an attribute: gatt ADDRESS \(verb) UUID|HANDLE", command: "gatt")
        }
        switch verb {
        case "write": self = try Self.writing(operands, manners.first ?? .asOffered)
        case "subscribe":
            guard operands.count == 2 else {
                throw UsageError("'\(operands[2])' is one operand too many for '\(verb)'", command: "gatt")
            }
            self = .subscribe(try Choice(operands[1]))
        default:
            var choices: [Choice] = []
            for operand in operands.dropFirst() { choices.append(try Choice(operand)) }
            self = .read(choices)
        }
    }

    private static func writing(_ operands: [String], _ manner: Manner) throws(UsageError) -> AttributeAction {
        guard operands.count == 3, let value = [UInt8](hexadecimal: operands[2]) else {
            throw UsageError(
                "'write' needs a value, two hexadecimal digits an octet: gatt ADDRESS write UUID|HANDLE HEX",
                command: "gatt")
        }
        guard value.count <= ReadValue.longestValue else {
            throw UsageError("\(value.count) octets are too many: no attribute has more than 512", command: "gatt")
        }
        return .write(try Choice(operands[1]), value, manner)
    }
}

extension AttributeAction.Choice {
    /// `2A37`, `0x0019`, `25`. Four and eight digits are a UUID: handles with so many begin with 0x.
    init(_ text: String) throws(UsageError) {
        if let handle = Self.handle(text, after: "0x", radix: 16) {
            self = .handle(handle)
        } else if let uuid = BluetoothUUID(text) {
            self = .uuid(uuid)
        } else if let handle = Self.handle(text, after: "", radix: 10) {
            self = .handle(handle)
        } else {
            throw UsageError(
                "'\(text)' is neither a UUID, as 2A37, nor a handle, as 0x0019 or 25", command: "gatt")
        }
    }

    private static func handle(_ text: String, after prefix: String, radix: Int) -> Handle? {
        let digits = text.dropFirst(prefix.count)
        // Swift's own reading takes a sign and any number of zeros.
        guard text.hasPrefix(prefix), digits.count <= 5, digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt16(digits, radix: radix).flatMap { $0 > 0 ? Handle($0) : nil }
    }

    var text: String {
        switch self {
        case .uuid(let uuid): "\(uuid)"
        case .handle(let handle): "at handle \(handle)"
        }
    }
}
