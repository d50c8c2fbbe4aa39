import ATT
import Capture
import HCI
import L2CAP
import SMP
import Wire

extension Dissected {
    /// Writes all fields of the packet and of the PDU that it completes, layer in layer.
    func describe(to writer: inout FieldWriter, _ names: NameMemory) {
        guard record.kind.packetType != nil, record.octets.count > 1 else { return }
        guard let packet = try? Packet(decoding: record.octets), !isVendorLog else {
            return writer.field("Octets") { $0.octets.append(lowerHexadecimal: record.octets.dropFirst()) }
        }
        if case .acl(let packet) = packet {
            describe(packet, to: &writer, names)
        } else {
            if let length = parameterLength {
                writer.field("Parameter_Total_Length") { $0.octets.append(decimal: length) }
            }
            packet.describe(to: &writer)
        }
    }

    /// Of a command or an event, as its header tells it.
    private var parameterLength: UInt8? {
        switch record.kind {
        case .command: record.octets.uint8(at: 3)
        case .event: record.octets.uint8(at: 2)
        default: nil
        }
    }

    // MARK: Data

    private func describe(_ packet: ACLPacket, to writer: inout FieldWriter, _ names: NameMemory) {
        packet.handle.describe("Connection_Handle", to: &writer)
        packet.boundary.describe("Packet_Boundary_Flag", to: &writer)
        if let peer {
            writer.field("Peer") { writer in
                peer.address.append(to: &writer.octets)
                writer.octets.append(" (" as StaticString)
                writer.octets.append(peer.kind.description)
                writer.octets.append(UInt8(ascii: ")"))
            }
        }
        guard let channel, let payload else {
            return writer.field("Data") { $0.octets.append(lowerHexadecimal: packet.payload) }
        }
        writer.begin("L2CAP")
        writer.beginValue()
        writer.octets.append(channel.description)
        writer.octets.append(", " as StaticString)
        writer.octets.append(decimal: payload.count)
        writer.octets.append(payload.count == 1 ? " octet" : " octets" as StaticString)
        writer.endValue()
        writer.openFields()
        describe(payload, of: channel, to: &writer, names)
        writer.closeFields()
        writer.end()
    }

    private func describe(
        _ payload: ArraySlice<UInt8>, of channel: ChannelID, to writer: inout FieldWriter, _ names: NameMemory
    ) {
        switch channel {
        case .attribute: attribute?.describe(payload, heartRate, to: &writer, names)
        case .signaling: Self.describeSignaling([UInt8](payload), to: &writer)
        case .securityManager: Self.describePairing([UInt8](payload), to: &writer)
        default: writer.field("Payload") { $0.octets.append(lowerHexadecimal: payload) }
        }
    }

    private static func describeSignaling(_ payload: [UInt8], to writer: inout FieldWriter) {
        guard let packet = try? SignalingPacket(decoding: payload),
            let command = try? SignalingCommand(code: packet.code, data: packet.data.span)
        else { return writer.field("Signaling") { $0.octets.append(lowerHexadecimal: payload) } }
        writer.begin { $0.octets.append(packet.code.description) }
        writer.beginValue()
        writer.octets.append("identifier " as StaticString)
        writer.octets.append(decimal: packet.identifier)
        writer.endValue()
        writer.openFields()
        if let content = command.content {
            content.describe(to: &writer)
        } else {
            writer.field("Data") { $0.octets.append(lowerHexadecimal: packet.data) }
        }
        writer.closeFields()
        writer.end()
    }

    private static func describePairing(_ payload: [UInt8], to writer: inout FieldWriter) {
        guard let pdu = try? PairingPDU(decoding: payload) else {
            return writer.field("Security Manager") { $0.octets.append(lowerHexadecimal: payload) }
        }
        writer.begin { $0.octets.append(pdu.code.description) }
        writer.openFields()
        pdu.content?.describe(to: &writer)
        writer.closeFields()
        writer.end()
    }
}
