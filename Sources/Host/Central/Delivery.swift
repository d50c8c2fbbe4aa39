import Synchronization

/// What arrives on a stream whose reader may be slower than its writer: values, and how many did not fit.
public enum Delivery<Value: Sendable>: Sendable {
    case value(Value)
    /// So many values were missed between the one before and the one behind.
    case gap(Int)
}

extension Delivery: Equatable where Value: Equatable {}

/// The writing end of a stream that never holds more than its bound, and never drops a value in silence.
struct Outlet<Value: Sendable> {
    /// What did not fit when the stream ended.
    private final class Rest: Sendable {
        private let missed = Atomic(0)

        func leave(_ count: Int) { missed.store(count, ordering: .releasing) }

        func take() -> Int { missed.exchange(0, ordering: .acquiringAndReleasing) }
    }

    private let continuation: AsyncStream<Delivery<Value>>.Continuation
    private let rest: Rest
    private var missed = 0

    /// Makes both ends. `bound` counts values that wait for the reader.
    static func make(bound: Int) -> (outlet: Outlet, stream: AsyncStream<Delivery<Value>>) {
        let (values, continuation) = AsyncStream.makeStream(
            of: Delivery<Value>.self, bufferingPolicy: .bufferingOldest(bound))
        let rest = Rest()
        // A full stream has no place for the last gap: the reader finds it behind the end.
        let stream = AsyncStream {
            for await delivery in values { return delivery }
            let missed = rest.take()
            return missed > 0 ? Delivery<Value>.gap(missed) : nil
        }
        return (Outlet(continuation: continuation, rest: rest), stream)
    }

    private init(continuation: AsyncStream<Delivery<Value>>.Continuation, rest: Rest) {
        self.continuation = continuation
        self.rest = rest
    }

    /// - Returns: whether there still is a reader
    @discardableResult
    mutating func send(_ value: Value) -> Bool {
        if missed > 0 {
            switch continuation.yield(.gap(missed)) {
            case .enqueued: missed = 0
            case .terminated: return false
            default:
                missed += 1
                return true
            }
        }
        switch continuation.yield(.value(value)) {
        case .dropped: missed += 1
        case .terminated: return false
        default: break
        }
        return true
    }

    func finish() {
        rest.leave(missed)
        continuation.finish()
    }
}
