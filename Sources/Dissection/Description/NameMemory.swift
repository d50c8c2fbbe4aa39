import AssignedNumbers
public import Wire

/// Names of assigned numbers, remembered: a capture names the same few thousands of times, and finding one takes a search.
///
/// One serves a whole capture; it is not for several threads at once.
public final class NameMemory {
    /// A made-up capture must not make this grow without end.
    private static let limit = 4096

    private var services: [BluetoothUUID: String?] = [:]
    private var attributeTypes: [BluetoothUUID: String?] = [:]
    private var companies: [UInt16: String?] = [:]

    public init() {}

    /// The service with this UUID; `nil` where it has no name.
    public func service(_ uuid: BluetoothUUID) -> String? {
        Self.name(uuid, &services, Names.service)
    }

    /// The type of an attribute: a characteristic's value, a descriptor or a declaration; `nil` where it has no name.
    public func attributeType(_ uuid: BluetoothUUID) -> String? {
        Self.name(uuid, &attributeTypes, Names.attributeType)
    }

    /// The company with this identifier; `nil` where it has no name.
    public func company(_ identifier: UInt16) -> String? {
        Self.name(identifier, &companies, Names.company)
    }

    private static func name<Number: Hashable>(
        _ number: Number, _ known: inout [Number: String?], _ search: (Number) -> String?
    ) -> String? {
        if let name = known[number] { return name }
        if known.count >= limit { known = [:] }
        let name = search(number)
        known[number] = .some(name)
        return name
    }
}

extension NameMemory {
    /// Appends `180D Heart Rate`, or the UUID alone.
    func append(service uuid: BluetoothUUID, to writer: inout FieldWriter) {
        Self.append(uuid, service(uuid), to: &writer)
    }

    /// Appends `2A37 Heart Rate Measurement`, or the UUID alone.
    func append(attributeType uuid: BluetoothUUID, to writer: inout FieldWriter) {
        Self.append(uuid, attributeType(uuid), to: &writer)
    }

    private static func append(_ uuid: BluetoothUUID, _ name: String?, to writer: inout FieldWriter) {
        uuid.append(to: &writer.octets)
        guard let name else { return }
        writer.octets.append(UInt8(ascii: " "))
        writer.append(name)
    }
}
