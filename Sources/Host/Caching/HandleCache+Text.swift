import ATT
import GATT
import HCI
import Wire

/// The form in which known handles are kept: as `KeptText` says, a line a peer. A text with any damage is not used at all: a wrong
/// handle does more harm than none.
///
/// ```
/// hr-raw-known-handles 1
/// F0:F1:F2:F3:F4:01 random 180D 2A37 16 22 18 10 19 1 service-changed 0f1e…2d 1767225600000000
/// end 1 7d5f0c1a2b3c4d5e
/// ```
///
/// Address and its kind; service and characteristic; the service's first and last handle; the value's handle, the
/// properties in hexadecimal, the descriptor's handle, and what is written to it; whether the server has Service
/// Changed (`service-changed`, `constant`, or `untold`); the Database Hash or `-`; microseconds since 1970.
extension HandleCache {
    /// Why a text is not used.
    public typealias Damage = KeptTextDamage

    private static let form = KeptText(name: "hr-raw-known-handles", version: 1)

    /// The text, in ASCII, the same for the same content.
    public var text: [UInt8] {
        Self.form.octets(around: entries.map { Self.line($0.key, $0.value) }.sorted())
    }

    /// Reads such a text.
    public init(text: [UInt8]) throws(Damage) {
        self.init()
        for (index, line) in try Self.form.lines(of: text, atMost: Self.capacity).enumerated() {
            guard let (peer, handles) = Self.entry(line), entries.updateValue(handles, forKey: peer) == nil else {
                throw .line(index + 2)
            }
        }
    }

    // MARK: One peer

    private static func line(_ peer: DeviceAddress, _ handles: KnownHandles) -> String {
        let characteristic = handles.characteristic
        let service = characteristic.service
        let fields: [String] = [
            "\(peer.address)", peer.kind == .public ? "public" : "random",
            "\(handles.service)", "\(characteristic.uuid)",
            "\(service.first.rawValue)", "\(service.last.rawValue)", "\(characteristic.valueHandle.rawValue)",
            characteristic.properties.rawValue.paddedHexadecimal,
            "\(characteristic.configurationHandle.rawValue)", "\(characteristic.configuration.rawValue)",
            handles.hasServiceChanged.map { $0 ? "service-changed" : "constant" } ?? "untold",
            handles.databaseHash?.hexadecimal ?? "-",
            "\(handles.learnt.microseconds)",
        ]
        return fields.joined(separator: " ")
    }

    private static func entry(_ line: String) -> (peer: DeviceAddress, handles: KnownHandles)? {
        var fields = Fields(rest: line.split(separator: " ", omittingEmptySubsequences: false)[...])
        guard let address = fields.take({ Address(String($0)) }),
            let kind = fields.take({ ["public": AddressKind.public, "random": .random][$0] }),
            let service = fields.take({ BluetoothUUID(String($0)) }),
            let characteristic = fields.takeCharacteristic(),
            let hasServiceChanged = fields.take({ ["service-changed": true, "constant": false, "untold": nil][$0] }),
            let hash = fields.take({ $0 == "-" ? .some([UInt8]?.none) : [UInt8](hexadecimal: $0).map(Optional.some) }),
            hash.map({ $0.count == KnownHandles.hashCount }) ?? true,
            let learnt = fields.take({ Int64($0) }), fields.rest.isEmpty,
            let peer = DeviceAddress(kind, address).lasting
        else { return nil }
        let handles = KnownHandles(
            service: service, characteristic: characteristic, hasServiceChanged: hasServiceChanged, databaseHash: hash,
            learnt: Timestamp(microseconds: learnt))
        return (peer, handles)
    }

    /// The fields of a line that have not been read yet.
    private struct Fields {
        var rest: ArraySlice<Substring>

        mutating func take<Value>(_ read: (Substring) -> Value?) -> Value? { rest.popFirst().flatMap(read) }

        mutating func takeHandle() -> Handle? { take { UInt16($0).map { Handle($0) } } }

        /// The fields of a characteristic that can be: its handles lie in its service, in their order.
        mutating func takeCharacteristic() -> NotifyingCharacteristic? {
            guard let uuid = take({ BluetoothUUID(String($0)) }), let first = takeHandle(), let last = takeHandle(),
                let value = takeHandle(), let properties = take({ UInt8($0, radix: 16) }),
                let descriptor = takeHandle(), let configuration = take({ UInt16($0) }),
                .none < first, first < value, value < descriptor, descriptor <= last
            else { return nil }
            let found = NotifyingCharacteristic(
                service: HandleRange(first, last), uuid: uuid, valueHandle: value,
                properties: CharacteristicProperties(rawValue: properties), configurationHandle: descriptor,
                configuration: ClientConfiguration(rawValue: configuration))
            return found.configuration == found.properties.preferredConfiguration ? found : nil
        }
    }
}
