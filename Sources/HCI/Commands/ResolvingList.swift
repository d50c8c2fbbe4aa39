// The devices whose private addresses the controller resolves.

public import Wire

/// Adds a device by its identity (Core Vol 4, Part E, 7.8.38).
public struct LEAddDeviceToResolvingList: Command {
    public static let opcode = Opcode(rawValue: 0x2027)

    public var identity = DeviceAddress.zero
    /// 16 octets, the least significant first; zeros for none.
    public var peerKey: [UInt8] = []
    /// 16 octets, the least significant first; zeros for none.
    public var localKey: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Peer_Identity_Address_Type", "Peer_Identity_Address", &identity)
        try pass.bytes("Peer_IRK", &peerKey, count: 16)
        try pass.bytes("Local_IRK", &localKey, count: 16)
    }
}

/// Removes a device (Core Vol 4, Part E, 7.8.39).
public struct LERemoveDeviceFromResolvingList: Command {
    public static let opcode = Opcode(rawValue: 0x2028)

    public var identity = DeviceAddress.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Peer_Identity_Address_Type", "Peer_Identity_Address", &identity)
    }
}

/// Empties the list (Core Vol 4, Part E, 7.8.40).
public struct LEClearResolvingList: Command {
    public static let opcode = Opcode(rawValue: 0x2029)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// How many devices fit the list (Core Vol 4, Part E, 7.8.41).
public struct LEReadResolvingListSize: Command {
    public static let opcode = Opcode(rawValue: 0x202A)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var size: UInt8 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint8("Resolving_List_Size", &size)
        }
    }
}

/// Under which private address a device was heard last (Core Vol 4, Part E, 7.8.42).
public struct LEReadPeerResolvableAddress: Command {
    public static let opcode = Opcode(rawValue: 0x202B)

    public var identity = DeviceAddress.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Peer_Identity_Address_Type", "Peer_Identity_Address", &identity)
    }

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// Zero where it was heard under none.
        public var address = Address.zero

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.randomAddress("Peer_Resolvable_Address", &address)
        }
    }
}

/// Under which private address a device hears the controller (Core Vol 4, Part E, 7.8.43).
public struct LEReadLocalResolvableAddress: Command {
    public static let opcode = Opcode(rawValue: 0x202C)

    /// Of the device that hears it.
    public var identity = DeviceAddress.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Peer_Identity_Address_Type", "Peer_Identity_Address", &identity)
    }

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// Zero where it hears it under none.
        public var address = Address.zero

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.randomAddress("Local_Resolvable_Address", &address)
        }
    }
}

/// Whether the controller resolves addresses by itself (Core Vol 4, Part E, 7.8.44).
public struct LESetAddressResolutionEnable: Command {
    public static let opcode = Opcode(rawValue: 0x202D)

    public var isEnabled = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("Address_Resolution_Enable", &isEnabled)
    }
}

/// How long the controller keeps one of its own private addresses (Core Vol 4, Part E, 7.8.45).
public struct LESetResolvablePrivateAddressTimeout: Command {
    public static let opcode = Opcode(rawValue: 0x202E)

    /// Seconds, 1 to 3,600.
    public var seconds: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.time("RPA_Timeout", &seconds, in: Seconds.self)
    }
}

/// How a device in the resolving list must appear for the controller to believe it (Core Vol 4, Part E, 7.8.77).
public struct PrivacyMode: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Only with a private address that its key resolves.
    public static let network = PrivacyMode(rawValue: 0)
    /// Also with its identity address.
    public static let device = PrivacyMode(rawValue: 1)

    public var name: String? {
        switch self {
        case .network: "Network Privacy"
        case .device: "Device Privacy"
        default: nil
        }
    }
}

/// How a device in the resolving list must appear (Core Vol 4, Part E, 7.8.77).
public struct LESetPrivacyMode: Command {
    public static let opcode = Opcode(rawValue: 0x204E)

    public var identity = DeviceAddress.zero
    public var mode = PrivacyMode.network

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.deviceAddress("Peer_Identity_Address_Type", "Peer_Identity_Address", &identity)
        try pass.number("Privacy_Mode", &mode)
    }
}
