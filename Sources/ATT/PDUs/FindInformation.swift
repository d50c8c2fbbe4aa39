public import Wire

/// Asks for the types of all attributes in a range (Core Vol 3, Part F, 3.4.3.1).
public struct FindInformationRequest: PDU {
    public static let opcode = Opcode.findInformationRequest

    public var range = HandleRange(.none, .none)

    public init() {}

    public init(_ range: HandleRange) { self.range = range }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.range(&range)
    }
}

/// Handles and types of attributes, all types of one width (Core Vol 3, Part F, 3.4.3.2).
public struct FindInformationResponse: PDU {
    public static let opcode = Opcode.findInformationResponse

    /// 0x01: 16-bit UUIDs; 0x02: 128-bit UUIDs.
    public var format: UInt8 = 0
    /// Pairs of handle and UUID; `entries` reads them.
    public var informationData: [UInt8] = []

    public init() {}

    public init(format: UInt8, informationData: [UInt8]) {
        self.format = format
        self.informationData = informationData
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Format", &format)
        try pass.rest("Information Data", &informationData)
    }

    /// An attribute's handle and type.
    public struct Entry: Hashable, Sendable {
        public var handle: Handle
        public var type: BluetoothUUID

        public init(handle: Handle, type: BluetoothUUID) {
            self.handle = handle
            self.type = type
        }
    }

    /// The whole pairs, in the order sent. Fails for an unknown format and where there is not one whole pair.
    public func entries() throws(WireError) -> [Entry] {
        let width: Int
        switch format {
        case 0x01: width = 4
        case 0x02: width = 18
        default: throw .invalid(field: "Format", at: 1, reason: "0x\(format.paddedHexadecimal) is neither 1 nor 2")
        }
        return try EntryList(informationData, width: width, at: 2, name: "Information Data").map { entry in
            guard let handle = Handle(littleEndian: entry),
                let type = BluetoothUUID(littleEndian: entry.extracting(droppingFirst: 2))
            else { return nil }
            return Entry(handle: handle, type: type)
        }
    }
}
