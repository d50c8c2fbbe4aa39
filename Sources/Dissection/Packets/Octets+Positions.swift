import HCI
import Wire

/// Octets read by position: what is not there is `nil`. For the facts that stand in known places of a packet.
extension [UInt8] {
    func uint8(at offset: Int) -> UInt8? { offset < count ? self[offset] : nil }

    func uint16(at offset: Int) -> UInt16? {
        guard offset + 2 <= count else { return nil }
        return UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    func address(at offset: Int) -> Address? {
        guard offset + 6 <= count else { return nil }
        var value: UInt64 = 0
        for index in (offset..<offset + 6).reversed() { value = value << 8 | UInt64(self[index]) }
        return Address(rawValue: value)
    }

    /// The kind, then the address.
    func deviceAddress(at offset: Int) -> DeviceAddress? {
        guard let kind = uint8(at: offset), let address = address(at: offset + 1) else { return nil }
        return DeviceAddress(AddressKind(rawValue: kind), address)
    }
}
