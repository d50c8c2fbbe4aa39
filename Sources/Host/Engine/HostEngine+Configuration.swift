public import Wire

extension HostEngine {
    /// What the engine does not decide by itself.
    public struct Configuration: Hashable, Sendable {
        /// The name that peers read from our own small server.
        public var name = "hr-raw"
        /// The random static address to use where the controller has no public one. The two top bits are set in any case, as static
        /// addresses have them (Core Vol 6, Part B, 1.3.2.1).
        public var staticAddress: Address
        /// The private addresses of a recorded host that is to be repeated; `nil` for a host that makes its own.
        public var recordedAddresses: RecordedAddresses?

        /// - Parameter staticAddress: best kept per adapter, so that peers recognise the host
        public init(staticAddress: Address = Address(rawValue: 0xC0DE_0000_0001)) {
            self.staticAddress = Address(rawValue: staticAddress.rawValue | 0xC000_0000_0000)
        }
    }

    /// The private addresses that a host showed.
    public struct RecordedAddresses: Hashable, Sendable {
        /// In the order in which it showed them; after the last it keeps that.
        public var addresses: [Address]
        /// Whether it connected under them, and did not merely scan.
        public var connects: Bool

        public init(_ addresses: [Address], connects: Bool) {
            self.addresses = addresses
            self.connects = connects
        }
    }
}
