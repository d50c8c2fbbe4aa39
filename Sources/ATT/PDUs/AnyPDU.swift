import Wire

/// A PDU in either direction, as a capture shows it: opcode, the one handle that leads it, and where its value
/// stands.
///
/// Total: only no octets at all are no PDU. One that is too short for its handle has none, and all behind its opcode
/// is value.
public struct AnyPDU: Hashable, Sendable {
    public let opcode: Opcode
    /// The handle after the opcode, in PDUs that begin with exactly one (0A 0C 12 16 17 1B 1D 52 D2).
    public let handle: Handle?
    /// The handle that an Error Response names. It stands behind another field, so it is part of the value, too.
    public let handleInError: Handle?
    /// Octets before the value: the opcode and `handle`.
    public let valueOffset: Int

    public init?(_ octets: Span<UInt8>) {
        guard octets.count > 0 else { return nil }
        let opcode = Opcode(octets[0])
        self.opcode = opcode
        handle = opcode.leadsWithHandle ? Handle(littleEndian: octets, at: 1) : nil
        handleInError = opcode == .errorResponse ? Handle(littleEndian: octets, at: 2) : nil
        valueOffset = handle == nil ? 1 : 3
    }

    public init?(_ octets: [UInt8]) { self.init(octets.span) }

    /// What stands behind the opcode and the leading handle of these octets, from which the PDU was made.
    public func value(of octets: Span<UInt8>) -> [UInt8] {
        [UInt8](octets.extracting(droppingFirst: min(valueOffset, octets.count)))
    }

    /// The value within the PDU's octets.
    public func value(of octets: [UInt8]) -> [UInt8] { value(of: octets.span) }
}
