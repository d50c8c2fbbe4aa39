public import Wire

/// System ID, 2A23: a number for the device and one for its maker (Device Information Service 1.1, 3.8).
///
/// Often built from the device's address, and then constant where the address is not.
public struct SystemID: Fielded, Hashable {
    /// 40 bits, chosen by the manufacturer.
    public var manufacturer: UInt64 = 0
    /// The organizationally unique identifier: 24 bits.
    public var organization: UInt32 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var low = UInt32(truncatingIfNeeded: manufacturer)
        var high = UInt8(truncatingIfNeeded: manufacturer >> 32)
        try pass.uint32("Manufacturer-defined Identifier, low", &low)
        try pass.uint8("Manufacturer-defined Identifier, high", &high)
        manufacturer = UInt64(high) << 32 | UInt64(low)
        try pass.uint24("Organizationally Unique Identifier", &organization)
    }
}

/// PnP ID, 2A50: vendor, product and version as in USB (Device Information Service 1.1, 3.9).
public struct PnPID: Fielded, Hashable {
    /// Who assigned the vendor's number.
    public struct VendorSource: AssignedNumber {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bluetooth = Self(rawValue: 1)
        public static let usb = Self(rawValue: 2)

        public var name: String? {
            switch self {
            case .bluetooth: "Bluetooth SIG"
            case .usb: "USB Implementer's Forum"
            default: nil
            }
        }
    }

    public var vendorSource = VendorSource(rawValue: 0)
    public var vendor: UInt16 = 0
    public var product: UInt16 = 0
    /// Binary-coded decimal: 0x0213 is 2.1.3.
    public var version: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Vendor ID Source", &vendorSource)
        try pass.uint16("Vendor ID", &vendor)
        try pass.uint16("Product ID", &product)
        try pass.uint16("Product Version", &version)
    }
}
