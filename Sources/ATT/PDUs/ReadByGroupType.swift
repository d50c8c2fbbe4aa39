public import Wire

/// Asks for the values of all groups of a type in a range (Core Vol 3, Part F, 3.4.4.9).
public struct ReadByGroupTypeRequest: PDU {
    public static let opcode = Opcode.readByGroupTypeRequest

    public var range = HandleRange(.none, .none)
    public var groupType: BluetoothUUID = 0

    public init() {}

    public init(_ range: HandleRange, type: BluetoothUUID) {
        self.range = range
        groupType = type
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.range(&range)
        try pass.uuid("Attribute Group Type", &groupType, octets: nil)
    }
}

/// Groups and their values, all values of one length (Core Vol 3, Part F, 3.4.4.10).
public struct ReadByGroupTypeResponse: PDU {
    public static let opcode = Opcode.readByGroupTypeResponse

    /// Octets of each entry: the two handles' four and the value's.
    public var length: UInt8 = 0
    /// Entries of group and value; `entries` reads them.
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

    /// A group and the value of the attribute that declares it.
    public struct Entry: Hashable, Sendable {
        /// As sent: a range that ends before it starts is possible.
        public var range: HandleRange
        public var value: [UInt8]

        public init(range: HandleRange, value: [UInt8]) {
            self.range = range
            self.value = value
        }
    }

    /// The whole entries, in the order sent. Fails for a length below 4 and where there is not one whole entry.
    public func entries() throws(WireError) -> [Entry] {
        let width = Int(length)
        guard width >= 4 else {
            throw .invalid(field: "Length", at: 1, reason: "\(width) octets cannot hold two handles")
        }
        return try EntryList(attributeData, width: width, at: 2, name: "Attribute Data List").map { entry in
            HandleRange(littleEndian: entry).map {
                Entry(range: $0, value: [UInt8](entry.extracting(droppingFirst: 4)))
            }
        }
    }
}
