import SMP
import Wire

extension SecurityToolbox {
    /// A resolvable private address whose random part is given: what happens on air follows from the seed.
    func makeResolvableAddress(with key: SecretKey, from bits: UInt64) throws(ToolboxError) -> Address {
        // Neither all zeros nor all ones (Core Vol 6, Part B, 1.3.2.2).
        let random = UInt32(truncatingIfNeeded: bits % 0x3F_FFFE) + 1
        let prand = 0x40_0000 | random
        return Address(rawValue: UInt64(prand) << 24 | UInt64(try ah(k: key.mostSignificantFirst, r: prand)))
    }
}
