public import SMP
import Synchronization

/// The person who wears a strap, and answers what it asks.
public struct Wearer: Hashable, Sendable {
    /// The passkey that the wearer enters where the host shows none that could be seen; `nil` for nobody there.
    public var passkey: Passkey?
    /// Whether the wearer says yes to a number, unless the host shows another one.
    public var confirms = true
    /// How long the wearer takes.
    public var hesitation = Duration.seconds(2)

    public init() {}

    /// What the wearer says.
    func answer(_ question: PairingQuestion, seeing screen: HostScreen?) -> PairingAnswer {
        let seen = screen?.passkey
        switch question {
        case .passkey:
            return (seen ?? passkey).map { .passkey($0) } ?? .none
        case .comparison(let number):
            return .comparison(confirms && (seen == nil || seen == number))
        }
    }
}

/// The host's screen, which the wearer of a simulated strap can see: whoever shows something there says so here.
public final class HostScreen: Sendable {
    private let shown = Mutex<Passkey?>(nil)

    public init() {}

    /// What is shown, to be entered on the strap or to be compared.
    public var passkey: Passkey? {
        get { shown.withLock { $0 } }
        set { shown.withLock { $0 = newValue } }
    }
}
