import Wire

/// Writes JSON (RFC 8259) to a buffer of octets, without making texts of its parts. Whoever calls keeps begins and ends in pairs.
struct JSONWriter {
    private(set) var octets: [UInt8] = []
    private var needsComma = false

    init() {}

    /// Takes over a buffer, to append to it; see `append(to:_:)`.
    private init(appendingTo octets: [UInt8]) { self.octets = octets }

    /// Appends what `body` writes to `buffer`, in place.
    static func append(to buffer: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(appendingTo: buffer)
        // The writer holds the only reference from here on, so that nothing is copied.
        buffer = []
        body(&writer)
        buffer = writer.octets
    }

    /// Appends one object and the end of the line to `buffer`.
    static func line(to buffer: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        append(to: &buffer) { writer in
            writer.object { body(&$0) }
            writer.octets.append(UInt8(ascii: "\n"))
        }
    }

    // MARK: Structure

    mutating func object(_ body: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        body(&self)
        end(UInt8(ascii: "}"))
    }

    mutating func array(_ body: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "["))
        body(&self)
        end(UInt8(ascii: "]"))
    }

    /// A key of an object; its value follows. Keys are this program's own words, in need of no escape.
    mutating func key(_ name: StaticString) {
        octets.append(key: name, after: needsComma)
        needsComma = false
    }

    /// A key that comes from elsewhere.
    mutating func key(text name: String) {
        string(name)
        octets.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        octets.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        octets.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { octets.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// What `body` appends: whole elements of an array, with commas between.
    mutating func append(_ body: (inout [UInt8]) -> Void) { body(&octets) }

    // MARK: Values

    mutating func integer(_ value: some BinaryInteger) {
        separate()
        octets.append(decimal: Int64(clamping: value))
    }

    mutating func bool(_ value: Bool) {
        separate()
        octets.append(contentsOf: value ? Self.yes : Self.no)
    }

    /// A number given in thousandths, with one to three digits behind the point: 48.75, 750.0.
    mutating func thousandths(_ value: Int) {
        separate()
        octets.append(thousandths: value)
    }

    /// Text, with what JSON does not allow in it escaped, and what a terminal that shows it would obey.
    mutating func string(_ text: String) {
        separate()
        octets.append(UInt8(ascii: "\""))
        octets.append(escaped: text)
        octets.append(UInt8(ascii: "\""))
    }

    /// A UUID, short where it has a short form.
    mutating func uuid(_ uuid: BluetoothUUID) {
        separate()
        octets.append(UInt8(ascii: "\""))
        uuid.append(to: &octets)
        octets.append(UInt8(ascii: "\""))
    }

    /// Text that somebody sent: octets that are no UTF-8 become U+FFFD.
    mutating func string(utf8 text: [UInt8]) { string(String(decoding: text, as: UTF8.self)) }

    /// Octets as lower-case hexadecimal text.
    mutating func hexadecimal(_ value: some Collection<UInt8>) {
        separate()
        octets.append(UInt8(ascii: "\""))
        octets.append(lowerHexadecimal: value)
        octets.append(UInt8(ascii: "\""))
    }

    /// An address, upper-case with colons.
    mutating func address(_ address: Address) {
        separate()
        octets.append(UInt8(ascii: "\""))
        address.append(to: &octets)
        octets.append(UInt8(ascii: "\""))
    }

    mutating func timestamp(_ timestamp: Timestamp) {
        separate()
        octets.append(UInt8(ascii: "\""))
        timestamp.withinFourDigits.append(to: &octets)
        octets.append(UInt8(ascii: "\""))
    }

    /// One of this program's own words, in need of no escape.
    mutating func string(_ word: StaticString) {
        separate()
        octets.append(UInt8(ascii: "\""))
        octets.append(word)
        octets.append(UInt8(ascii: "\""))
    }

    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)
}

/// A key with its value.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func member(_ name: StaticString, _ value: Timestamp) {
        key(name)
        timestamp(value)
    }

    mutating func member(_ name: StaticString, _ value: Address) {
        key(name)
        address(value)
    }
}

extension Timestamp {
    /// The time, or the nearest one that RFC 3339 can write: its years have four digits.
    var withinFourDigits: Timestamp {
        let first: Int64 = -62_167_219_200_000_000
        let last: Int64 = 253_402_300_799_999_999
        return Timestamp(microseconds: min(max(microseconds, first), last))
    }
}
