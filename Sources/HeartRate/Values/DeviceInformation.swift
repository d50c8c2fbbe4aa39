public import Wire

/// What the Device Information Service, 180A, says of a peer; all of it optional (Device Information Service 1.1, 3).
public struct DeviceInformation: Hashable, Sendable {
    /// Manufacturer Name String, 2A29.
    public var manufacturer: String?
    /// Model Number String, 2A24.
    public var model: String?
    /// Serial Number String, 2A25.
    public var serial: String?
    /// Hardware Revision String, 2A27.
    public var hardware: String?
    /// Firmware Revision String, 2A26.
    public var firmware: String?
    /// Software Revision String, 2A28.
    public var software: String?
    /// System ID, 2A23.
    public var systemID: SystemID?
    /// PnP ID, 2A50.
    public var pnpID: PnPID?

    public init() {}

    /// The characteristics that `record(_:of:)` understands.
    public static let characteristics: [BluetoothUUID] = [
        HeartRateUUID.manufacturerName, HeartRateUUID.modelNumber, HeartRateUUID.serialNumber,
        HeartRateUUID.hardwareRevision, HeartRateUUID.firmwareRevision, HeartRateUUID.softwareRevision,
        HeartRateUUID.systemID, HeartRateUUID.pnpID,
    ]

    /// Records a characteristic's value; other characteristics are left alone.
    ///
    /// Throws `WireError.truncated` for an identifier that is too short, and keeps what was known before.
    public mutating func record(_ octets: Span<UInt8>, of characteristic: BluetoothUUID) throws(WireError) {
        switch characteristic {
        case HeartRateUUID.manufacturerName: manufacturer = Self.text(octets)
        case HeartRateUUID.modelNumber: model = Self.text(octets)
        case HeartRateUUID.serialNumber: serial = Self.text(octets)
        case HeartRateUUID.hardwareRevision: hardware = Self.text(octets)
        case HeartRateUUID.firmwareRevision: firmware = Self.text(octets)
        case HeartRateUUID.softwareRevision: software = Self.text(octets)
        case HeartRateUUID.systemID: systemID = try SystemID(decoding: octets)
        case HeartRateUUID.pnpID: pnpID = try PnPID(decoding: octets)
        default: break
        }
    }

    /// A text as peers send it: without the NULs at its end, and with U+FFFD for what is no UTF-8.
    public static func text(_ octets: Span<UInt8>) -> String {
        var count = octets.count
        while count > 0, octets[count - 1] == 0 { count -= 1 }
        return String(decoding: [UInt8](octets.extracting(0..<count)), as: UTF8.self)
    }
}
