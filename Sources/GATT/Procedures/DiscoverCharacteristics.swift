public import ATT
import Wire

/// Lists the characteristics in a range (Core Vol 3, Part G, 4.6.1). The ends are not known yet: each reaches over
/// its own value only.
public struct CharacteristicListing: Listing {
    public init() {}

    public func request(_ range: HandleRange) -> ClientPDU {
        .readByType(ReadByTypeRequest(range, type: .characteristic))
    }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<Characteristic>] {
        guard case .readByType(let pdu) = response else { throw response.unexpected }
        guard pdu.length == 7 || pdu.length == 21 else {
            throw .brokeProtocol(pdu: response.opcode, .entryLength(Int(pdu.length)))
        }
        var listed: [Listed<Characteristic>] = []
        for entry in try response.reading(pdu.entries) {
            let value = entry.value.span
            guard let valueHandle = Handle(littleEndian: value, at: 1),
                let uuid = BluetoothUUID(littleEndian: value.extracting(droppingFirst: 3))
            else { continue }
            guard valueHandle > entry.handle else {
                throw .brokeProtocol(pdu: response.opcode, .valueHandle(valueHandle, declaration: entry.handle))
            }
            let properties = CharacteristicProperties(rawValue: entry.value[0])
            let characteristic = Characteristic(
                uuid: uuid, handle: entry.handle, valueHandle: valueHandle, endHandle: valueHandle,
                properties: properties)
            // The declaration alone is listed: the next one is looked for right behind it.
            listed.append(Listed(HandleRange(entry.handle, entry.handle), characteristic))
        }
        return listed
    }
}

extension [Characteristic] {
    /// The characteristics with their ends: each reaches to the next declaration, the last to `last`.
    func withEnds(upTo last: Handle) -> [Characteristic] {
        var characteristics = self
        for index in characteristics.indices {
            let next = index + 1 < count ? self[index + 1].handle.previous : nil
            characteristics[index].endHandle = Swift.max(self[index].valueHandle, next ?? last)
        }
        return characteristics
    }
}

/// Discovers the characteristics of a service (Core Vol 3, Part G, 4.6.1).
public struct DiscoverCharacteristics: Procedure {
    private var walk: Walk<CharacteristicListing>
    private let last: Handle

    /// - Parameter range: the service's
    public init(in range: HandleRange) {
        walk = Walk(CharacteristicListing(), in: range)
        last = range.last
    }

    public mutating func start() -> Step<[Characteristic]> { walk.start() }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Characteristic]> {
        walk.receive(outcome).map { $0.withEnds(upTo: last) }
    }
}
