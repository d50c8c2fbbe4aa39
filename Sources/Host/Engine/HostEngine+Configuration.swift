public import Wire

extension HostEngine {
    /// What the engine does not decide by itself.
    public struct Configuration: Hashable, Sendable {
        /// The name that peers read from our own small server.
        public var name = "hr-raw"
        /// The random static address to use where the controller has no public one. The two top bits are set in any case, as static
        /// addresses have them (Core Vol 6, Part B, 1.3.2.1).
        public var staticAddress: Address

        /// - Parameter staticAddress: best kept per adapter, so that peers recognise the host
        public init(staticAddress: Address = Address(rawValue: 0xC0DE_0000_0001)) {
            self.staticAddress = Address(rawValue: staticAddress.rawValue | 0xC000_0000_0000)
        }
    }
}
