public import Wire

/// Addresses that hide whose they are (Core Vol 6, Part B, 1.3.2.2).
extension SecurityToolbox {
    /// The hash in a resolvable private address (Core Vol 3, Part H, 2.2.2): 24 bits.
    ///
    /// - Parameters:
    ///   - k: the identity resolving key, the most significant octet first
    ///   - r: prand, the upper 24 bits of the address
    public func ah(k: [UInt8], r: UInt32) throws(ToolboxError) -> UInt32 {
        let block = [UInt8](repeating: 0, count: 13) + [16, 8, 0].map { UInt8(truncatingIfNeeded: r >> $0) }
        return try encrypt(block, key: k).suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether a random address is one that the key's owner has made (Core Vol 6, Part B, 1.3.2.3).
    public func resolves(_ address: Address, with key: SecretKey) throws(ToolboxError) -> Bool {
        guard address.randomness == .resolvable else { return false }
        let prand = UInt32(truncatingIfNeeded: address.rawValue >> 24)
        return try UInt64(ah(k: key.mostSignificantFirst, r: prand)) == address.rawValue & 0xFF_FFFF
    }

    /// A new resolvable private address.
    public func makeResolvableAddress(with key: SecretKey) throws(ToolboxError) -> Address {
        let prand = try randomPart(octets: 3, top: 0b01)
        let hash = try ah(k: key.mostSignificantFirst, r: UInt32(truncatingIfNeeded: prand))
        return Address(rawValue: prand << 24 | UInt64(hash))
    }

    /// A new non-resolvable private address, which nobody recognises. That it is not the public one is the caller's to see to.
    public func makeNonResolvableAddress() throws(ToolboxError) -> Address {
        Address(rawValue: try randomPart(octets: 6, top: 0b00))
    }

    /// A random number below two given bits. Of its own bits at least one is 0 and one is 1, as the specification wants.
    private func randomPart(octets count: Int, top: UInt64) throws(ToolboxError) -> UInt64 {
        let bits = UInt64(8 * count - 2)
        let mask: UInt64 = (1 << bits) - 1
        // All alike once in 2 million times: four times running is no chance, but a generator that is none.
        for _ in 0..<4 {
            let number = try random(count).reduce(0) { $0 << 8 | UInt64($1) } & mask
            if number != 0, number != mask { return top << bits | number }
        }
        throw .failed("random bits that are all alike")
    }
}
