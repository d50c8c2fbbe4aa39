import HCI
import HeartRate
import Host
public import Simulator
import Wire

/// What happens in one trial: all of it follows from the seed.
public struct TrialPlan: Sendable {
    /// The seed that the rest was drawn from.
    public var seed: UInt64
    /// The controller and the straps.
    public var scenario: Scenario
    /// What goes wrong.
    public var faults: FaultPlan
    var clockJumps: [TrialClock.Jump] = []
    var callers: [CallerPlan] = []
    /// How long callers may go on. What they began is then cancelled.
    var length: Duration
    /// Under which address the host shows itself.
    var ownAddress = OwnAddressPolicy.private
    /// Whether everything is stopped with the callers in mid-work, instead of after them.
    var stopsAbruptly = false

    /// How long after the faults' end every monitored strap is heard again, at the latest: a request that got no answer takes half a
    /// minute, and the disconnection some seconds.
    static let timeToHeal: Duration = .seconds(100)

    /// Whether a strap may ask in vain for other parameters, and leave for it again and again: it asks in a way of which the controller
    /// tells only a host that knows that it can.
    var mayAskInVain: Bool {
        faults.holds([.lostAnswer, .lateAnswer, .misnamedAnswer])
            && scenario.straps.contains { $0.parameterWish?.channel == .linkLayer }
    }
}

/// Somebody who uses the host.
struct CallerPlan: Hashable, Sendable {
    enum Task: Hashable, Sendable {
        /// Keeps a strap's heart rate coming.
        case monitor(HeartRateMonitor.Wanted)
        /// Listens to advertisements.
        case scan(isActive: Bool)
        /// Connects and does some things.
        case visit(DeviceAddress, within: Duration, [Act])
        /// Lets time pass.
        case wait(Duration)
    }

    /// What a visitor does.
    enum Act: Hashable, Sendable {
        case discover
        case discoverService(UInt16)
        case exchangeMTU
        case readSignalStrength
        case read(UInt16)
        /// Several reads at the same time.
        case readMany(Int)
        case write(UInt16)
        case writeWithoutResponse(UInt16, times: Int)
        case listen(values: Int)
        case pause(Duration)
    }

    var task: Task
    var begins: Duration
    /// When it is cancelled, if it has not ended.
    var ends: Duration?
}

extension TrialPlan: CustomStringConvertible {
    public var description: String {
        var lines = ["seed \(seed), \(length), \(scenario.summary)\(stopsAbruptly ? ", stopped abruptly" : "")"]
        lines.append("faults: \(faults)")
        lines += clockJumps.map { "clock: at \($0.at) by \($0.by), set by \($0.setting)" }
        lines += callers.map { caller in
            "caller: from \(caller.begins) to \(caller.ends.map { "\($0)" } ?? "the end"): \(caller.task)"
        }
        return lines.joined(separator: "\n")
    }
}
