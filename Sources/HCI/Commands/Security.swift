// Random numbers, keys and encryption. Keys and blocks go with their least significant octet first.

public import Wire

/// Encrypts one block with AES-128 (Core Vol 4, Part E, 7.8.22).
public struct LEEncrypt: Command {
    public static let opcode = Opcode(rawValue: 0x2017)

    /// 16 octets, the least significant first.
    public var key: [UInt8] = []
    /// 16 octets, the least significant first.
    public var plaintext: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.bytes("Key", &key, count: 16)
        try pass.bytes("Plaintext_Data", &plaintext, count: 16)
    }

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// 16 octets, the least significant first.
        public var encrypted: [UInt8] = []

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.bytes("Encrypted_Data", &encrypted, count: 16)
        }
    }
}

/// 64 random bits from the controller (Core Vol 4, Part E, 7.8.23).
public struct LERand: Command {
    public static let opcode = Opcode(rawValue: 0x2018)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var random: UInt64 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint64("Random_Number", &random)
        }
    }
}

/// Starts encryption as the central; ended by Encryption Change or Encryption Key Refresh Complete (Core Vol 4, Part E, 7.8.24).
public struct LEEnableEncryption: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2019)

    public var handle = ConnectionHandle(rawValue: 0)
    /// 0 with LE Secure Connections.
    public var random: UInt64 = 0
    /// EDIV; 0 with LE Secure Connections.
    public var diversifier: UInt16 = 0
    /// 16 octets, the least significant first.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint64("Random_Number", &random)
        try pass.uint16("Encrypted_Diversifier", &diversifier)
        try pass.bytes("Long_Term_Key", &longTermKey, count: 16)
    }
}

/// Answers an LE Long Term Key Request (Core Vol 4, Part E, 7.8.25).
public struct LELongTermKeyRequestReply: Command {
    public static let opcode = Opcode(rawValue: 0x201A)
    public typealias ReturnParameters = HandleReturn

    public var handle = ConnectionHandle(rawValue: 0)
    /// 16 octets, the least significant first.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.bytes("Long_Term_Key", &longTermKey, count: 16)
    }
}

/// Says that there is no key (Core Vol 4, Part E, 7.8.26).
public struct LELongTermKeyRequestNegativeReply: Command {
    public static let opcode = Opcode(rawValue: 0x201B)
    public typealias ReturnParameters = HandleReturn

    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
    }
}

/// Makes a key pair; ended by LE Read Local P-256 Public Key Complete (Core Vol 4, Part E, 7.8.36).
public struct LEReadLocalP256PublicKey: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2025)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Computes the shared secret; ended by LE Generate DHKey Complete (Core Vol 4, Part E, 7.8.37).
public struct LEGenerateDHKey: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2026)

    /// 32 octets, the least significant first.
    public var x: [UInt8] = []
    /// 32 octets, the least significant first.
    public var y: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.bytes("Key_X_Coordinate", &x, count: 32)
        try pass.bytes("Key_Y_Coordinate", &y, count: 32)
    }
}
