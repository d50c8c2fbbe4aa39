public import Wire

/// One kind of PDU: what follows its opcode (Core Vol 3, Part F, 3.4).
public protocol PDU: Fielded, Hashable {
    /// The octet before the fields.
    static var opcode: Opcode { get }
}

extension PDU {
    /// The whole PDU as on the wire, its opcode first.
    public var octets: [UInt8] { [Self.opcode.rawValue] + encoded }
}

extension WireError {
    /// The same error for octets that stand `count` further behind.
    func shifted(by count: Int) -> WireError {
        switch self {
        case .truncated(let field, let at, let needed, let remaining):
            .truncated(field: field, at: at + count, needed: needed, remaining: remaining)
        case .invalid(let field, let at, let reason):
            .invalid(field: field, at: at + count, reason: reason)
        }
    }
}

extension Span<UInt8> {
    /// The opcode with which a PDU begins.
    func attributeOpcode() throws(WireError) -> Opcode {
        guard count > 0 else {
            throw .truncated(field: "Attribute Opcode", at: 0, needed: 1, remaining: 0)
        }
        return Opcode(self[0])
    }

    /// Reads the fields behind an opcode. Offsets in errors count from the opcode.
    func parameters<Parameters: PDU>(_ trailing: inout Int) throws(WireError) -> Parameters {
        do {
            return try Parameters(decoding: self, trailing: &trailing)
        } catch {
            throw error.shifted(by: 1)
        }
    }
}
