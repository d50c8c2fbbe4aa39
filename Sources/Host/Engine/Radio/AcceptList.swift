import HCI

/// What is known of the controller's filter accept list (Core Vol 6, Part B, 4.3.1), and whether it is worth using.
///
/// A controller may lack it, hold few entries, or take the commands and then connect to nobody on it. So it is trusted only once an
/// initiation with it has led to a connection; until then its turns are short, and direct attempts come between them.
struct AcceptList: Hashable, Sendable {
    /// Whether the controller is asked to use it at all.
    private(set) var isUsable = true
    /// How many entries it has; `nil` while that was not read.
    private(set) var size: Int?
    /// What is on it; `nil` where that is not known, so that it has to be emptied first.
    private var entries: [DeviceAddress]?
    /// Whether it has led to a connection.
    private(set) var isProven = false
    /// Turns without a connection while it was not proven.
    private var vainTurns = 0
    /// Devices that were on it in vain and answered a direct attempt.
    private var doubts = 0

    /// How long it is tried the first time; twice as long each further time, up to the longest.
    static let firstTurn: Duration = .seconds(2)
    static let longestTurn: Duration = .seconds(64)
    /// So many doubts are enough: one alone may be a strap that was switched on just then.
    static let mostDoubts = 2

    /// How many devices may be on it, as far as is known.
    var capacity: Int { isUsable ? size ?? .max : 0 }

    /// How long an initiation with it lasts while it is not proven.
    var turn: Duration { min(Self.firstTurn * (1 << min(vainTurns, 5)), Self.longestTurn) }

    /// The next command on the way to a list of exactly these devices; `nil` when it is one.
    func nextCommand(towards wanted: [DeviceAddress]) -> Radio.Command? {
        guard size != nil else { return .readListSize }
        guard let entries else { return .clearList }
        if let superfluous = entries.first(where: { !wanted.contains($0) }) { return .removeFromList(superfluous) }
        return wanted.first { !entries.contains($0) }.map { .addToList($0) }
    }

    /// The controller told how many entries there are.
    mutating func learn(size: Int) {
        self.size = size
        if size == 0 { isUsable = false }
    }

    /// The controller answered a command about the list; `nil` stands for success.
    mutating func answered(_ command: Radio.Command, _ failure: HostError?) {
        switch (command, failure) {
        case (.clearList, nil):
            entries = []
        case (.addToList(let device), nil):
            entries?.append(device)
        case (.removeFromList(let device), nil):
            entries?.removeAll { $0 == device }
        case (.readListSize, nil):
            // A controller that says yes and gives no number.
            if size == nil { isUsable = false }
        case (.addToList, .command(.refused(_, .memoryCapacityExceeded))):
            // It holds less than it said.
            learn(size: entries?.count ?? 0)
        case (.removeFromList, _):
            entries = nil
        default:
            isUsable = false
        }
    }

    /// It cannot be used on this controller.
    mutating func giveUp() { isUsable = false }

    /// An initiation with it led to a connection.
    mutating func prove() {
        isProven = true
        doubts = 0
    }

    /// An initiation with it was waited for in vain.
    mutating func noteVainTurn() { vainTurns += 1 }

    /// A device that had been on it in vain answered a direct attempt.
    mutating func doubt() {
        guard !isProven else { return }
        doubts += 1
        if doubts >= Self.mostDoubts { isUsable = false }
    }
}
