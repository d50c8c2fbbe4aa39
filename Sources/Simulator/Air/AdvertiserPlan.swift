public import HCI
public import SMP
import Wire

/// A device that advertises, and how.
public struct AdvertiserPlan: Hashable, Sendable {
    /// What the advertisement allows and how it is sent.
    public enum Form: Hashable, Sendable {
        /// ADV_IND.
        case connectable
        /// ADV_DIRECT_IND: for this central alone, and without data.
        case directed(to: DeviceAddress)
        /// ADV_SCAN_IND.
        case scannable
        /// ADV_NONCONN_IND.
        case nonConnectable
        /// The data goes on a secondary channel and may be long; only extended scanning hears it.
        case extended
    }

    /// Under which address.
    public enum Identity: Hashable, Sendable {
        case fixed(DeviceAddress)
        /// Resolvable private addresses of a key that nobody knows, a new one every so often.
        case changing(every: Duration)
        /// Resolvable private addresses of this key. Without cryptography nobody can tell them from those of an unknown key.
        case hidden(key: SecretKey, every: Duration)
    }

    /// Under which address it advertises.
    public var identity: Identity
    /// In which kind of PDU.
    public var form: Form
    /// From one advertisement to the next, without the random delay of up to 10 ms that each gets.
    public var interval: Duration
    /// AD structures: 31 octets, or up to 1650 in the extended form.
    public var data: [UInt8]
    /// AD structures for those who ask: 31 octets.
    public var scanResponse: [UInt8]
    /// In dBm, as the host's antenna hears it on average.
    public var level: Int8
    /// How long after the start the device is switched on.
    public var appearsAfter: Duration

    public init(
        identity: Identity, form: Form, interval: Duration, data: [UInt8], scanResponse: [UInt8] = [],
        level: Int8 = -60,
        appearsAfter: Duration = .zero
    ) {
        self.identity = identity
        self.form = form
        self.interval = interval
        self.data = data
        self.scanResponse = scanResponse
        self.level = level
        self.appearsAfter = appearsAfter
    }
}
