// The devices that the controller picks out by itself.

public import Wire

/// How many devices fit the list (Core Vol 4, Part E, 7.8.14).
public struct LEReadFilterAcceptListSize: Command {
    public static let opcode = Opcode(rawValue: 0x200F)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var size: UInt8 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint8("Filter_Accept_List_Size", &size)
        }
    }
}

/// Empties the list (Core Vol 4, Part E, 7.8.15). Refused while something uses it.
public struct LEClearFilterAcceptList: Command {
    public static let opcode = Opcode(rawValue: 0x2010)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Adds a device (Core Vol 4, Part E, 7.8.16).
public struct LEAddDeviceToFilterAcceptList: Command {
    public static let opcode = Opcode(rawValue: 0x2011)

    public var device = DeviceAddress.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Address_Type", "Address", &device)
    }
}

/// Removes a device (Core Vol 4, Part E, 7.8.17).
public struct LERemoveDeviceFromFilterAcceptList: Command {
    public static let opcode = Opcode(rawValue: 0x2012)

    public var device = DeviceAddress.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Address_Type", "Address", &device)
    }
}
