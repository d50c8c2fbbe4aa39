import CHCI
import Glibc
import Synchronization
import Wire

/// What the loop's thread works on: jobs from any thread; descriptors, alarms and idle calls from the loop itself.
///
/// The thread holds the reactor, not the loop, so that the loop ends when nobody else holds it. Everything mutable lies behind
/// a mutex. Handlers run outside it, so they may add, change and remove handlers, their own included.
final class Reactor: Sendable {
    typealias DescriptorHandler = @Sendable (Readiness) -> Void

    /// Names a registration; never used twice, so that an event for one that is gone finds nobody.
    typealias Key = UInt64

    /// What other threads, and the loop itself, give to the loop; done in the order it came.
    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        weak var loop: EventLoop?
        var work: [Work] = []
        /// The eventfd has been signalled and not yet read.
        var isSignalled = false
        var isStopping = false

        var isEmpty: Bool { work.isEmpty && !isStopping }
    }

    private struct Alarm {
        var moment: Moment?
        let handler: @Sendable (Moment) -> Void
    }

    private struct Registry {
        var nextKey: Key = Reactor.firstFreeKey
        var descriptors: [Key: DescriptorHandler] = [:]
        var alarms: [Key: Alarm] = [:]
        var idlers: [Key: @Sendable () -> Bool] = [:]
        /// What the timer is set to.
        var armed: Moment?

        mutating func newKey() -> Key {
            defer { nextKey &+= 1 }
            return nextKey
        }
    }

    private static let wakeKey: Key = 0
    private static let timerKey: Key = 1
    private static let firstFreeKey: Key = 2

    private let epoll: OwnedDescriptor
    private let wake: OwnedDescriptor
    private let timer: OwnedDescriptor
    private let inbox = Mutex(Inbox())
    private let registry = Mutex(Registry())
    private let thread = Atomic<UInt>(0)

    init() throws(TransportError) {
        epoll = try OwnedDescriptor(checked: chci_epoll_create(), "epoll_create1")
        wake = try OwnedDescriptor(checked: chci_eventfd_create(), "eventfd")
        timer = try OwnedDescriptor(checked: chci_timer_create(), "timerfd_create")
        try check(chci_epoll_add(epoll.number, wake.number, Readiness.readable.rawValue, Reactor.wakeKey), "epoll_ctl")
        try check(
            chci_epoll_add(epoll.number, timer.number, Readiness.readable.rawValue, Reactor.timerKey), "epoll_ctl")
    }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }
}

// MARK: - From any thread

extension Reactor {
    func attach(_ loop: EventLoop) {
        inbox.withLock { $0.loop = loop }
    }

    func enqueue(_ job: UnownedJob) {
        signal { $0.work.append(.job(job)) }
    }

    /// Calls `call` on the loop, behind everything given to the loop before.
    func post(_ call: @escaping @Sendable () -> Void) {
        signal { $0.work.append(.call(call)) }
    }

    func stop() {
        signal { $0.isStopping = true }
    }

    /// Changes the inbox and makes sure that the thread looks into it.
    private func signal(_ change: (inout Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if mustWake && !isCurrent { _ = chci_eventfd_signal(wake.number) }
    }

    func startThread() throws(TransportError) {
        var identity = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &identity, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let reactor = unsafe Unmanaged<Reactor>.fromOpaque(context).takeRetainedValue()
                unsafe chci_name_thread("hci loop")
                reactor.thread.store(pthread_self(), ordering: .relaxed)
                reactor.run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            throw .system(errno: result, operation: "pthread_create")
        }
        pthread_detach(identity)
    }
}

// MARK: - On the loop

extension Reactor {
    /// Calls `handler` whenever the descriptor is ready, as long as the watch lives.
    func watch(
        _ descriptor: Int32, for readiness: Readiness, _ handler: @escaping DescriptorHandler
    ) throws(TransportError) -> Watch {
        let key = registry.withLock { registry in
            let key = registry.newKey()
            registry.descriptors[key] = handler
            return key
        }
        let result = chci_epoll_add(epoll.number, descriptor, readiness.rawValue, key)
        guard result >= 0 else {
            registry.withLock { _ = $0.descriptors.removeValue(forKey: key) }
            throw .system(errno: -result, operation: "epoll_ctl")
        }
        return Watch(reactor: self, descriptor: descriptor, key: key, interest: readiness)
    }

    func change(_ descriptor: Int32, _ key: Key, to readiness: Readiness) {
        _ = chci_epoll_change(epoll.number, descriptor, readiness.rawValue, key)
    }

