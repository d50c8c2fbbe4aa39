import ATT
import GATT
import HCI
import Wire

/// A strap gets a service more, in front of the others, as new firmware might bring: all handles behind it move by four, so that
/// another characteristic's descriptor comes to stand where that of the measurement was.
public enum DatabaseChange: Hashable, Sendable {
    /// While nobody is connected, after so many connections.
    case afterConnections(Int)
    /// In the midst of each connection, after so many measurements in it; told by an indication of Service Changed where the host asked
    /// for that.
    case afterMeasurements(Int)
}

extension StrapDatabase {
    /// What the change puts in front: a service of nobody's with one characteristic that can be subscribed to.
    static let addedService = ServiceDefinition(
        0xFEF0, [CharacteristicDefinition(0xFEF1, [.write, .notify], longestValue: 20)])

    /// What the strap says its Database Hash is: any 16 octets do, as long as they change with the attributes.
    static func hash(isChanged: Bool) -> [UInt8] { Array(repeating: isChanged ? 0xA5 : 0x5A, count: 16) }

    /// From the first handle that the change moves to the last.
    var changedRange: HandleRange {
        let added = table.attributes.first { $0.type == 0xFEF1 }?.handle.previous?.previous
        return HandleRange(added ?? .first, .last)
    }
}
