import CHCI
import Wire

/// What a descriptor is ready for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt32

    static let readable = Readiness(rawValue: UInt32(CHCI_READABLE))
    static let writable = Readiness(rawValue: UInt32(CHCI_WRITABLE))
    /// Always watched for.
    static let failed = Readiness(rawValue: UInt32(CHCI_FAILED))
    /// Always watched for.
    static let hungUp = Readiness(rawValue: UInt32(CHCI_HUNG_UP))
}

/// A descriptor under watch. Ends with its owner; must end before the descriptor is closed.
struct Watch: ~Copyable {
    private let reactor: Reactor
    private let descriptor: Int32
    private let key: Reactor.Key
    /// What is waited for now.
    private var interest: Readiness

    init(reactor: Reactor, descriptor: Int32, key: Reactor.Key, interest: Readiness) {
        self.reactor = reactor
        self.descriptor = descriptor
        self.key = key
        self.interest = interest
    }

    /// From now on waits for this. Asked after every packet, so only a change costs a system call.
    mutating func change(to readiness: Readiness) {
        guard readiness != interest else { return }
        interest = readiness
        reactor.change(descriptor, key, to: readiness)
    }

    deinit { reactor.forget(descriptor, key) }
}

/// One call at a moment of the machine's clock. Ends with its owner.
struct LoopAlarm: ~Copyable {
    private let reactor: Reactor
    private let key: Reactor.Key

    init(on loop: EventLoop, _ handler: @escaping @Sendable (Moment) -> Void) {
        reactor = loop.reactor
        key = loop.reactor.addAlarm(handler)
    }

    /// Replaces the moment set before; `nil` takes it back.
    func set(_ moment: Moment?) {
        reactor.setAlarm(key, moment)
    }

    deinit { reactor.removeAlarm(key) }
}

/// A call whenever the loop has nothing else to do; the handler answers whether it found anything. Ends with its owner.
struct LoopIdler: ~Copyable {
    private let reactor: Reactor
    private let key: Reactor.Key

    init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Bool) {
        reactor = loop.reactor
        key = loop.reactor.addIdler(handler)
    }

    deinit { reactor.removeIdler(key) }
}