    func forget(_ descriptor: Int32, _ key: Key) {
        _ = chci_epoll_remove(epoll.number, descriptor)
        registry.withLock { _ = $0.descriptors.removeValue(forKey: key) }
    }

    func addAlarm(_ handler: @escaping @Sendable (Moment) -> Void) -> Key {
        registry.withLock { registry in
            let key = registry.newKey()
            registry.alarms[key] = Alarm(moment: nil, handler: handler)
            return key
        }
    }

    func setAlarm(_ key: Key, _ moment: Moment?) {
        registry.withLock { $0.alarms[key]?.moment = moment }
        // The thread sets the timer before it rests; from elsewhere it has to be told.
        if !isCurrent { signal { _ in } }
    }

    func removeAlarm(_ key: Key) {
        registry.withLock { _ = $0.alarms.removeValue(forKey: key) }
    }

    /// Calls `handler` whenever there is nothing else to do; it answers whether it found anything.
    func addIdler(_ handler: @escaping @Sendable () -> Bool) -> Key {
        registry.withLock { registry in
            let key = registry.newKey()
            registry.idlers[key] = handler
            return key
        }
    }

    func removeIdler(_ key: Key) {
        registry.withLock { _ = $0.idlers.removeValue(forKey: key) }
    }
}

// MARK: - The thread

extension Reactor {
    private func run() {
        defer { thread.store(0, ordering: .relaxed) }
        var work: [Work] = []
        while runInbox(reusing: &work) {
            setTimer()
            var ready = chci_epoll_wait(epoll.number, mayRest ? -1 : 0)
            // An idle call may have made work for the loop: look again before resting.
            if ready.result == 0 && isInboxEmpty && !runIdlers() {
                setTimer()
                ready = chci_epoll_wait(epoll.number, isInboxEmpty ? -1 : 0)
            }
            if ready.result == 1 { dispatch(ready) }
        }
    }

    /// Does the work that is there now; answers whether the loop goes on.
    private func runInbox(reusing work: inout [Work]) -> Bool {
        let (loop, isStopping) = inbox.withLock { inbox in
            swap(&inbox.work, &work)
            inbox.isSignalled = false
            return (inbox.loop, inbox.isStopping)
        }
        guard let loop, !isStopping else { return false }
        let executor = unsafe loop.asUnownedSerialExecutor()
        for item in work {
            switch item {
            case .job(let job): unsafe job.runSynchronously(on: executor)
            case .call(let call): call()
            }
        }
        work.removeAll(keepingCapacity: true)
        return true
    }

    private var isInboxEmpty: Bool { inbox.withLock { $0.isEmpty } }

    private var mayRest: Bool { isInboxEmpty && registry.withLock { $0.idlers.isEmpty } }

    private func runIdlers() -> Bool {
        let idlers = registry.withLock { $0.idlers }
        return idlers.sorted { $0.key < $1.key }.reduce(false) { $1.value() || $0 }
    }

    /// Sets the timer when the earliest alarm comes before what it is set to. One that comes later costs a spare wake-up
    /// instead of a system call each time an alarm is moved.
    private func setTimer() {
        registry.withLock { registry in
            guard let earliest = registry.alarms.values.compactMap(\.moment).min() else { return }
            if let armed = registry.armed, armed <= earliest { return }
            registry.armed = earliest
            // Zero would take the timer back.
            _ = chci_timer_set(timer.number, max(1, earliest.nanoseconds))
        }
    }

    private func dispatch(_ ready: chci_ready) {
        switch ready.key {
        case Reactor.wakeKey:
            chci_drain(wake.number)
        case Reactor.timerKey:
            chci_drain(timer.number)
            registry.withLock { $0.armed = nil }
            runAlarms()
        default:
            let handler = registry.withLock { $0.descriptors[ready.key] }
            handler?(Readiness(rawValue: ready.events))
        }
    }

    /// Calls each alarm that is due, in the order of their moments; an alarm is taken back before its call.
    private func runAlarms() {
        let now = SystemClock.now
        while let due = takeDueAlarm(at: now) { due(now) }
    }

    private func takeDueAlarm(at now: Moment) -> (@Sendable (Moment) -> Void)? {
        registry.withLock { registry in
            let set = registry.alarms.compactMap { key, alarm in alarm.moment.map { (moment: $0, key: key) } }
            guard let first = set.min(by: { ($0.moment, $0.key) < ($1.moment, $1.key) }), first.moment <= now else {
                return nil
            }
            registry.alarms[first.key]?.moment = nil
            return registry.alarms[first.key]?.handler
        }
    }
}
