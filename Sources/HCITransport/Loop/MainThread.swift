import CHCI
import Glibc
import Synchronization

/// The thread that the program starts on, and the way from it to asynchronous code.
public enum MainThread {
    /// Runs asynchronous code and waits for its result on the calling thread, which does nothing else meanwhile.
    ///
    /// An asynchronous `main` leaves the main thread in the middle of its own exit for the rest of the run (*measured*, Swift 6.3
    /// on Linux). The C library passes it over when it carries a change of user to all threads, and one of them stays root.
    ///
    /// - Throws: `TransportError.system` when the system grants no descriptor.
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) throws(TransportError) -> Value {
        let outcome = Outcome<Value>(done: try OwnedDescriptor(checked: chci_eventfd_create(), "eventfd"))
        // The root of all tasks: nobody could await it.
        Task(operation: { outcome.finish(await body()) })
        return outcome.wait()
    }
}

/// A value that one thread waits for.
private final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let done: OwnedDescriptor

    init(done: consuming OwnedDescriptor) { self.done = done }

    func finish(_ value: Value) {
        self.value.withLock { $0 = value }
        _ = chci_eventfd_signal(done.number)
    }

    func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            var waiting = pollfd(fd: done.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waiting, 1, -1)
        }
    }
}
