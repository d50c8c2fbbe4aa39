// What a controller does with sound.

public import Wire

/// How sound is coded between host and controller, and on air (Core Vol 4, Part E, 6.12).
public struct VoiceSetting: AssignedNumber {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public var name: String? { nil }

    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        writer.begin(field)
        writer.beginValue()
        appendHexadecimal(to: &writer.octets)
        writer.endValue()
        writer.openFields()
        writer.field("Input Coding") { $0.octets.append(Self.name(rawValue >> 8 & 3, ["Linear", "u-law", "A-law"])) }
        writer.field("Input Data Format") {
            $0.octets.append(
                Self.name(rawValue >> 6 & 3, ["1's complement", "2's complement", "sign and magnitude", "unsigned"]))
        }
        writer.field("Input Sample Size") { $0.octets.append(rawValue >> 5 & 1 == 0 ? "8 bits" : "16 bits") }
        writer.field("Linear PCM Bit Position") { $0.octets.append(decimal: rawValue >> 2 & 7) }
        writer.field("Air Coding Format") {
            $0.octets.append(Self.name(rawValue & 3, ["CVSD", "u-law", "A-law", "transparent data"]))
        }
        writer.closeFields()
        writer.end()
    }

    private static func name(_ number: UInt16, _ names: [String]) -> String {
        names.indices.contains(Int(number)) ? names[Int(number)] : "reserved"
    }
}

/// A way of coding sound (Assigned Numbers, 2.11).
public struct CodingFormat: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        if rawValue == 0xFF { return "Vendor specific" }
        return Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : nil
    }

    private static let names = [
        "u-law log", "A-law log", "CVSD", "Transparent", "Linear PCM", "mSBC", "LC3", "G.729A",
    ]
}

/// How sound is coded (Core Vol 4, Part E, 7.3.28).
public struct WriteVoiceSetting: Command {
    public static let opcode = Opcode(rawValue: 0x0C26)

    public var setting = VoiceSetting(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Voice_Setting", &setting)
    }
}

/// How the controller can code sound (Core Vol 4, Part E, 7.4.8).
public struct ReadLocalSupportedCodecs: Command {
    public static let opcode = Opcode(rawValue: 0x100B)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var standard: [Standard] = []
        public var vendors: [Vendor] = []

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            var count = UInt8(clamping: standard.count)
            try pass.uint8("Num_Supported_Standard_Codecs", &count)
            try pass.list("Standard_Codec", &standard, count: Int(count))
            count = UInt8(clamping: vendors.count)
            try pass.uint8("Num_Supported_Vendor_Specific_Codecs", &count)
            try pass.list("Vendor_Specific_Codec", &vendors, count: Int(count))
        }
    }

    /// A codec of the assigned numbers.
    public struct Standard: Fielded, Hashable {
        public var format = CodingFormat(rawValue: 0)

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Codec", &format)
        }
    }

    /// A company's own codec.
    public struct Vendor: Fielded, Hashable {
        public var company: UInt16 = 0
        public var codec: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.company("Company_Identifier", &company)
            try pass.uint16("Codec", &codec)
        }
    }
}
