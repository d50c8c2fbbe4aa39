import HCI
import HeartRate
import Host
import Synchronization
import Wire

extension Diagnosis {
    /// How long the next measurement is waited for: some devices need almost half a minute for the first.
    private static let patience: Duration = .seconds(30)

    /// How listening came to its end.
    private enum End {
        case heardEnough
        case silence
        case linkEnded
    }

    /// Listens until it is clear whether heart rates come.
    func listen(to subscription: Subscription, of peer: Peer, _ habit: Habit?) async throws -> Finding {
        let start = await central.now
        let log = PulseLog(start: start)
        let until = start + (question.duration ?? .zero)
        let end = try await withThrowingTaskGroup(of: End.self) { group in
            group.addTask {
                for await case .value(let notification) in subscription.notifications {
                    log.take(HeartRateMeasurement(decoding: notification.value), at: notification.moment)
                    if log.pulse.isClear, notification.moment >= until { return .heardEnough }
                }
                return .linkEnded
            }
            group.addTask {
                while true {
                    let due = log.lastHeard + Self.patience
                    guard await central.now < due else { return .silence }
                    try await central.wait(due - central.now)
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .linkEnded
        }
        return try await judge(log.pulse, end, of: peer, habit)
    }

    private func judge(_ pulse: Pulse, _ end: End, of peer: Peer, _ habit: Habit?) async throws -> Finding {
        switch end {
        case .heardEnough:
            return try pulse.finding(habit: habit).get()
        case .silence where pulse.count > 0 && !pulse.rates.isEmpty:
            throw Impasse(
                .heartRate, .unavailable, "The device falls silent",
                "after \(pulse.count) measurements nothing more came in \(Self.patience)",
                advice: "Wear it, and look whether its measuring or its broadcast was stopped.")
        case .silence:
            return try pulse.finding(habit: habit).get()
        case .linkEnded:
            let status = await peer.ending ?? .unspecifiedError
            var impasse = Impasse(.link, .disconnected(status), habit: habit)
            impasse.finding.detail += ", after \(pulse.count) measurements"
            guard status != .lostWithController else { throw impasse }
            // One that measures nothing leaves for that reason.
            if pulse.count > 0, case .failure(let absence) = pulse.finding(habit: habit) {
                impasse.gist = absence.gist
                impasse.finding.advice = absence.finding.advice
            }
            throw impasse
        }
    }
}

/// The measurements as they come, between the task that takes them and the one that waits for them in vain.
private final class PulseLog: Sendable {
    private let state: Mutex<(pulse: Pulse, lastHeard: Moment)>

    init(start: Moment) { state = Mutex((Pulse(), start)) }

    func take(_ measurement: HeartRateMeasurement, at moment: Moment) {
        state.withLock { state in
            state.pulse.take(measurement, at: moment)
            state.lastHeard = moment
        }
    }

    var pulse: Pulse { state.withLock { $0.pulse } }
    var lastHeard: Moment { state.withLock { $0.lastHeard } }
}
