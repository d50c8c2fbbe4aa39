import Wire

/// Entries of one width, as ATT's list responses carry them.
///
/// Octets behind the last whole entry are passed over: the client asks again for what follows the last entry it got.
struct EntryList {
    private let octets: [UInt8]
    private let width: Int

    /// - Parameters:
    ///   - at: where in the PDU the list begins, for errors
    ///   - name: the list's name in the specification
    init(_ octets: [UInt8], width: Int, at offset: Int, name: StaticString) throws(WireError) {
        guard octets.count >= width else {
            throw .truncated(field: name.description, at: offset, needed: width, remaining: octets.count)
        }
        self.octets = octets
        self.width = width
    }

    /// What `transform` makes of each entry; `nil` leaves the entry out.
    func map<Element>(_ transform: (Span<UInt8>) -> Element?) -> [Element] {
        let span = octets.span
        var elements: [Element] = []
        elements.reserveCapacity(octets.count / width)
        for start in stride(from: 0, through: octets.count - width, by: width) {
            if let element = transform(span.extracting(start..<start + width)) { elements.append(element) }
        }
        return elements
    }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    /// A starting and an ending handle.
    @_lifetime(self: copy self)
    mutating func range(_ range: inout HandleRange) throws(WireError) {
        try number("Starting Handle", &range.first)
        try number("Ending Handle", &range.last)
    }
}
