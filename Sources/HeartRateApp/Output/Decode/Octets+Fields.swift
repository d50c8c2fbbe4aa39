import Wire

extension [UInt8] {
    /// Appends fields as an indented tree, a line each.
    mutating func append(_ fields: [DescribedField], depth: Int) {
        for field in fields {
            append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
            append(field.name)
            if !field.text.isEmpty {
                append(": " as StaticString)
                append(printable: field.text)
            }
            append(UInt8(ascii: "\n"))
            append(field.children, depth: depth + 1)
        }
    }
}
