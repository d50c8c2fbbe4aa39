import ATT
import Capture
import Dissection
import HCI
import Wire

// The options that say which records `decode` prints.

extension Decode {
    static let address = Option(
        "address", value: "ADDRESS",
        help: "only what is about this device: its links, its advertisements,\ncommands and events that name it")
    static let handle = Option("handle", value: "HANDLE", help: "only what is about this connection, as 0x0040 or 64")
    static let attribute = Option(
        "att", value: "PDU|ATTRIBUTE",
        help:
            "only these ATT PDUs: 'any'; words of a PDU's name, as\nnotification or 'read request'; an opcode, as 0x1B; an\nattribute's handle, as 0x0012, or type, as 2A37"
    )
    static let type = Option(
        "type", value: "TYPE", help: "only records of this type: command, event, acl, sco, iso,\nnote or other")
    static let from = Option(
        "from", value: "TIME",
        help: "only from this time on: seconds after the first record,\nor 2026-05-01T12:00:00Z or a part of it")
    static let to = Option("to", value: "TIME", help: "only up to this time")

    static let filterOptions = [address, handle, attribute, type, from, to]
}

extension ParsedArguments {
    /// Which records are wanted.
    func recordFilter() throws(UsageError) -> RecordFilter {
        var filter = RecordFilter()
        for text in texts(Decode.address) { filter.addresses.insert(try deviceAddress(text)) }
        for text in texts(Decode.handle) { filter.handles.insert(try connectionHandle(text)) }
        for text in texts(Decode.attribute) { filter.attributes.formUnion(try attributeSelectors(text)) }
        for text in texts(Decode.type) { filter.kinds.insert(try recordClass(text)) }
        filter.start = try bound(Decode.from)
        filter.end = try bound(Decode.to)
        if let start = filter.start, let end = filter.end, end.isBefore(start) {
            throw wrong(Decode.to, text(Decode.to) ?? "", "a time that is not before that of --from")
        }
        return filter
    }

    private func deviceAddress(_ text: String) throws(UsageError) -> Address {
        if let address = Address(text) { return address }
        let digits = text.filter(\.isHexDigit)
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        let nearest = digits.count == 12 ? pairs.joined(separator: ":").uppercased() : "F0:F1:F2:F3:F4:01"
        throw wrong(
            Decode.address, text, "an address, six pairs of hexadecimal digits with colons between", nearest: nearest)
    }

    private func connectionHandle(_ text: String) throws(UsageError) -> ConnectionHandle {
        let limit: UInt16 = 0x0EFF
        if let number = number(text), number <= limit { return ConnectionHandle(rawValue: number) }
        let nearest = UInt16(text, radix: 16).flatMap { $0 <= limit ? "0x" + $0.paddedHexadecimal : nil }
        throw wrong(Decode.handle, text, "a connection handle from 0x0000 to 0x0EFF", nearest: nearest ?? "0x0040")
    }

    private func attributeSelectors(_ text: String) throws(UsageError) -> [AttributeSelector] {
        if text.lowercased() == "any" { return [.any] }
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : nil
        if let digits, digits.utf8.count == 2, let opcode = UInt8(digits, radix: 16) {
            return [.opcode(Opcode(rawValue: opcode))]
        }
        if let digits, digits.utf8.count == 4, let handle = UInt16(digits, radix: 16) {
            // Whoever writes a type like this finds it as well: no handle is as high as the types begin.
            return [.handle(Handle(handle)), .type(BluetoothUUID(handle))]
        }
        if digits == nil, let type = BluetoothUUID(text) { return [.type(type)] }
        let opcodes = AttributeSelector.opcodes(named: text)
        if !opcodes.isEmpty { return opcodes.map(AttributeSelector.opcode) }
        throw wrong(
            Decode.attribute, text,
            "'any', words of a PDU's name, an opcode as 0x1B, or an attribute's handle as 0x0012 or type as 2A37",
            nearest: nearestSelector(text))
    }

    /// What somebody may have meant: a number in another form, else a word.
    private func nearestSelector(_ text: String) -> String? {
        if let number = number(text) { return "0x" + number.paddedHexadecimal }
        return (AttributeSelector.words + ["any"]).nearest(to: text.lowercased())
    }

    private func recordClass(_ text: String) throws(UsageError) -> RecordClass {
        if let kind = RecordClass.allCases.first(where: { $0.word == text }) { return kind }
        let words = RecordClass.allCases.map(\.word)
        throw wrong(
            Decode.type, text, words.dropLast().joined(separator: ", ") + " or other",
            nearest: words.nearest(to: text.lowercased()))
    }

    private func bound(_ option: Option) throws(UsageError) -> RecordFilter.Bound? {
        guard let text = text(option) else { return nil }
        if let time = Timestamp(text) { return .at(time) }
        // Ten thousand years: what a capture can tell, and no more than a duration holds.
        if let seconds = Double(text), (0...315_576_000_000).contains(seconds) { return .after(.seconds(seconds)) }
        throw wrong(
            option, text, "seconds after the first record, as 12.5, or a time", nearest: "2026-05-01T12:00:00Z")
    }

    /// A number with `0x` before hexadecimal digits, or in decimal.
    private func number(_ text: String) -> UInt16? {
        text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    }
}

extension RecordFilter.Bound {
    /// Whether it is earlier, as far as that can be told before the capture is read.
    fileprivate func isBefore(_ other: RecordFilter.Bound) -> Bool {
        switch (self, other) {
        case (.at(let mine), .at(let its)): mine < its
        case (.after(let mine), .after(let its)): mine < its
        case (.at, .after), (.after, .at): false
        }
    }
}

extension RecordClass {
    /// The word for it on the command line and in JSON.
    var word: String {
        switch self {
        case .command: "command"
        case .event: "event"
        case .acl: "acl"
        case .sco: "sco"
        case .iso: "iso"
        case .note: "note"
        case .other: "other"
        }
    }
}
