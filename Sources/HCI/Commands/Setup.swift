// Getting a controller to work: reset, and which events it sends.

public import Wire

/// Puts the controller into the state after power-on; links and lists are gone (Core Vol 4, Part E, 7.3.2).
public struct Reset: Command {
    public static let opcode = Opcode(rawValue: 0x0C03)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Which events the controller sends (Core Vol 4, Part E, 7.3.1).
public struct SetEventMask: Command {
    public static let opcode = Opcode(rawValue: 0x0C01)

    public var mask = EventMask()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Event_Mask", &mask)
    }
}

/// Which of the events from code 0x40 on the controller sends (Core Vol 4, Part E, 7.3.69).
public struct SetEventMaskPage2: Command {
    public static let opcode = Opcode(rawValue: 0x0C63)

    public var mask = EventMaskPage2()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Event_Mask_Page_2", &mask)
    }
}

/// Which LE events the controller sends within LE Meta events (Core Vol 4, Part E, 7.8.1).
public struct LESetEventMask: Command {
    public static let opcode = Opcode(rawValue: 0x2001)

    public var mask = LEEventMask()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("LE_Event_Mask", &mask)
    }
}

/// Tells a controller with BR/EDR that this host speaks LE (Core Vol 4, Part E, 7.3.79).
public struct WriteLEHostSupport: Command {
    public static let opcode = Opcode(rawValue: 0x0C6D)

    public var isSupported = false
    /// Once "simultaneous LE host"; to be ignored.
    public var unused: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("LE_Supported_Host", &isSupported)
        try pass.uint8("Unused", &unused)
    }
}

/// The random address that the controller uses (Core Vol 4, Part E, 7.8.4). Refused while it scans, advertises or initiates.
public struct LESetRandomAddress: Command {
    public static let opcode = Opcode(rawValue: 0x2005)

    public var address = Address.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.randomAddress("Random_Address", &address)
    }
}
