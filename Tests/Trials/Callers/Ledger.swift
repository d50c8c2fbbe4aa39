import Host
import Synchronization
import Wire

/// Which calls are open, and that each comes back once and in time.
final class Ledger: Sendable {
    private struct Call {
        var name: String
        var begun: Moment
    }

    private struct State {
        var next = 0
        var open: [Int: Call] = [:]
        var calls = 0
    }

    private let state = Mutex(State())
    private let link: TrialLink

    init(_ link: TrialLink) { self.link = link }

    /// The calls that have not come back.
    var open: [String] {
        state.withLock { state in
            state.open.sorted { $0.key < $1.key }.map { "\($0.value.name) since \($0.value.begun - .zero)" }
        }
    }

    /// How many calls there were.
    var calls: Int { state.withLock { $0.calls } }

    /// Makes a call that comes back within `bound`.
    func call<Value: Sendable>(
        _ name: String, within bound: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        let (number, begun, jumped) = begin(name)
        defer { end(number, name, begun, jumped, bound) }
        do {
            return try await body()
        } catch {
            link.note("\(name): \(error)", 0)
            throw error
        }
    }

    private func begin(_ name: String) -> (Int, Moment, Duration) {
        let now = link.now
        link.note(name, 1)
        return state.withLock { state in
            state.next += 1
            state.calls += 1
            state.open[state.next] = Call(name: name, begun: now)
            return (state.next, now, link.jumped)
        }
    }

    private func end(_ number: Int, _ name: String, _ begun: Moment, _ jumped: Duration, _ bound: Duration) {
        state.withLock { $0.open[number] = nil }
        let taken = link.now - begun
        if taken > bound + (link.jumped - jumped) { link.object("\(name) took \(taken), and \(bound) was its bound") }
    }
}
