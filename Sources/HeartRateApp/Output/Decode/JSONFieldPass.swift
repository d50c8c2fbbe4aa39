import Wire

/// Writes the fields of a packet as members of a JSON object, under the specification's names in lower case: `Interval Min`
/// becomes `interval_min`. Numbers stay numbers; octets are hexadecimal text.
struct JSONFieldPass: FieldPass {
    private(set) var json: JSONWriter

    init(_ json: JSONWriter) { self.json = json }

    mutating func uint8(_ name: StaticString, _ value: inout UInt8) { integer(name, value) }
    mutating func int8(_ name: StaticString, _ value: inout Int8) { integer(name, value) }
    mutating func uint16(_ name: StaticString, _ value: inout UInt16) { integer(name, value) }
    mutating func uint24(_ name: StaticString, _ value: inout UInt32) { integer(name, value) }
    mutating func uint32(_ name: StaticString, _ value: inout UInt32) { integer(name, value) }
    /// Text: what reads JSON keeps no more than 53 bits of a number.
    mutating func uint64(_ name: StaticString, _ value: inout UInt64) {
        key(name)
        json.string(value.paddedHexadecimal)
    }

    mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        integer(name, value.rawValue)
    }

    mutating func address(_ name: StaticString, _ value: inout Address) {
        key(name)
        json.address(value)
    }

    mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) {
        key(name)
        json.uuid(value)
    }

    mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        key(name)
        json.hexadecimal(value)
    }

    mutating func rest(_ name: StaticString, _ value: inout [UInt8]) {
        guard !value.isEmpty else { return }
        key(name)
        json.hexadecimal(value)
    }

    mutating func list<Element: Fielded>(_ name: StaticString, _ value: inout [Element], count: Int) {
        key(name)
        json.array { json in
            for element in value { json.object { $0.members(of: element) } }
        }
    }

    mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) {
        list(name, &value, count: value.count)
    }

    private mutating func integer(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        json.integer(value)
    }

    private mutating func key(_ name: StaticString) {
        json.key(text: String("\(name)".lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 }))
    }
}

extension JSONWriter {
    /// The fields of a packet.
    mutating func members(of packet: some Fielded) {
        var packet = packet
        // The pass holds the only reference to what is written, so that nothing is copied.
        var pass = JSONFieldPass(self)
        self = JSONWriter()
        // The pass itself cannot fail; a packet that was decoded finds nothing wrong with its own fields.
        try? packet.fields(&pass)
        self = pass.json
    }
}
