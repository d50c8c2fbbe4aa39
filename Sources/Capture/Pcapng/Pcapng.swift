/// The container of pcapng: blocks, each with its type and its length before and its length behind. A section begins with a block
/// that tells the byte order; the interfaces that its packets were captured on are described by blocks, too.
enum Pcapng {
    enum BlockType {
        /// Reads the same in both byte orders.
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let obsoletePacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6
    }

    enum Option {
        static let end: UInt16 = 0
        static let comment: UInt16 = 1
        /// Of a packet: bits 0 and 1 tell the direction.
        static let packetFlags: UInt16 = 2
        /// Of an enhanced packet: how many were lost before it, in 64 bits.
        static let dropCount: UInt16 = 4
        /// Of an interface: the power of ten, or with the top bit of two, by which a second is divided.
        static let timeResolution: UInt16 = 9
        /// Of an interface: seconds to be added to its times, signed, in 64 bits.
        static let timeOffset: UInt16 = 14
        /// Of an interface: its name in the system.
        static let interfaceName: UInt16 = 2
        /// Of a section: the program that wrote it.
        static let userApplication: UInt16 = 4
    }

    static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    static let majorVersion: UInt16 = 1
    /// Type, length, and the length again behind the body.
    static let blockFrameCount = 12
    /// A block that is read as a whole is not longer than this; blocks that nothing is read from may be.
    static let longestBlock = 1 << 20
    /// The packet flags' bits of the direction.
    static let inbound: UInt32 = 1
    static let outbound: UInt32 = 2
}
