import ATT
import Capture
import HCI
import L2CAP
import SMP
public import Wire

extension Dissected {
    /// All fields of the packet and of the PDU that it completes, layer in layer, for people.
    ///
    /// Made when asked for: a reader who wants a line a record pays nothing for it.
    ///
    /// - Parameter names: one for the whole capture
    public func described(_ names: inout NameMemory) -> [DescribedField] {
        guard record.kind.packetType != nil, record.octets.count > 1 else { return [] }
        guard let packet = try? Packet(decoding: record.octets), !isVendorLog else {
            return [DescribedField(name: "Octets", text: record.octets.dropFirst().hexadecimal)]
        }
        switch packet {
        case .acl(let packet): return describe(packet, &names)
        default:
            var fields = packet.described.fields
            describeAdvertisingData(in: &fields, &names)
            return fields
        }
    }

    // MARK: Advertising data

    /// Puts the AD structures below the octets that hold them.
    private func describeAdvertisingData(in fields: inout [DescribedField], _ names: inout NameMemory) {
        var rest = reports[...]
        for index in fields.indices where !fields[index].children.isEmpty {
            guard let report = rest.popFirst() else { return }
            guard let data = fields[index].children.firstIndex(where: { $0.name == "Data" }) else { continue }
            fields[index].children[data].children = report.described(&names)
        }
    }

    // MARK: Data

    private func describe(_ packet: ACLPacket, _ names: inout NameMemory) -> [DescribedField] {
        var fields = [
            DescribedField(name: "Connection_Handle", text: packet.handle.description),
            DescribedField(name: "Packet_Boundary_Flag", text: packet.boundary.description),
        ]
        if let peer { fields.append(DescribedField(name: "Peer", text: peer.description)) }
        guard let channel, let payload else {
            fields.append(DescribedField(name: "Data", text: packet.payload.hexadecimal))
            return fields
        }
        fields.append(
            DescribedField(
                name: "L2CAP", text: "\(channel), \(payload.count) octet\(payload.count == 1 ? "" : "s")",
                children: describe(payload, of: channel, &names)))
        return fields
    }

    private func describe(
        _ payload: ArraySlice<UInt8>, of channel: ChannelID, _ names: inout NameMemory
    ) -> [DescribedField] {
        switch channel {
        case .attribute: attribute.map { [$0.described(payload, heartRate, &names)] } ?? []
        case .signaling: Self.describeSignaling([UInt8](payload))
        case .securityManager: Self.describePairing([UInt8](payload))
        default: [DescribedField(name: "Payload", text: payload.hexadecimal)]
        }
    }

    private static func describeSignaling(_ payload: [UInt8]) -> [DescribedField] {
        guard let packet = try? SignalingPacket(decoding: payload),
            let command = try? SignalingCommand(code: packet.code, data: packet.data.span)
        else { return [DescribedField(name: "Signaling", text: payload.hexadecimal)] }
        let fields = command.content?.described ?? [DescribedField(name: "Data", text: packet.data.hexadecimal)]
        return [DescribedField(name: "\(packet.code)", text: "identifier \(packet.identifier)", children: fields)]
    }

    private static func describePairing(_ payload: [UInt8]) -> [DescribedField] {
        guard let pdu = try? PairingPDU(decoding: payload) else {
            return [DescribedField(name: "Security Manager", text: payload.hexadecimal)]
        }
        return [DescribedField(name: "\(pdu.code)", text: "", children: pdu.content?.described ?? [])]
    }
}
