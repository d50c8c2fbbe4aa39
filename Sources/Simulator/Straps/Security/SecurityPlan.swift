public import ATT
public import SMP

/// What protection a strap demands, how it pairs, and what it remembers of it.
public struct SecurityPlan: Hashable, Sendable {
    /// What has to be so before somebody may use an attribute.
    public struct Demand: Hashable, Sendable {
        /// How well the link is protected at least.
        public var level: SecurityLevel
        /// What the strap says to whoever comes with less.
        public var refusal: ErrorCode
        /// How many octets the key has at least; less is refused with Encryption Key Size Too Short (0x0C).
        public var keySize: Int

        public init(_ level: SecurityLevel, refusal: ErrorCode, keySize: Int = 7) {
            self.level = level
            self.refusal = refusal
            self.keySize = keySize
        }
    }

    /// How long it keeps what a pairing has brought.
    public enum Memory: Hashable, Sendable {
        /// For ever.
        case lasting
        /// Until its power is gone: it vanishes.
        case untilSwitchedOff
        /// For so many connections after the one in which it was paired.
        case forConnections(Int)
    }

    /// It hides behind private addresses.
    public struct Hiding: Hashable, Sendable {
        /// The key that tells them from others; handed out when pairing.
        public var key: SecretKey
        /// How long it keeps each.
        public var period: Duration

        public init(key: SecretKey, period: Duration) {
            self.key = key
            self.period = period
        }
    }

    /// How it pairs. It takes keys of any size, unless it is told otherwise.
    public var policy: PairingPolicy
    /// What `policy.outOfBand` is made of.
    public var outOfBand: Leaflet?
    /// What switching its measurements on takes; `nil` for nothing.
    public var measurement: Demand?
    /// What its battery's level takes, to be read and to be told.
    public var battery: Demand?
    /// What all else takes that can be read or written, but for the two services that each device has.
    public var rest: Demand?
    /// Whether all its random values of a link are the same, which gives away what they hide.
    public var hasOneRandomValue = false
    /// For which level it asks by itself when it is connected; `nil` for none.
    public var requests: SecurityLevel?
    /// Who wears it.
    public var wearer = Wearer()
    /// How long it keeps its bonds.
    public var memory = Memory.lasting
    /// Whether it keeps, with the bond, what the central has subscribed to.
    public var keepsSubscriptions = false
    /// Whether it takes connections from none but those that it is bonded with, once there is one.
    public var acceptsOnlyBonded = false
    /// Whether its advertisements are for the one that it was bonded with last, once there is one.
    public var advertisesToBonded = false
    /// How it hides its address; `nil` where it does not.
    public var hiding: Hiding?

    public init(_ policy: PairingPolicy = .simulated) { self.policy = policy }
}

extension PairingPolicy {
    /// That of a device without buttons and display that bonds with anybody.
    public static var simulated: PairingPolicy {
        var policy = PairingPolicy()
        policy.minimumKeySize = 7
        return policy
    }
}
