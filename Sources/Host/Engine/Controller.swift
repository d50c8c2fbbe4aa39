public import HCI
public import Wire

/// What is known of the controller, learnt while it was made ready.
public struct Controller: Hashable, Sendable {
    /// The public address; zero on controllers that have none.
    public var publicAddress = Address.zero
    /// Versions and manufacturer; `nil` where it did not tell.
    public var version: ReadLocalVersionInformation.ReturnParameters?
    /// The commands that it claims to know.
    public var supportedCommands = SupportedCommands()
    /// What it can do in general.
    public var features = LocalFeatures()
    /// What its LE half can do.
    public var lowEnergyFeatures = LEFeatures()
    /// Under which address the host scans and connects.
    public var ownAddress = DeviceAddress.zero
    /// Whether the extended family of scanning and connecting commands is used. The two families are never mixed
    /// (Core Vol 4, Part E, 3.1.1).
    public var usesExtendedCommands = false

    public init() {}

    /// Whether an optional command should be sent: the controller says that it knows it, or has not said what it knows.
    func offers(_ opcode: HCI.Opcode) -> Bool {
        supportedCommands == SupportedCommands() || supportedCommands.contains(opcode)
    }
}
