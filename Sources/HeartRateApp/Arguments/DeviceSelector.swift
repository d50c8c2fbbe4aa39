import Wire

/// Which device a command means: the operand ADDRESS.
enum DeviceSelector: Hashable, Sendable {
    case address(Address)
    case name(String)
    /// The first heart-rate strap that is heard.
    case any

    /// Reads the operand. Text that looks like an address and is none is refused: it is a slip, not a name.
    init(_ text: String, command: String) throws(UsageError) {
        if let address = Address(text) {
            self = .address(address)
        } else if text == "any" {
            self = .any
        } else if Self.looksLikeAddress(text) {
            throw UsageError(
                "'\(text)' is no address: ADDRESS is six pairs of hexadecimal digits with colons between, "
                    + "as F0:F1:F2:F3:F4:01, or a name, or 'any'", command: command)
        } else {
            self = .name(text)
        }
    }

    /// Words joined by colons; or nothing but hexadecimal digits and separators, as many as an address has, give or take one pair.
    /// White space around them, as is left over from pasting, does not make a name of them.
    private static func looksLikeAddress(_ operand: String) -> Bool {
        let start = operand.drop { $0.isWhitespace }
        let text = start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)
        if text.isEmpty { return true }
        if text.contains(":"), !text.contains(" ") { return true }
        let digits = text.filter(\.isHexDigit).count
        return (10...14).contains(digits) && text.allSatisfy { $0.isHexDigit || "-_.".contains($0) }
    }
}
