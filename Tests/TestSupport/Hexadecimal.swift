import Wire

/// The octets that `text` spells in hexadecimal; white space is passed over. For literals in tests: nonsense gives no octets.
public func octets(_ text: String) -> [UInt8] {
    [UInt8](hexadecimal: text.filter { !$0.isWhitespace }) ?? []
}
