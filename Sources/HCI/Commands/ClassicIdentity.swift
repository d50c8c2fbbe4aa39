// What a host tells the BR/EDR half of a controller to be: named in captures of phones and computers.

public import Wire

/// The name that others see (Core Vol 4, Part E, 7.3.11).
public struct WriteLocalName: Command {
    public static let opcode = Opcode(rawValue: 0x0C13)

    /// UTF-8, filled up with zeros to 248 octets.
    public var localName: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.text("Local_Name", &localName, count: 248)
    }
}

/// The name that others see (Core Vol 4, Part E, 7.3.12).
public struct ReadLocalName: Command {
    public static let opcode = Opcode(rawValue: 0x0C14)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// UTF-8, filled up with zeros to 248 octets.
        public var localName: [UInt8] = []

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.text("Local_Name", &localName, count: 248)
        }
    }
}

/// What kind of device this is (Core Vol 4, Part E, 7.3.26).
public struct WriteClassOfDevice: Command {
    public static let opcode = Opcode(rawValue: 0x0C24)

    public var classOfDevice = ClassOfDevice(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Class_Of_Device", &classOfDevice)
    }
}

/// What others hear of this device when they look around (Core Vol 4, Part E, 7.3.56).
public struct WriteExtendedInquiryResponse: Command {
    public static let opcode = Opcode(rawValue: 0x0C52)

    public var needsErrorCorrection = false
    /// Structures as in advertising data, filled up with zeros to 240 octets.
    public var response: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("FEC_Required", &needsErrorCorrection)
        try pass.content("Extended_Inquiry_Response", .advertisingData, &response, count: 240)
    }
}

/// Whether pairing is Secure Simple Pairing (Core Vol 4, Part E, 7.3.59).
public struct WriteSimplePairingMode: Command {
    public static let opcode = Opcode(rawValue: 0x0C56)

    public var isEnabled = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("Simple_Pairing_Mode", &isEnabled)
    }
}

/// Whether the host speaks Secure Connections (Core Vol 4, Part E, 7.3.92).
public struct WriteSecureConnectionsHostSupport: Command {
    public static let opcode = Opcode(rawValue: 0x0C7A)

    public var isSupported = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("Secure_Connections_Host_Support", &isSupported)
    }
}
