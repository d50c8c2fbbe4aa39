/// What arrives on a stream whose reader may be slower than its writer: values, and how many did not fit.
public enum Delivery<Value: Sendable>: Sendable {
    case value(Value)
    /// So many values were missed between the one before and the one behind.
    case gap(Int)
}

extension Delivery: Equatable where Value: Equatable {}

/// The writing end of a stream that never holds more than its bound, and never drops a value in silence.
struct Outlet<Value: Sendable> {
    private let continuation: AsyncStream<Delivery<Value>>.Continuation
    private var missed = 0

    /// Makes both ends. `bound` counts values that wait for the reader.
    static func make(bound: Int) -> (outlet: Outlet, stream: AsyncStream<Delivery<Value>>) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Delivery<Value>.self, bufferingPolicy: .bufferingOldest(bound))
        return (Outlet(continuation: continuation), stream)
    }

    private init(continuation: AsyncStream<Delivery<Value>>.Continuation) {
        self.continuation = continuation
    }

    mutating func send(_ value: Value) {
        if missed > 0 {
            guard case .enqueued = continuation.yield(.gap(missed)) else {
                missed += 1
                return
            }
            missed = 0
        }
        if case .dropped = continuation.yield(.value(value)) { missed += 1 }
    }

    func finish() { continuation.finish() }

    /// Calls `work` when the reader has gone.
    func onReaderGone(_ work: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in work() }
    }
}
