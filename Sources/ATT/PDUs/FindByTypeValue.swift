public import Wire

/// Asks for the attributes of a type and value in a range (Core Vol 3, Part F, 3.4.3.3).
public struct FindByTypeValueRequest: PDU {
    public static let opcode = Opcode.findByTypeValueRequest

    public var range = HandleRange(.none, .none)
    /// Types with a 16-bit form only.
    public var attributeType: BluetoothUUID = 0
    public var attributeValue: [UInt8] = []

    public init() {}

    public init(_ range: HandleRange, type: BluetoothUUID, value: [UInt8]) {
        self.range = range
        attributeType = type
        attributeValue = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.range(&range)
        try pass.uuid("Attribute Type", &attributeType, octets: 2)
        try pass.rest("Attribute Value", &attributeValue)
    }
}

/// Where the attributes of that type and value stand and where their groups end (Core Vol 3, Part F, 3.4.3.4).
public struct FindByTypeValueResponse: PDU {
    public static let opcode = Opcode.findByTypeValueResponse

    /// Pairs of handles; `groups` reads them.
    public var handlesInformation: [UInt8] = []

    public init() {}

    public init(handlesInformation: [UInt8]) { self.handlesInformation = handlesInformation }

    /// A response with these groups.
    public init(groups: [HandleRange]) {
        for group in groups {
            handlesInformation.append(littleEndian: group.first.rawValue)
            handlesInformation.append(littleEndian: group.last.rawValue)
        }
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.rest("Handles Information List", &handlesInformation)
    }

    /// The whole pairs of found attribute and group end, in the order sent. Fails where there is not one.
    public func groups() throws(WireError) -> [HandleRange] {
        try EntryList(handlesInformation, width: 4, at: 1, name: "Handles Information List").map {
            HandleRange(littleEndian: $0)
        }
    }
}
