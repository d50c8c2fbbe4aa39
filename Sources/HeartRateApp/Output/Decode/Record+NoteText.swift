import Capture
import Wire

extension Record {
    /// The content of a note of the Linux monitor for people; octets where it has no known form.
    func noteText(_ opcode: MonitorOpcode) -> String {
        switch opcode {
        case .systemNote: octets.text
        case .userLogging: userLog ?? octets.hexadecimal
        case .newIndex: newIndex ?? octets.hexadecimal
        case .indexInformation: indexInformation ?? octets.hexadecimal
        case .controlOpen: controlOpen ?? octets.hexadecimal
        default: octets.hexadecimal
        }
    }

    /// The content of what PacketLogger notes for people; octets where it is no text.
    func noteText(_ type: PacketLogger.RecordType) -> String {
        switch type {
        case .lmpSent, .lmpReceived: octets.hexadecimal
        default: type.name == nil ? octets.hexadecimal : octets.text
        }
    }

    /// Priority, length of the program's name, the name, the text; both end in NUL.
    private var userLog: String? {
        guard octets.count >= 2, octets.count >= 2 + Int(octets[1]) else { return nil }
        let text = octets.dropFirst(2)
        return "\([UInt8](text.prefix(Int(octets[1]))).text): \([UInt8](text.dropFirst(Int(octets[1]))).text)"
    }

    /// Type, bus, address, name.
    private var newIndex: String? {
        guard octets.count >= 16 else { return nil }
        return "\([UInt8](octets[8..<16]).text) \(address(at: 2)) bus \(octets[1])"
    }

    /// Address, manufacturer.
    private var indexInformation: String? {
        guard octets.count >= 8 else { return nil }
        return "\(address(at: 0)) manufacturer 0x\((UInt16(octets[6]) | UInt16(octets[7]) << 8).paddedHexadecimal)"
    }

    /// Cookie, format, version, flags, length of the program's name, the name.
    private var controlOpen: String? {
        guard octets.count >= 14 else { return nil }
        return [UInt8](octets[14...].prefix(Int(octets[13]))).text
    }

    private func address(at offset: Int) -> Address {
        Address(rawValue: octets[offset..<offset + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension [UInt8] {
    /// The text up to the first NUL.
    fileprivate var text: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self).printable }
}
