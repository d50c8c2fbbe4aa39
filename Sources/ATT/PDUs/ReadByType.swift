public import Wire

/// Asks for the values of all attributes of a type in a range (Core Vol 3, Part F, 3.4.4.1).
public struct ReadByTypeRequest: PDU {
    public static let opcode = Opcode.readByTypeRequest

    public var range = HandleRange(.none, .none)
    public var attributeType: BluetoothUUID = 0

    public init() {}

    public init(_ range: HandleRange, type: BluetoothUUID) {
        self.range = range
        attributeType = type
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.range(&range)
        try pass.uuid("Attribute Type", &attributeType, octets: nil)
    }
}

/// Handles and values, all values of one length (Core Vol 3, Part F, 3.4.4.2).
public struct ReadByTypeResponse: PDU {
    public static let opcode = Opcode.readByTypeResponse

    /// Octets of each entry: the handle's two and the value's.
    public var length: UInt8 = 0
    /// Pairs of handle and value; `entries` reads them.
    public var attributeData: [UInt8] = []

    public init() {}

    public init(length: UInt8, attributeData: [UInt8]) {
        self.length = length
        self.attributeData = attributeData
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Length", &length)
        try pass.rest("Attribute Data List", &attributeData)
    }

    /// An attribute's handle and the value's first octets.
    public struct Entry: Hashable, Sendable {
        public var handle: Handle
        /// At most 253 octets: a longer value is cut by the server.
        public var value: [UInt8]

        public init(handle: Handle, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    /// The whole entries, in the order sent. Fails for a length below 2 and where there is not one whole entry.
    public func entries() throws(WireError) -> [Entry] {
        let width = Int(length)
        guard width >= 2 else {
            throw .invalid(field: "Length", at: 1, reason: "\(width) octets cannot hold a handle")
        }
        return try EntryList(attributeData, width: width, at: 2, name: "Attribute Data List").map { entry in
            Handle(littleEndian: entry).map { Entry(handle: $0, value: [UInt8](entry.extracting(droppingFirst: 2))) }
        }
    }
}
