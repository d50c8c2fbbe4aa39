public import Wire

/// A Bluetooth adapter as this machine's kernel knows it, at one moment.
public struct Adapter: Hashable, Sendable {
    /// The kernel's number: 0 for `hci0`.
    public var index: UInt16
    /// The public address; `nil` while the kernel has not read it, or the adapter has none.
    public var address: Address?
    /// How the adapter hangs on the machine.
    public var bus: Bus
    /// Whether it is powered: by bluetoothd, by hand, or by the program that holds its user channel.
    public var isUp: Bool
    /// Whether the kernel is setting it up, which takes a moment after it was plugged in.
    public var isSettingUp = false
    /// Whether another program holds its user channel; `nil` when the kernel does not tell.
    public var isHeld: Bool?
    /// Who holds it, when its lock file says.
    public var holder: AdapterHolder?
    /// Whether it speaks Bluetooth LE; `nil` while the kernel has not asked it.
    public var supportsLowEnergy: Bool?
    /// What rfkill has against it.
    public var block: Block?
    /// The peers of the connections that other programs have over it.
    public var connections: [Address] = []
    /// Whether this process may take it: CAP_NET_ADMIN.
    public var isPermitted: Bool
    /// Whether bluetoothd runs, which loses the adapter meanwhile.
    public var isManaged = false
    /// What a run that was killed has left to do: put the adapter up again.
    public var restoration: Restoration?

    /// A block by rfkill(8).
    public enum Block: Hashable, Sendable {
        /// By software: `rfkill unblock bluetooth` lifts it.
        case soft
        /// By a switch or a key of the machine, which no command undoes.
        case hard
    }

    /// Whether it was up before any run of this program took it: it is up now, or a killed run found it up.
    var wasUp: Bool { isUp || restoration != nil }

    /// `hci0`.
    public var name: String { "hci\(index)" }
}

extension Adapter {
    /// The kernel's number for the kind of bus, `HCI_USB` and its like.
    public struct Bus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        private static let names = [
            "virtual", "USB", "PC Card", "UART", "RS-232", "PCI", "SDIO", "SPI", "I2C", "SMD", "virtio", "IPC",
        ]

        public var description: String {
            Int(rawValue) < Bus.names.count ? Bus.names[Int(rawValue)] : "bus \(rawValue)"
        }
    }
}

/// A run that was killed has taken an adapter down and not put it up again.
public struct Restoration: Hashable, Sendable {
    /// The adapter's index when it was taken.
    public let index: UInt16
    /// The adapter's address, by which it is known again.
    public let address: Address
    /// Who had taken it.
    public let holder: AdapterHolder
    /// The lock file that says so.
    let path: String
}
