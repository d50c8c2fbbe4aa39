import GATT
import Wire

extension Descriptor {
    /// What a value of this descriptor says, in words; `nil` where nothing is known of its type, or the value cannot be read.
    func meaning(of value: [UInt8]) -> String? {
        switch uuid {
        case .characteristicExtendedProperties:
            (try? ExtendedProperties(decoding: value.span)).map {
                $0.names.isEmpty ? "none" : $0.names.joined(separator: " ")
            }
        case .clientCharacteristicConfiguration:
            ClientConfiguration(octets: value).map { $0.names.isEmpty ? "off" : $0.names.joined(separator: " ") }
        case .characteristicPresentationFormat:
            (try? PresentationFormat(decoding: value)).map(\.text)
        case .characteristicAggregateFormat:
            (try? AggregateFormat(decoding: value)).map { "of " + $0.formats.map(\.description).joined(separator: " ") }
        default: nil
        }
    }
}

extension PresentationFormat {
    /// `sint16 × 10^-2, unit 272F, description 1 of namespace 1`.
    fileprivate var text: String {
        var text = format.description
        if exponent != 0 { text += " × 10^\(exponent)" }
        text += ", unit \(BluetoothUUID(unit))"
        if descriptionNumber != 0 { text += ", description \(descriptionNumber) of namespace \(namespace)" }
        return text
    }
}
