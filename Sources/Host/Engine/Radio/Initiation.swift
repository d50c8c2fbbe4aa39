import HCI
import Wire

extension Radio {
    /// One wish for a connection.
    struct Attempt: Hashable, Sendable {
        var ticket: Ticket
        var target: DeviceAddress
        var parameters: InitialParameters
        var deadline: Moment
        /// Attempts that ended with 0x3E, Connection Failed to be Established.
        var failures = 0
        /// Whether it has had a turn; it interrupts nobody else's then.
        var hasHadTurn = false
        /// Whether a turn of the filter accept list with it on it was in vain.
        var wasListedInVain = false
        /// Whether its asker went away while the controller could not be told.
        var isUnwanted = false
    }

    /// Attempts that the controller makes together: all to one device, or each to one on the filter accept list.
    struct Initiation: Hashable, Sendable {
        var attempts: [Attempt]
        /// Whether the filter accept list is used (Core Vol 6, Part B, 4.3.5).
        var isListed: Bool

        /// The devices that are wanted, each once, the first first.
        var targets: [DeviceAddress] { attempts.map(\.target).firstOfEach }

        /// What the connection is asked for with: the first attempt's wish.
        var parameters: InitialParameters { attempts.first?.parameters ?? .heartRate }

        /// Which of the host's addresses it is made with.
        var ownAddress: OwnAddressUse { parameters.ownAddress ?? .identity }

        /// Until when all are content to wait.
        var deadline: Moment? { attempts.map(\.deadline).min() }

        func holds(_ address: Address) -> Bool { attempts.contains { $0.target.address == address } }
    }
}

extension [DeviceAddress] {
    /// Each address once, where it stands first.
    var firstOfEach: [DeviceAddress] {
        var seen: Set<Address> = []
        return filter { seen.insert($0.address).inserted }
    }
}
