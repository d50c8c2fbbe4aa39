import ATT
import Capture
import Dissection
import TestSupport
import Wire

/// Packets written by hand, as a capture would hold them: `>` from controller to host, `<` from host to controller, `=` without a
/// direction; then octets with the H4 type first.
func dissect(
    _ packets: [String], heartRateHandles: Set<Handle> = [], adapters: [UInt16?] = []
) -> [Dissected] {
    var dissector = Dissector(heartRateHandles: heartRateHandles)
    return packets.enumerated().map { index, packet in
        let octets = octets(String(packet.dropFirst()))
        let direction: Record.Direction? =
            switch packet.first {
            case ">": .received
            case "<": .sent
            default: nil
            }
        return dissector.dissect(
            Record(
                frame: index + 1, timestamp: Timestamp(microseconds: Int64(index) * 1_000_000),
                adapter: adapters.isEmpty ? nil : adapters[index], direction: direction,
                kind: octets.first.map(Record.Kind.init(packetType:)) ?? .empty, octets: octets,
                includedLength: octets.count, originalLength: octets.count))
    }
}

/// LE Connection Complete: a central's link, handle 0x0040, to C0:DE:00:00:00:01 random.
let connected = "> 04 3e 13 01 00 4000 00 01 01000000dec0 1800 0000 4800 00"
/// Disconnection Complete of handle 0x0040: remote user terminated.
let disconnected = "> 04 05 04 00 4000 13"
