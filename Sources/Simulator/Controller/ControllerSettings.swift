import HCI
import Wire

/// All that HCI Reset sets back (Core Vol 4, Part E, 7.3.2).
struct ControllerSettings: Hashable, Sendable {
    /// By default everything that Bluetooth 1.1 knew: LE events are off.
    var eventMask = EventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
    var lowEnergyEventMask = LEEventMask.oldest
    var randomAddress: Address?
    /// The family of advertising, scanning and initiating commands in use; the other is refused until the next reset.
    var family: CommandFamily?
    var scan: ScanSettings?
    var scanning: Scanning?
    var initiation: Initiation?
    var filterAcceptList: [DeviceAddress] = []
    var resolvingList = ResolvingList()
    var suggestedOctets: UInt16 = 27
    /// Microseconds.
    var suggestedTime: UInt16 = 328
}

/// Two sets of commands that may not be mixed (Core Vol 4, Part E, 3.1.1).
enum CommandFamily: Hashable, Sendable {
    case legacy
    case extended

    /// The family of a command; `nil` for one that belongs to neither.
    init?(_ opcode: Opcode) {
        switch opcode.rawValue {
        case 0x2006...0x200D: self = .legacy
        case 0x2036...0x2045: self = .extended
        default: return nil
        }
    }
}

/// When the antenna is on.
struct ListeningWindow: Hashable, Sendable {
    var start: Moment
    /// Nanoseconds from one window's start to the next.
    var interval: Int64
    /// Nanoseconds that each window lasts.
    var length: Int64

    init(start: Moment, interval: ScanTime, window: ScanTime) {
        self.start = start
        self.interval = max(interval.duration.wholeNanoseconds, 1)
        length = window.duration.wholeNanoseconds
    }

    func isOpen(at moment: Moment) -> Bool {
        length == interval || moment.nanoseconds(since: start) % interval < length
    }

    /// What is allowed: 2.5 ms to 10.24 s, and no window longer than the interval (Core Vol 4, Part E, 7.8.10).
    static func isValid(interval: ScanTime, window: ScanTime) -> Bool {
        let times: ClosedRange<UInt16> = 0x0004...0x4000
        return times.contains(interval.rawValue) && times.contains(window.rawValue) && window <= interval
    }
}

/// How to scan.
struct ScanSettings: Hashable, Sendable {
    var isActive: Bool
    var interval: ScanTime
    var window: ScanTime
    var ownAddressKind: OwnAddressKind
    var filterPolicy: ScanFilterPolicy

    /// What a controller does that was told nothing: it listens all the time and asks for nothing.
    static let byDefault = ScanSettings(
        isActive: false, interval: ScanTime(rawValue: 0x0010), window: ScanTime(rawValue: 0x0010),
        ownAddressKind: .public, filterPolicy: .all)
}

/// A scan under way.
struct Scanning: Hashable, Sendable {
    var settings: ScanSettings
    var window: ListeningWindow
    var isExtended: Bool
    var filter: DuplicateMemory?
    /// When a scan with a duration ends.
    var ends: Moment?
}

/// An attempt to connect under way.
struct Initiation: Hashable, Sendable {
    /// `nil` for anybody on the filter accept list.
    var target: DeviceAddress?
    var ownAddressKind: OwnAddressKind
    var parameters: ConnectionParameters
    var window: ListeningWindow
}

/// The advertisements reported already, as many as the controller can keep in mind.
struct DuplicateMemory: Hashable, Sendable {
    private struct Seen: Hashable {
        var device: DeviceAddress
        var isScanResponse: Bool
    }

    private let limit: Int
    private var known: Set<Seen> = []
    private var order: [Seen] = []
    private var oldest = 0

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Whether the report is new; remembers it and forgets the oldest for it.
    mutating func isNew(_ device: DeviceAddress, isScanResponse: Bool) -> Bool {
        let seen = Seen(device: device, isScanResponse: isScanResponse)
        guard known.insert(seen).inserted else { return false }
        if order.count < limit {
            order.append(seen)
        } else {
            known.remove(order[oldest])
            order[oldest] = seen
            oldest = (oldest + 1) % limit
        }
        return true
    }
}
