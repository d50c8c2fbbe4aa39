import ATT
import GATT
import HCI
import HeartRate
import Host
import SMP
import Simulator
import Wire

/// What is to become of each hostile scenario, in virtual time.
enum HostileOutcome: Hashable {
    /// The heart rate comes, on one link, at least so many times in a minute and a half.
    case streams(atLeast: Int = 75)
    /// The link is lost again and again; the heart rate comes in between, at least so many times.
    case comesBack(atLeast: Int)
    /// The heart rate comes, at least so many times, until the link is lost; each further link ends with this.
    case staysAway(Status, afterAtLeast: Int)
    /// The heart rate comes, at least so many times, until it is given up with this.
    case worksUntil(String, atLeast: Int)
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
    "refusing-08": .fails("pairing refused: Pairing Not Supported"),
    "refusing-0f": .fails("pairing refused: Pairing Not Supported"),
    "refusing-80": .fails("refused Write Request: 0x80"),
    "refusing-fd": .fails("refused Write Request: 0xFD"),
    "no-configuration": .fails("no configuration"),
    "read-only": .fails("cannot notify"),
    "no-measurement": .fails("no characteristic 2A37"),
    "refuses-everything": .fails("pairing refused: Pairing Not Supported"),

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

    // Pairs dishonestly, or clumsily
    "reflected-key": .fails("pairing given up: DHKey Check Failed, reflectedPublicKey"),
    "off-curve": .fails("pairing given up: DHKey Check Failed, pointOffCurve"),
    "zero-y": .fails("pairing given up: DHKey Check Failed, pointOffCurve"),
    "debug-key": .fails("pairing given up: Authentication Requirements, debugKey"),
    "downgraded-key": .fails("pairing given up: Encryption Key Size, shortKey(7)"),
    "downgraded-generation": .fails("pairing given up: Encryption Key Size, shortKey(7)"),
    "repeated-nonce": .fails("pairing given up: Confirm Value Failed, repeatedRandom"),
    "reflected-confirm": .fails("pairing given up: Confirm Value Failed, reflectedConfirm"),
    "replayed-confirm": .fails("pairing given up: Confirm Value Failed, confirmMismatch"),
    "other-random": .fails("pairing given up: Confirm Value Failed, confirmMismatch"),
    "legacy-other-random": .fails("pairing given up: Confirm Value Failed, confirmMismatch"),
    "legacy-reflected-confirm": .fails("pairing given up: Confirm Value Failed, reflectedConfirm"),
    "wrong-check": .fails("pairing given up: DHKey Check Failed, checkMismatch"),
    "reflected-check": .fails("pairing given up: DHKey Check Failed, checkMismatch"),
    "restarts-pairing": .fails("pairing given up: Unspecified Reason, Pairing Response out of place"),
    "restarts-key": .fails("pairing given up: Unspecified Reason, Pairing Public Key out of place"),
    "early-keys": .fails("pairing given up: Unspecified Reason, Encryption Information out of place"),
    "borrowed-identity": .streams(),
    "no-identity": .fails("pairing given up: Invalid Parameters, malformed Identity Address Information"),
    "made-up-key": .isGivenUp("link ended: 0x3D"),
    "impostor": .worksUntil("security: keyMissing", atLeast: 35),
    "denies-bond": .worksUntil("security: keyMissing", atLeast: 35),
    "mute-encryption": .staysAway(.linkResponseTimeout, afterAtLeast: 35),
    "open-again": .worksUntil("security: keyMissing", atLeast: 35),
    "refuses-pairing-01": .fails("pairing refused: Passkey Entry Failed"),
    "refuses-pairing-02": .fails("pairing refused: OOB Not Available"),
    "refuses-pairing-03": .fails("pairing refused: Authentication Requirements"),
    "refuses-pairing-04": .fails("pairing refused: Confirm Value Failed"),
    "refuses-pairing-05": .fails("pairing refused: Pairing Not Supported"),
    "refuses-pairing-06": .fails("pairing refused: Encryption Key Size"),
    "refuses-pairing-07": .fails("pairing refused: Command Not Supported"),
    "refuses-pairing-08": .fails("pairing refused: Unspecified Reason"),
    "refuses-pairing-09": .fails("pairing refused: Repeated Attempts"),
    "refuses-pairing-0a": .fails("pairing refused: Invalid Parameters"),
    "refuses-pairing-0b": .fails("pairing refused: DHKey Check Failed"),
    "refuses-pairing-0c": .fails("pairing refused: Numeric Comparison Failed"),
    "refuses-pairing-0d": .fails("pairing refused: BR/EDR pairing in progress"),
    "refuses-pairing-0e": .fails("pairing refused: Cross-transport Key Derivation/Generation not allowed"),
    "refuses-pairing-0f": .fails("pairing refused: Key Rejected"),
    "refuses-key": .fails("pairing refused: Invalid Parameters"),
    "refuses-check": .fails("pairing refused: DHKey Check Failed"),
    "refuses-number": .fails("pairing refused: Numeric Comparison Failed"),
    "mute-pairing": .fails("security: timedOut", within: .seconds(34)),
    "mute-key": .fails("security: timedOut", within: .seconds(34)),
    "mute-random": .fails("security: timedOut", within: .seconds(34)),
    "mute-check": .fails("security: timedOut", within: .seconds(34)),
    "keeps-its-keys": .fails("security: timedOut", within: .seconds(34)),
    "cut-response": .fails("pairing given up: Invalid Parameters, malformed Pairing Response"),
    "cut-key": .fails("pairing given up: Invalid Parameters, malformed Pairing Public Key"),
    "cut-random": .fails("pairing given up: Invalid Parameters, malformed Pairing Random"),
    "cut-failure": .fails("pairing refused: Unspecified Reason"),
    "impossible-key": .fails("pairing given up: Invalid Parameters, malformed Pairing Response"),
    "impossible-io": .fails("pairing given up: Invalid Parameters, malformed Pairing Response"),
    "more-keys": .fails("security: timedOut", within: .seconds(34)),
    "asks-for-pairing": .fails("pairing given up: Unspecified Reason, Pairing Request out of place"),
    "unknown-pairing-pdus": .fails("pairing given up: Invalid Parameters, malformed PDU"),
    "floods-security-requests": .streams(),
    "asks-for-too-much": .streams(),
    "leaves-pairing": .isGivenUp("link ended: 0x13"),
    "leaves-encrypting": .isGivenUp("link ended: 0x05"),
    "vanishes-pairing": .isGivenUp("link ended: 0x08"),
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
    case HostError.security(.peerRefused(let reason))?: "pairing refused: \(reason)"
    case HostError.security(.refused(let reason, let breach))?: "pairing given up: \(reason), \(gist(of: breach))"
    case HostError.security(let failure)?: "security: \(failure)"
    case HostError.peer(.brokeProtocol(let pdu, let violation))?: "broke \(pdu): \(gist(of: violation))"
    case let error?: "\(error)"
    case nil: "nothing"
    }
}

private func gist(of breach: SecurityBreach?) -> String {
    switch breach {
    case .malformed(let code)?: "malformed \(code?.description ?? "PDU")"
    case .outOfPlace(let code)?: "\(code) out of place"
    case let breach?: "\(breach)"
    case nil: "no breach"
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
