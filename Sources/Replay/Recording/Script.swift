import Capture
import HCI
import Wire

/// What a recording gives to play: the packets of one adapter from the host's first command on, each with its time.
struct Script: Sendable {
    /// A packet of the recording.
    struct Line: Sendable {
        var record: Record
        /// When, counted from the first line; never before the line in front.
        var moment: Moment
        /// The queue in which the host's packets keep their order; `nil` for the controller's packets.
        var lane: Lane?

        var packet: [UInt8] { record.octets }
    }

    let lines: [Line]
    /// Civil time at the first line; that of 1970 where the capture keeps no times.
    let start: Timestamp

    /// - Throws: `Unplayable`
    init(_ recording: Recording) throws(Unplayable) {
        guard let first = recording.records.first(where: { $0.kind == .command && $0.direction != .received }) else {
            throw .withoutHost
        }
        start = first.timestamp ?? Timestamp(microseconds: 0)
        var lines: [Line] = []
        var moment = Moment.zero
        /// Civil time at `Moment.zero`, as the clock shows it that was set last, in microseconds.
        var origin = start.microseconds
        for record in recording.records where record.frame >= first.frame && record.adapter == first.adapter {
            guard record.kind.packetType != nil else { continue }
            guard let direction = record.direction else { throw .withoutDirections(frame: record.frame) }
            guard !record.isCutShort else { throw .cutShort(frame: record.frame) }
            if let time = record.timestamp {
                let (passed, overflow) = time.microseconds.subtractingReportingOverflow(origin)
                guard !overflow else { continue }
                let told = Moment.zero + .microseconds(passed)
                // A clock that was set back: time goes on from there. Records out of order by less are none the later for it.
                if told + .seconds(1) < moment { origin -= (moment - told).wholeNanoseconds / 1000 }
                moment = max(moment, told)
            }
            lines.append(
                Line(record: record, moment: moment, lane: direction == .sent ? Lane(record.octets) : nil))
        }
        self.lines = lines
    }
}

extension Record {
    /// Whether it is what a host sends when its user has enough, or when it begins anew with an adapter that was away.
    var isParting: Bool {
        guard kind == .command, octets.count > 2 else { return false }
        let opcode = Opcode(rawValue: UInt16(octets[1]) | UInt16(octets[2]) << 8)
        switch opcode {
        case Disconnect.opcode, LECreateConnectionCancel.opcode, Reset.opcode: return true
        case LESetScanEnable.opcode, LESetExtendedScanEnable.opcode: return octets.count > 4 && octets[4] == 0
        default: return false
        }
    }
}

/// The host's packets whose order means something: commands among themselves, and the data of one connection. Between those, what comes
/// first is a matter of which task runs first.
enum Lane: Hashable, Sendable {
    case commands
    /// The two octets with the connection handle, and the packet type.
    case data(type: UInt8, handle: UInt16)

    /// - Parameter packet: with its H4 type octet
    init(_ packet: [UInt8]) {
        guard packet.count > 2, packet[0] != PacketType.command.rawValue else {
            self = .commands
            return
        }
        self = .data(type: packet[0], handle: (UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0x0FFF)
    }
}

/// Why a recording cannot answer as a controller.
public enum Unplayable: Error, Hashable, Sendable {
    /// No host sends a command in it.
    case withoutHost
    /// A packet may have gone either way.
    case withoutDirections(frame: Int)
    /// Of a packet only the beginning was recorded.
    case cutShort(frame: Int)
}

extension Unplayable: CustomStringConvertible {
    public var description: String {
        switch self {
        case .withoutHost: "no host sends a command in it"
        case .withoutDirections(let frame): "it does not tell which way frame \(frame) went"
        case .cutShort(let frame): "of frame \(frame) only the beginning was recorded"
        }
    }
}
