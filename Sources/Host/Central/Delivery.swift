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

    func finish() { continuation.finish() }
}
