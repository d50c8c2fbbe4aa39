public import HCI
public import Wire

/// What the simulated controller is, can do, and does wrong.
public struct ControllerPlan: Hashable, Sendable {
    /// The public address; never one of a real device: 00:00:5E is set aside for documents (RFC 7042, 2.1.2).
    public var address = Address(rawValue: 0x00_00_5E_00_53_00)
    /// The version that it claims.
    public var version = SpecificationVersion(rawValue: 0x0C)
    /// What its LE half can do.
    public var features: LEFeatures = .simulated
    /// The commands it says it knows.
    public var commands: [Opcode] = .modern

    /// ACL packets held for LE, and the octets of each; zeros where LE shares the buffers of BR/EDR.
    public var lowEnergyBuffers = Buffers(count: 8, length: 251)
    /// ACL packets held for BR/EDR.
    public var classicBuffers = Buffers(count: 0, length: 0)

    /// The handle of the first connection. Some controllers begin at 0, which failed attempts name, too.
    public var firstHandle = ConnectionHandle(rawValue: 0x040)
    /// How many connections it holds at a time.
    public var mostConnections = 32
    /// How many entries its filter accept list has.
    public var filterAcceptListSize = 16
    /// How many entries its resolving list has.
    public var resolvingListSize = 8
    /// Devices that the duplicate filter remembers; it reports again what it had to forget.
    public var duplicateFilterSize = 64

    /// Commands that may be under way at the same time.
    public var commandCredits: UInt8 = 1
    /// From a command to its answer.
    public var commandTime = Duration.microseconds(300)

    /// Whether scanning goes on while a connection is initiated.
    public var scansWhileInitiating = true
    /// Whether Number Of Completed Packets obeys the mask bit that it once had. The specification says that it cannot be masked; some
    /// controllers do it all the same.
    public var masksCompletedPackets = false

    /// Answers nothing at all.
    public var isSilent = false
    /// Commands that are refused, whatever Supported Commands says.
    public var refused: [Opcode: Status] = [:]
    /// Commands that are never answered.
    public var unanswered: Set<Opcode> = []

    public init() {}

    /// Room for ACL packets.
    public struct Buffers: Hashable, Sendable {
        /// How many packets it holds at a time.
        public var count: Int
        /// Octets of data in each.
        public var length: Int

        public init(count: Int, length: Int) {
            self.count = count
            self.length = length
        }
    }

    /// The buffers that LE data goes through.
    var buffers: Buffers {
        lowEnergyBuffers.count == 0 || lowEnergyBuffers.length == 0 ? classicBuffers : lowEnergyBuffers
    }

    /// The same, recognising no private addresses: that is left to the host.
    public var withoutPrivacy: ControllerPlan {
        var plan = self
        plan.features.subtract([.privacy, .extendedScanningFilterPolicies])
        plan.commands.removeAll { [Opcode].resolvingList.contains($0) }
        return plan
    }

    /// The same without all that it cannot do unless somebody lends it AES.
    var withoutCryptography: ControllerPlan {
        var plan = withoutPrivacy
        plan.commands.removeAll { $0 == LEEncrypt.opcode }
        return plan
    }

    /// Whether the command is executed, as far as the plan goes.
    func knows(_ opcode: Opcode) -> Bool { commands.contains(opcode) }
}

extension LEFeatures {
    /// Those of a common 5.x controller, as far as the simulator acts on them.
    static let simulated: LEFeatures = [
        .encryption, .connectionParametersRequest, .extendedReject, .dataPacketLengthExtension, .privacy, .le2M,
        .extendedAdvertising, .channelSelectionAlgorithm2, .extendedScanningFilterPolicies,
    ]

    /// Those of a Bluetooth 4.0 dongle.
    static let oldest: LEFeatures = [.encryption]
}
