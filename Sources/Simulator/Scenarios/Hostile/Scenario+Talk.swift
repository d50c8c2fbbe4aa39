import ATT
import GATT
import HCI
import L2CAP
import Wire

// Peers that talk when they should listen.
extension Scenario {
    static let talkative: [Scenario] = [
        hostile(
            "asks-first", "asks for our MTU before it answers, each time",
            .on(.anyRequest, .pdu([[0x02, 0xF7, 0x00]]), .answer())),
        hostile(
            "asks-without-end", "asks for our services, twenty times a second",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(50),
                .pdu([[0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]]))),
        hostile(
            "unknown-requests", "makes requests and gives commands that do not exist",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(200), .pdu([[0x3E, 0x01]]),
                .pdu([[0x7E, 0x01]]), .pdu([[0xFF]]))),
        hostile(
            "indicates-without-pause", "indicates a hundred times a second and does not wait to be confirmed",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(10),
                .pdu([[0x1D], .valueHandle(0x2A05), [0x01]]))),
        hostile(
            "notifies-elsewhere", "notifies values of handles that nobody asked for",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(30), .pdu([[0x1B, 0xEE, 0xEE, 0x00, 0x48]]))),
        hostile(
            "early-notification", "notifies before it answers that it will",
            .on(
                .pdu(.writeRequest), .pdu([[0x1B], .valueHandle(.heartRateMeasurement), [0x00, 0x2A]]), .answer())),
        hostile(
            "notifies-in-between", "notifies before each answer",
            .on(.anyRequest, .pdu([[0x1B], .valueHandle(.heartRateMeasurement), [0x00, 0x2A]]), .answer())),
        hostile(
            "empty-notifications", "notifies every third measurement without a value",
            .alternating(.answer(.cut(to: 3)))),
        hostile(
            "cut-notifications", "breaks every third notification off within its handle",
            .alternating(.answer(.cut(to: 2)))),
        hostile("several-in-one", "notifies in the PDU for several values", .on(.measurement, .several)),
        hostile("indicated", "indicates its measurements, and cannot notify") { $0.layout = .indicated },
        hostile("notified-or-indicated", "can notify and indicate, and refuses both at once") {
            $0.layout = .notifiedOrIndicated
        },
        hostile(
            "service-changed", "says after 10 s that all its services may have changed; none has",
            .unasked(
                since: .subscription, after: .seconds(10),
                .pdu([[0x1D], .valueHandle(0x2A05), [0x01, 0x00, 0xFF, 0xFF]]))),
        hostile(
            "unknown-channels", "sends on channels that do not exist or are not open",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(100), .frame(.null, [1, 2, 3]),
                .frame(ChannelID(rawValue: 0x0003), []), .frame(ChannelID(rawValue: 0x0040), [0, 0]),
                .frame(ChannelID(rawValue: 0xFFFF), [1]))),
        hostile(
            "signalling-nonsense", "sends signalling commands that are cut, empty, unknown or not for LE",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(100), .frame(.signaling, []),
                .frame(.signaling, [0x12]), .frame(.signaling, [0x12, 0x01, 0x08, 0x00, 0x18]),
                .frame(.signaling, [0x2A, 0x02, 0x00, 0x00]), .frame(.signaling, [0x0A, 0x03, 0x02, 0x00, 0x02, 0x00]),
                .frame(.signaling, [0x01, 0x04, 0x02, 0x00, 0x00, 0x00]))),
        hostile(
            "parameters-without-end", "asks for other connection parameters ten times a second",
            .unasked(
                since: .connection, after: .seconds(1), every: .milliseconds(100),
                .frame(
                    .signaling,
                    [0x12, 0x07, 0x08, 0x00, 0x18, 0x00, 0x28, 0x00, 0x00, 0x00, 0xF4, 0x01]))),
        hostile(
            "wants-pairing", "asks to be paired (Security Request) and leaves when it is not",
            .unasked(since: .connection, after: .milliseconds(100), .frame(.securityManager, [0x0B, 0x01]))
                + .unasked(since: .connection, after: .seconds(5), .leave(.authenticationFailure))),
        hostile(
            "pairing-nonsense", "sends pairing messages that make no sense",
            .unasked(
                since: .connection, after: .zero, every: .milliseconds(100), .frame(.securityManager, []),
                .frame(.securityManager, [0x01]), .frame(.securityManager, [0x03, 0x00]),
                .frame(.securityManager, [0xFF, 0x00]), .frame(.securityManager, [0x05, 0x08]))),
    ]
}

extension Misconduct {
    /// Every third measurement goes wrong.
    fileprivate static func alternating(_ act: Act) -> Misconduct {
        Misconduct((1...100).map { Rule(.measurement, [act], turns: 3 * $0...3 * $0) })
    }
}

extension Misconduct.Act {
    /// Two values in a Multiple Handle Value Notification.
    fileprivate static let several = Misconduct.Act.pdu([
        [0x23], .valueHandle(.heartRateMeasurement), [0x02, 0x00, 0x00, 0x48], [0xEE, 0xEE, 0x01, 0x00, 0x01],
    ])
}
