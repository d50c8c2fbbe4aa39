import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Wire

/// What is to become of each hostile scenario, in virtual time.
enum HostileOutcome: Hashable {
    /// The heart rate comes, on one link, at least so many times in a minute and a half.
    case streams(atLeast: Int = 75)
    /// The link is lost again and again; the heart rate comes in between, at least so many times.
    case comesBack(atLeast: Int)
    /// Subscribed, and nothing comes.
    case staysSilent
    /// It is given up with this, so soon after the start.
    case fails(String, within: Duration)

    /// For a strap that is there and at fault: finding and connecting take less than 3 s.
    static func fails(_ gist: String) -> HostileOutcome { .fails(gist, within: .seconds(4)) }
    /// The 30 s of a transaction come on top.
    static func timesOut(_ request: ATT.Opcode) -> HostileOutcome {
        .fails("no answer to \(request)", within: .seconds(34))
    }
    /// Everything together has the time that the monitor was given.
    static func isGivenUp(_ gist: String) -> HostileOutcome { .fails(gist, within: .seconds(61)) }
}

/// The table of the hostile scenarios; each has its line.
let hostileOutcomes: [String: HostileOutcome] = [
    // Hard to find or to keep
    "taken": .isGivenUp("timed out: searching"),
    "unannounced": .streams(),
    "changing-address": .comesBack(atLeast: 60),
    "new-address": .comesBack(atLeast: 40),
    "zero": .streams(),
    "late-and-rare": .streams(atLeast: 10),
    "stuck": .streams(),
    "off-at-once": .comesBack(atLeast: 40),
    "garbled": .streams(),

    // Refuses
    "refusing-03": .fails("refused Write Request: 0x03"),
    "refusing-08": .fails("refused Write Request: 0x08"),
    "refusing-0f": .fails("refused Write Request: 0x0F"),
    "refusing-80": .fails("refused Write Request: 0x80"),
    "refusing-fd": .fails("refused Write Request: 0xFD"),
    "no-configuration": .fails("no configuration"),
    "read-only": .fails("cannot notify"),
    "no-measurement": .fails("no characteristic 2A37"),
    "refuses-everything": .fails("refused Read By Group Type Request: 0x05"),

    // Goes away
    "occupied": .isGivenUp("link ended: 0x14"),
    "leaves-services": .isGivenUp("link ended: 0x13"),
    "leaves-characteristics": .isGivenUp("link ended: 0x13"),
    "leaves-descriptors": .isGivenUp("link ended: 0x13"),
    "leaves-subscribing": .isGivenUp("link ended: 0x13"),
    "leaves-mtu": .comesBack(atLeast: 70),
    "leaves-details": .comesBack(atLeast: 70),
    "leaves-streaming": .comesBack(atLeast: 50),
    "vanishes-subscribing": .isGivenUp("link ended: 0x08"),
    "leaves-answering": .isGivenUp("link ended: 0x13"),

    // Keeps silent
    "mute": .timesOut(.findByTypeValueRequest),
    "mute-characteristics": .timesOut(.readByTypeRequest),
    "mute-descriptors": .timesOut(.findInformationRequest),
    "mute-write": .timesOut(.writeRequest),
    "mute-details": .comesBack(atLeast: 60),
    "no-measurements": .staysSilent,

    // Misleads who searches it
    "repeating-services": .fails("broke Find By Type Value Response: out of order"),
    "repeating-characteristics": .fails("broke Read By Type Response: out of order"),
    "repeating-descriptors": .fails("broke Find Information Response: out of order"),
    "backward-services": .fails("broke Find By Type Value Response: out of order"),
    "backward-characteristics": .fails("broke Read By Type Response: out of order"),
    "backward-descriptors": .fails("broke Find Information Response: out of order"),
    "endless-characteristics": .isGivenUp("timed out: subscribing"),
    "endless-descriptors": .isGivenUp("timed out: subscribing"),
    "end-zero": .streams(),
    "end-ffff": .streams(),
    "end-early": .streams(),
    "last-handles": .streams(),
    "far-behind": .streams(),
    "empty-service": .fails("no characteristic 2A37"),
    "handle-zero": .fails("broke Find By Type Value Response: out of order"),
    "services-length-0": .fails("broke Read By Group Type Response: entry length 0"),
    "services-length-1": .fails("broke Read By Group Type Response: entry length 1"),
    "characteristics-length-0": .fails("broke Read By Type Response: entry length 0"),
    "characteristics-length-1": .fails("broke Read By Type Response: entry length 1"),
    "descriptors-format-0": .fails("broke Find Information Response: malformed"),
    "descriptors-format-3": .fails("broke Find Information Response: malformed"),
    "descriptors-wrong-width": .fails("broke Find Information Response: malformed"),
    "ragged-characteristics": .streams(),
    "ragged-descriptors": .streams(),
    "empty-lists": .fails("broke Find By Type Value Response: malformed"),
    "value-before-declaration": .fails("broke Read By Type Response: value handle"),
    "value-elsewhere": .fails("broke Read By Type Response: value handle"),
    "no-search-by-value": .streams(),
    "thirty-others": .streams(),
    "described": .streams(),
    "two-services": .streams(),
    "twin-services": .streams(),

    // Answers wrongly
    "wrong-response": .timesOut(.findByTypeValueRequest),
    "previous-response": .streams(),
    "error-for-another": .timesOut(.findByTypeValueRequest),
    "error-first": .streams(),
    "error-cut": .fails("broke Error Response: malformed"),
    "notification-for-response": .timesOut(.findByTypeValueRequest),
    "empty-pdus": .streams(),
    "nothing-but-empty": .timesOut(.findByTypeValueRequest),
    "cut-answers": .fails("broke Find By Type Value Response: malformed"),
    "longer-than-mtu": .fails("broke Read By Type Response: value handle"),
    "long-measurements": .streams(),
    "mtu-0": .streams(),
    "mtu-22": .streams(),
    "mtu-65535": .streams(),
    "mtu-refused": .streams(),
    "endless-value": .streams(),
    "unreadable": .streams(),

    // Talks out of turn
    "asks-first": .streams(),
    "asks-without-end": .streams(),
    "unknown-requests": .streams(),
    "indicates-without-pause": .streams(atLeast: 40),
    "notifies-elsewhere": .streams(),
    "early-notification": .streams(),
    "notifies-in-between": .streams(),
    "empty-notifications": .streams(),
    "cut-notifications": .streams(atLeast: 50),
    "several-in-one": .streams(),
    "indicated": .streams(),
    "notified-or-indicated": .streams(),
    "service-changed": .streams(),
    "unknown-channels": .streams(),
    "signalling-nonsense": .streams(),
    "parameters-without-end": .streams(),
    "wants-pairing": .comesBack(atLeast: 40),
    "pairing-nonsense": .streams(),
]

/// What an error is about, without the handles, which differ from strap to strap.
func gist(of error: (any Error)?) -> String {
    switch error {
    case HostError.timedOut(let operation)?: "timed out: \(operation)"
    case HostError.disconnected(let status)?: "link ended: \(status.hexadecimal)"
    case HostError.peer(.refused(let request, _, let code))?: "refused \(request): \(code.hexadecimal)"
    case HostError.peer(.timedOut(let request))?: "no answer to \(request)"
    case HostError.peer(.configurationNotFound)?: "no configuration"
    case HostError.peer(.cannotNotify)?: "cannot notify"
    case HostError.peer(.characteristicNotFound(let uuid, _))?: "no characteristic \(uuid)"
    case HostError.peer(.brokeProtocol(let pdu, let violation))?: "broke \(pdu): \(gist(of: violation))"
    case let error?: "\(error)"
    case nil: "nothing"
    }
}

private func gist(of violation: GATTError.Violation) -> String {
    switch violation {
    case .malformed: "malformed"
    case .unexpectedType: "unexpected type"
    case .entryLength(let length): "entry length \(length)"
    case .outOfOrder: "out of order"
    case .valueHandle: "value handle"
    case .tooManyValues: "too many values"
    case .endless: "endless"
    }
}
