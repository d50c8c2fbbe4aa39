import HCI
import L2CAP
import SMP
import Wire

extension FuzzTarget {
    /// A command and the answer to it, as the simulated controller and the decoder of captures read them: whatever could be read
    /// encodes to something that reads the same.
    static let commands = FuzzTarget(name: "commands") { octets in
        var choices = Choices(octets)
        let number = Int(choices.octet())
        let parameters = choices.piece()
        let known = KnownPackets.commands[number % KnownPackets.commands.count]
        try readsBack(known, parameters, answer: choices.piece())
        var trailing = 0
        guard let packet = try? Packet(decoding: octets.span, trailing: &trailing) else { return }
        _ = packet.described
    }

    private static func readsBack<Known: Command>(
        _ known: Known.Type, _ parameters: [UInt8], answer: [UInt8]
    ) throws {
        try readsBack(as: Known.self, parameters)
        try readsBack(as: Known.ReturnParameters.self, answer)
        _ = Packet.command(Known.opcode, parameters: parameters).described
    }

    /// One command of the signalling channel, in its packet.
    static let signaling = FuzzTarget(name: "signaling") { octets in
        guard let packet = try? SignalingPacket(decoding: octets.span) else { return }
        try promise(packet.data.count + 4 <= octets.count, "octets are not invented")
        guard let command = try? SignalingCommand(code: packet.code, data: packet.data.span) else { return }
        let encoded = command.packet(identifier: packet.identifier)
        let again = try? SignalingCommand(code: encoded.code, data: encoded.data.span)
        try promise(again == command, "a command encodes to itself: \(command)")
    }

    /// A PDU of the Security Manager, and how a device that does not pair declines it.
    static let securityManager = FuzzTarget(name: "security-manager") { octets in
        if let pdu = try? PairingPDU(decoding: octets) {
            let encoded = pdu.encoded
            try promise((try? PairingPDU(decoding: encoded)) == pdu, "a PDU encodes to itself: \(pdu)")
            _ = pdu.content?.described
        }
        let configuration = SecurityManager.Configuration(
            role: .central, ownAddress: .zero, peerAddress: .zero)
        var manager = SecurityManager(configuration, bond: nil, toolbox: nil)
        var effects: [SecurityManager.Effect] = []
        manager.receive(octets.span, at: .zero, into: &effects)
        let answers = effects.filter { if case .transmit = $0 { true } else { false } }
        try promise(answers.count <= 1, "no PDU is answered twice: \(effects)")
    }

    /// What people type: addresses, UUIDs and octets. What was taken is written in one way, which is taken again.
    static let texts = FuzzTarget(name: "texts") { octets in
        let text = String(decoding: octets, as: UTF8.self)
        if let address = Address(text) {
            try promise(Address(address.description) == address, "an address is written as it is read: \(address)")
        }
        if let uuid = BluetoothUUID(text) {
            try promise(BluetoothUUID(uuid.description) == uuid, "a UUID is written as it is read: \(uuid)")
        }
        if let bytes = [UInt8](hexadecimal: text) {
            try promise(bytes.hexadecimal == text.lowercased(), "octets are written as they are read: \(text)")
        }
    }

    private static func readsBack<Value: Fielded & Equatable>(as type: Value.Type, _ octets: [UInt8]) throws {
        guard let value = try? Value(decoding: octets.span) else { return }
        let encoded = value.encoded
        try promise((try? Value(decoding: encoded.span)) == value, "it encodes to itself: \(value)")
    }
}
