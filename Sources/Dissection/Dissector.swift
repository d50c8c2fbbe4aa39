public import ATT
public import Capture
import GATT
import HCI
import HeartRate
import L2CAP
import Wire

/// Reads a capture record by record: packets by themselves, then in the light of what came before.
///
/// Keeps per adapter and connection handle what its packets need: unfinished L2CAP PDUs, the request that a response answers,
/// the types of the attributes that were discovered. What it keeps is bounded, whatever the capture holds.
public struct Dissector: Sendable {
    var links = LinkTable()
    var unfinishedAdvertising = UnfinishedAdvertising()
    let heartRateHandles: Set<Handle>

    /// - Parameter heartRateHandles: attributes of peers to be taken for Heart Rate Measurements although the capture does not
    ///   tell what they are, as it does not when it began after the discovery
    public init(heartRateHandles: Set<Handle> = []) { self.heartRateHandles = heartRateHandles }

    /// Takes the next record. The records of a capture come in its order, each once.
    public mutating func dissect(_ record: consuming Record) -> Dissected {
        var dissected = Dissected(record)
        let (included, original) = (dissected.record.includedLength, dissected.record.originalLength)
        if included < original {
            dissected.faults.append(.cutShort(included: included, original: original))
        } else if included > original {
            dissected.faults.append(.swollen(included: included, original: original))
        }
        switch dissected.record.kind {
        case .command: readCommand(&dissected)
        case .event: readEvent(&dissected)
        case .acl: readData(&dissected)
        case .sco:
            dissected.handle = dissected.octets.uint16(at: 1).map(ConnectionHandle.init(rawValue:))
            dissected.readHeader(count: 4, declared: dissected.octets.uint8(at: 3).map(Int.init))
        case .iso:
            dissected.handle = dissected.octets.uint16(at: 1).map(ConnectionHandle.init(rawValue:))
            dissected.readHeader(count: 5, declared: dissected.octets.uint16(at: 3).map { Int($0 & 0x3FFF) })
        case .note(let opcode): follow(opcode, &dissected)
        case .loggerNote, .foreign: break
        case .unassigned(let type): dissected.faults.append(.unassignedType(type))
        case .empty: dissected.faults.append(.noPacket)
        }
        if let handle = dissected.handle, dissected.peer == nil {
            dissected.peer = links.peer(dissected.record.adapter, handle)
        }
        // It is large, and would be copied.
        return consume dissected
    }

    /// What is known of the attributes that the peer of a link serves.
    func database(_ adapter: UInt16?, _ handle: ConnectionHandle) -> Database {
        links.conversation(adapter, handle)?.peer.database ?? Database()
    }

    /// What the ends of a link agreed on; `nil` where they did not, or before the capture began.
    func mtu(_ adapter: UInt16?, _ handle: ConnectionHandle) -> UInt16? { links.conversation(adapter, handle)?.mtu }

    private mutating func follow(_ note: MonitorOpcode, _ dissected: inout Dissected) {
        switch note {
        case .newIndex, .deleteIndex, .closeIndex: endAllLinks(&dissected)
        default: break
        }
    }

    mutating func endAllLinks(_ dissected: inout Dissected) {
        if links.endAll(of: dissected.record.adapter) { dissected.linkChange = .allLost }
    }
}
