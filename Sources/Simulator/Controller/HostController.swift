import HCI
import SMP
import Wire

/// The host's controller: HCI on one side, link layers on the other.
struct HostController: Sendable {
    let plan: ControllerPlan
    let noise: Noise
    let toolbox: (any SecurityToolbox)?
    var settings = ControllerSettings()
    var links: [Link] = []
    /// How many random numbers have been given out, and reports sent.
    var randomCount: UInt64 = 0
    var reportCount: UInt64 = 0

    /// Commands taken and not yet executed.
    private var commands: [PendingCommand] = []
    /// Pieces of long advertisements, in the order in which they are due.
    var pieces: [PendingPiece] = []
    private(set) var offences: [Offence] = []
    /// How many offences there were, those included that were too many to keep.
    private(set) var offenceCount = 0

    private static let mostOffences = 64

    /// - Parameter toolbox: without one it claims nothing that needs cryptography of HCI's side
    init(_ plan: ControllerPlan, noise: Noise, toolbox: (any SecurityToolbox)?) {
        self.plan = toolbox == nil ? plan.withoutCryptography : plan
        self.noise = noise
        self.toolbox = toolbox
    }

    private struct PendingCommand: Hashable {
        var due: Moment
        var opcode: Opcode
        var parameters: [UInt8]
    }

    struct PendingPiece: Timed, Hashable, Sendable {
        var due: Moment
        var report: LEExtendedAdvertisingReport.Report
    }

    /// Whether the antenna is on outside connections.
    var isListening: Bool { settings.scanning != nil || settings.initiation != nil }

    /// ACL packets from the host that hold a buffer.
    var buffersInUse: Int { links.reduce(0) { $0 + $1.toPeer.count } }

    mutating func note(_ offence: Offence) {
        offenceCount += 1
        if offences.count < Self.mostOffences { offences.append(offence) }
    }

    // MARK: From the host

    /// Takes one packet, its H4 type octet first.
    mutating func receive(_ octets: [UInt8], at now: Moment, into effects: inout [ControllerEffect]) {
        guard !plan.isSilent else { return }
        var trailing = 0
        guard let packet = try? Packet(decoding: octets.span, trailing: &trailing), trailing == 0 else {
            note(.malformedPacket(octets))
            return
        }
        switch packet {
        case .command(let opcode, let parameters): take(opcode, parameters, at: now)
        case .acl(let packet): take(packet, at: now, into: &effects)
        default: note(.malformedPacket(octets))
        }
    }

    private mutating func take(_ opcode: Opcode, _ parameters: [UInt8], at now: Moment) {
        if opcode == Reset.opcode {
            commands.removeAll()
        } else if commands.count >= Int(max(plan.commandCredits, 1)) {
            note(.commandWithoutCredit(opcode))
            return
        }
        let begin = max(now, commands.last?.due ?? now)
        commands.append(PendingCommand(due: begin + plan.commandTime, opcode: opcode, parameters: parameters))
    }

    /// Begins anew, as after power-on: commands that were taken are forgotten, too.
    mutating func restart(into effects: inout [ControllerEffect]) {
        commands.removeAll()
        reset(into: &effects)
    }

    // MARK: Time

    var nextDeadline: Moment? {
        var earliest = Earliest(commands.first?.due)
        earliest.consider(settings.scanning?.ends)
        earliest.consider(pieces.first?.due)
        for index in links.indices { earliest.consider(links[index].nextDeadline) }
        return earliest.moment
    }

    /// Does one thing that is due by `now`, the earliest.
    mutating func advance(to now: Moment, into effects: inout [ControllerEffect]) {
        if let command = commands.first, command.due <= now {
            commands.removeFirst()
            execute(command.opcode, command.parameters, at: command.due, into: &effects)
        } else if let ends = settings.scanning?.ends, ends <= now {
            settings.scanning = nil
            emit(subevent: .scanTimeout, [], into: &effects)
        } else if let piece = pieces.first, piece.due <= now {
            pieces.removeFirst()
            emit(LEExtendedAdvertisingReport { $0.reports = [piece.report] }, into: &effects)
        } else if let index = links.firstIndex(where: { $0.nextDeadline.map { $0 <= now } ?? false }) {
            advanceLink(index, to: now, into: &effects)
        }
    }

    // MARK: To the host

    /// The credits that an answer grants: what is left of the commands that may be under way.
    var credits: UInt8 { UInt8(clamping: Int(plan.commandCredits) - commands.count) }

    /// Sends an event, if the host has not masked it.
    func emit(_ event: some EventParameters, into effects: inout [ControllerEffect]) {
        guard settings.eventMask.contains(type(of: event).code) else { return }
        effects.append(.host(event.packet))
    }

    /// Sends an LE event, if the host has not masked it.
    func emit<Event: LEEventParameters>(_ event: Event, into effects: inout [ControllerEffect]) {
        emit(subevent: Event.subevent, event.encoded, into: &effects)
    }

    func emit(subevent: LESubevent, _ parameters: [UInt8], into effects: inout [ControllerEffect]) {
        guard isWanted(subevent) else { return }
        effects.append(.host(Packet.event(.leMeta, parameters: [subevent.rawValue] + parameters).encoded))
    }

    func isWanted(_ subevent: LESubevent) -> Bool {
        settings.eventMask.contains(.leMeta) && settings.lowEnergyEventMask.contains(subevent)
    }
}
