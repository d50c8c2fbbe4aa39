import ATT
import GATT
import Host
import Wire

/// The values of a peer's attributes, as far as it let them be read.
struct AttributeValues: Sendable {
    /// A value, or why there is none.
    enum Content: Hashable, Sendable {
        case value([UInt8])
        case refused(String)
    }

    private var contents: [Handle: Content] = [:]

    /// Reads every readable characteristic and every descriptor. A refusal is kept as such; an end of the link ends the reading.
    init(reading database: Database, from peer: Peer) async throws {
        for characteristic in database.services.flatMap(\.characteristics) {
            if characteristic.properties.contains(.read) { try await read(characteristic.valueHandle, from: peer) }
            for descriptor in characteristic.descriptors { try await read(descriptor.handle, from: peer) }
        }
    }

    subscript(handle: Handle) -> Content? { contents[handle] }

    private mutating func read(_ handle: Handle, from peer: Peer) async throws {
        do {
            contents[handle] = .value(try await peer.read(handle))
        } catch HostError.peer(.refused(_, _, let code)) {
            contents[handle] = .refused("\(code)")
        } catch HostError.peer(.brokeProtocol(let pdu, _)) {
            contents[handle] = .refused("answered with a broken \(pdu)")
        }
    }
}
