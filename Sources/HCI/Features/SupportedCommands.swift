import Wire

/// The commands that a controller says it knows, one bit each in 64 octets (Core Vol 4, Part E, 6.27).
public struct SupportedCommands: Hashable, Sendable {
    /// The bits as on the wire.
    public var octets: [UInt8]

    /// How many octets there are.
    public static let count = 64

    /// None.
    public init() { octets = Array(repeating: 0, count: Self.count) }

    /// These; one without a bit in the table is left out.
    public init(_ opcodes: [Opcode]) {
        self.init()
        for opcode in opcodes {
            guard let place = Self.places[opcode.rawValue] else { continue }
            octets[place.octet] |= 1 << place.bit
        }
    }

    /// Whether the controller says that it knows the command; false for one that has no bit in the table.
    public func contains(_ opcode: Opcode) -> Bool {
        guard let place = Self.places[opcode.rawValue], place.octet < octets.count else { return false }
        return octets[place.octet] >> place.bit & 1 == 1
    }

    /// Whether the controller says that it knows the command.
    public func contains<Sent: Command>(_ command: Sent.Type) -> Bool { contains(command.opcode) }

    /// The commands of the table that the controller says it knows, by opcode.
    public var opcodes: [Opcode] {
        Self.places.keys.sorted().map(Opcode.init(rawValue:)).filter(contains)
    }

    private static let places: [UInt16: (octet: Int, bit: Int)] = {
        var places: [UInt16: (octet: Int, bit: Int)] = [:]
        for (octet, opcodes) in table {
            for (bit, opcode) in opcodes.enumerated() where opcode != 0 { places[opcode] = (octet, bit) }
        }
        return places
    }()

    /// The octets that concern a central, each from bit 0 up; 0 where no command that matters here has the bit.
    private static let table: [(octet: Int, opcodes: [UInt16])] = [
        (0, [0, 0, 0, 0, 0, 0x0406, 0, 0]),
        (2, [0, 0, 0, 0, 0, 0, 0, 0x041D]),
        (5, [0, 0, 0, 0, 0, 0, 0x0C01, 0x0C03]),
        (10, [0, 0, 0x0C2D, 0, 0, 0x0C31, 0x0C33, 0x0C35]),
        (14, [0, 0, 0, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005]),
        (15, [0, 0x1009, 0, 0, 0, 0x1405, 0, 0]),
        (20, [0, 0, 0, 0, 0x1408, 0, 0, 0]),
        (22, [0, 0, 0x0C63, 0, 0, 0, 0, 0]),
        (24, [0, 0, 0, 0, 0, 0x0C6C, 0x0C6D, 0]),
        (25, [0x2001, 0x2002, 0x2003, 0, 0x2005, 0x2006, 0x2007, 0x2008]),
        (26, [0x2009, 0x200A, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2010]),
        (27, [0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2016, 0x2017, 0x2018]),
        (28, [0x2019, 0x201A, 0x201B, 0x201C, 0x201D, 0x201E, 0x201F, 0]),
        (32, [0, 0, 0, 0, 0x0C7B, 0x0C7C, 0, 0]),
        (33, [0, 0, 0, 0, 0x2020, 0x2021, 0x2022, 0x2023]),
        (34, [0x2024, 0x2025, 0x2026, 0x2027, 0x2028, 0x2029, 0x202A, 0x202B]),
        (35, [0x202C, 0x202D, 0x202E, 0x202F, 0x2030, 0x2031, 0x2032, 0x2033]),
        (36, [0x2034, 0x2035, 0x2036, 0x2037, 0x2038, 0x2039, 0x203A, 0x203B]),
        (37, [0x203C, 0x203D, 0x203E, 0x203F, 0x2040, 0x2041, 0x2042, 0x2043]),
        (38, [0x2044, 0x2045, 0x2046, 0x2047, 0x2048, 0x2049, 0x204A, 0x204B]),
        (39, [0x204C, 0x204D, 0x204E, 0, 0, 0, 0, 0]),
        (41, [0, 0, 0, 0, 0, 0x2060, 0, 0]),
    ]
}
