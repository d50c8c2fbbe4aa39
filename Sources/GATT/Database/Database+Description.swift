import ATT
public import Wire

extension Database: CustomStringConvertible {
    /// The tree, a line an attribute, without names.
    public var description: String { tree { _ in nil } }

    /// The tree, a line an attribute.
    ///
    /// - Parameter name: what people call an attribute of that type
    public func tree(named name: (BluetoothUUID) -> String?) -> String {
        func label(_ uuid: BluetoothUUID) -> String { name(uuid).map { "\(uuid) \($0)" } ?? uuid.description }
        var lines: [String] = []
        for service in services {
            lines.append(
                "\(service.range) \(service.isPrimary ? "service" : "secondary service") \(label(service.uuid))")
            for included in service.includes {
                lines.append(
                    "  \(included.handle) includes \(included.range) \(included.uuid.map(label) ?? "of unknown type")")
            }
            for characteristic in service.characteristics {
                let properties = characteristic.properties.names.joined(separator: ", ")
                lines.append(
                    "  \(characteristic.valueHandle) characteristic \(label(characteristic.uuid)) [\(properties)]")
                lines += characteristic.descriptors.map { "    \($0.handle) descriptor \(label($0.uuid))" }
            }
        }
        return lines.joined(separator: "\n")
    }
}
