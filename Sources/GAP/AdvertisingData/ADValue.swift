public import Wire

/// What one AD structure says (Core Specification Supplement, Part A, 1).
public enum ADValue: Hashable, Sendable {
    /// How the device can be found.
    case flags(ADFlags)
    /// Services that the device offers.
    case services(ADServiceList)
    /// Services that the device looks for at others.
    case solicitedServices([BluetoothUUID], width: ADWidth)
    /// What a service sends.
    case serviceData(ServiceData, width: ADWidth)
    /// The name of the device, whole or as much as fitted.
    case name(String, isComplete: Bool)
    /// The name of a broadcast.
    case broadcastName(String)
    /// Power at the antenna in dBm.
    case txPower(Int8)
    /// What the device looks like (Assigned Numbers, 2.6).
    case appearance(UInt16)
    /// What a company sends.
    case manufacturer(ManufacturerData)
    /// The connection interval that the device prefers.
    case connectionIntervalRange(ADIntervalRange)
    /// Devices that the advertising is for, all of one kind: public or random.
    case targetAddresses([Address], isRandom: Bool)
    /// The device's address, as sent out of band.
    case deviceAddress(Address, isRandom: Bool)
    /// The roles that the device takes.
    case role(LERole)
    /// A scheme's number, in UTF-8, then the rest of the identifier.
    case uri(String)
    /// Units of 0.625 ms, sent in 2, 3 or 4 octets.
    case advertisingInterval(UInt32, octets: Int)
    /// 24 bits.
    case classOfDevice(UInt32)
    /// Bits of the link layer's feature set, the lowest octet first.
    case supportedFeatures([UInt8])
    /// A structure of a type that has no case here, or of a length that its type does not have.
    case other(ADType, [UInt8])
}

/// How wide the UUIDs of an AD structure are.
public enum ADWidth: Int, Hashable, Sendable {
    case bits16 = 2
    case bits32 = 4
    case bits128 = 16

    /// Octets of one UUID.
    public var octets: Int { rawValue }
}

/// The services that a device offers, or some of them (Supplement, Part A, 1.1).
public struct ADServiceList: Hashable, Sendable {
    /// How wide the UUIDs are sent.
    public var width: ADWidth
    /// Whether the device has no others of this width.
    public var isComplete: Bool
    /// The services, in the order sent.
    public var uuids: [BluetoothUUID]

    public init(width: ADWidth = .bits16, isComplete: Bool = true, _ uuids: [BluetoothUUID]) {
        self.width = width
        self.isComplete = isComplete
        self.uuids = uuids
    }
}

/// What a service sends (Supplement, Part A, 1.11).
public struct ServiceData: Hashable, Sendable {
    /// Whose data it is.
    public var service: BluetoothUUID
    /// The octets behind the identifier.
    public var data: [UInt8]

    public init(_ service: BluetoothUUID, _ data: [UInt8]) {
        self.service = service
        self.data = data
    }
}

/// What a company sends, in a form of its own (Supplement, Part A, 1.4).
public struct ManufacturerData: Hashable, Sendable {
    /// The company's identifier (Assigned Numbers, 7.1).
    public var company: UInt16
    /// The octets behind the identifier.
    public var data: [UInt8]

    public init(_ company: UInt16, _ data: [UInt8]) {
        self.company = company
        self.data = data
    }
}

/// How a device can be found (Supplement, Part A, 1.3).
public struct ADFlags: NamedBits, OptionSet {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Can be found for a short while.
    public static let limitedDiscoverable = Self(rawValue: 1 << 0)
    /// Can be found at any time.
    public static let generalDiscoverable = Self(rawValue: 1 << 1)
    /// Speaks LE only.
    public static let brEdrNotSupported = Self(rawValue: 1 << 2)
    /// The controller speaks LE and BR/EDR to the same device at once.
    public static let simultaneousController = Self(rawValue: 1 << 3)

    public static func name(ofBit bit: Int) -> String? {
        switch bit {
        case 0: "LE Limited Discoverable Mode"
        case 1: "LE General Discoverable Mode"
        case 2: "BR/EDR Not Supported"
        case 3: "Simultaneous LE and BR/EDR (Controller)"
        case 4: "Simultaneous LE and BR/EDR (Host)"
        default: nil
        }
    }
}

/// The connection interval that a peripheral prefers, in units of 1.25 ms (Supplement, Part A, 1.9).
public struct ADIntervalRange: Hashable, Sendable {
    /// `nil` where the device names none (0xFFFF).
    public var min: UInt16?
    /// `nil` where the device names none (0xFFFF).
    public var max: UInt16?

    public init(min: UInt16?, max: UInt16?) {
        self.min = min
        self.max = max
    }
}

/// The roles that a device takes (Supplement, Part A, 1.17).
public struct LERole: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let onlyPeripheral = Self(rawValue: 0)
    public static let onlyCentral = Self(rawValue: 1)
    public static let peripheralPreferred = Self(rawValue: 2)
    public static let centralPreferred = Self(rawValue: 3)

    public var name: String? {
        switch self {
        case .onlyPeripheral: "Only Peripheral"
        case .onlyCentral: "Only Central"
        case .peripheralPreferred: "Peripheral preferred"
        case .centralPreferred: "Central preferred"
        default: nil
        }
    }
}
