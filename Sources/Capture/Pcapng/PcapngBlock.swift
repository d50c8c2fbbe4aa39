/// The body of a block, and how its numbers and options are read.
///
/// Offsets count from the body's start; whoever reads at one has made sure that it is there.
struct PcapngBlock {
    let order: ByteOrder
    let octets: ArraySlice<UInt8>

    func uint16(at offset: Int) -> UInt16 {
        let first = octets.startIndex + offset
        return order.uint16(octets[first], octets[first + 1])
    }

    func uint32(at offset: Int) -> UInt32 {
        let first = octets.startIndex + offset
        return order.uint32(octets[first], octets[first + 1], octets[first + 2], octets[first + 3])
    }

    /// The number that the four octets of an option are.
    func uint32(in value: ArraySlice<UInt8>) -> UInt32 { uint32(at: value.startIndex - octets.startIndex) }

    /// The number that the eight octets of an option are.
    func uint64(in value: ArraySlice<UInt8>) -> UInt64 {
        let offset = value.startIndex - octets.startIndex
        let (first, second) = (UInt64(uint32(at: offset)), UInt64(uint32(at: offset + 4)))
        return order == .big ? first << 32 | second : second << 32 | first
    }

    /// Hands each option that is whole to `body`. An option that runs out of its block ends the list.
    func forEachOption(from offset: Int, _ body: (_ code: UInt16, _ value: ArraySlice<UInt8>) -> Void) {
        var offset = offset
        while octets.count - offset >= 4 {
            let code = uint16(at: offset)
            let length = Int(uint16(at: offset + 2))
            guard code != Pcapng.Option.end, octets.count - offset - 4 >= length else { return }
            let start = octets.startIndex + offset + 4
            body(code, octets[start..<start + length])
            offset += 4 + (length + 3) & ~3
        }
    }
}
