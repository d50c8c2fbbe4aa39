import Synchronization

/// What may be asked of a strap besides its heart rate: nothing any more of one that has left twice in a row rather than answer, or has
/// not answered at all, for its heart rate is worth more than its name.
final class Tact: Sendable {
    private static let mostCutOffs = 2

    /// Links in a row that ended before all was answered.
    private let cutOffs = Mutex(0)

    var allowsQuestions: Bool { cutOffs.withLock { $0 < Self.mostCutOffs } }

    /// The link ended before all was answered.
    func wasCutOff() { cutOffs.withLock { $0 += 1 } }

    /// All was answered, be it by refusals.
    func wasAnswered() { cutOffs.withLock { $0 = 0 } }
}
