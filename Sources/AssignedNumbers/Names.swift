public import Wire

/// The names that the Bluetooth SIG's assigned numbers give, and those of vendors that are widely known.
///
/// An unknown number has no name: `nil`.
public enum Names {
    /// The company with this identifier (Assigned Numbers, 7.1).
    public static func company(_ identifier: UInt16) -> String? { NameTable.companies.name(row: identifier) }

    /// The kind of device that an appearance value stands for, with the category's name for a sub-category without one
    /// (Assigned Numbers, 2.6).
    public static func appearance(_ value: UInt16) -> String? {
        NameTable.appearances.name(row: value) ?? NameTable.appearances.name(row: value & ~0x3F)
    }

    /// The type of an AD structure (Assigned Numbers, 2.3).
    public static func advertisingDataType(_ type: UInt8) -> String? {
        NameTable.advertisingDataTypes.name(row: UInt16(type))
    }

    /// The service with this UUID: a standard one, a member company's or a vendor's own (Assigned Numbers, 3.4, 3.10, 3.11).
    public static func service(_ uuid: BluetoothUUID) -> String? {
        name(uuid, in: [.services, .members, .standards])
    }

    /// The characteristic with this UUID (Assigned Numbers, 3.8).
    public static func characteristic(_ uuid: BluetoothUUID) -> String? { name(uuid, in: [.characteristics]) }

    /// The descriptor with this UUID (Assigned Numbers, 3.7).
    public static func descriptor(_ uuid: BluetoothUUID) -> String? { name(uuid, in: [.descriptors]) }

    /// The type of an attribute: a characteristic's value, a descriptor or a declaration. Not a member company's: devices
    /// give their own characteristics numbers that belong to others.
    public static func attributeType(_ uuid: BluetoothUUID) -> String? {
        name(uuid, in: [.characteristics, .descriptors, .declarations])
    }

    /// Whatever has this UUID: a service, characteristic, descriptor or declaration.
    public static func uuid(_ uuid: BluetoothUUID) -> String? {
        name(uuid, in: [.services, .characteristics, .descriptors, .declarations, .members, .standards])
    }

    private static func name(_ uuid: BluetoothUUID, in tables: [NameTable]) -> String? {
        guard let number = uuid.short16 else {
            return NameTable.vendorUUIDs.name(line: uuid.description.filter { $0 != "-" })
        }
        for table in tables {
            if let name = table.name(row: number) { return name }
        }
        return nil
    }
}
