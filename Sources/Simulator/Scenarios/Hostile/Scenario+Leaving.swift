import ATT
import HCI
import Wire

// Peers that go away in the middle of something. Those of the quirks vanish; these say so.
extension Scenario {
    static let leaving: [Scenario] = [
        hostile(
            "occupied", "takes the link and ends it at once: it is another device's (0x14)",
            .unasked(since: .connection, after: .milliseconds(20), .leave(.remoteLowResources))),
        leaves("services", "instead of finding its service", .findByTypeValueRequest),
        leaves("characteristics", "instead of listing characteristics", .readByTypeRequest),
        leaves("descriptors", "instead of listing descriptors", .findInformationRequest),
        leaves("subscribing", "instead of letting itself be subscribed to", .writeRequest),
        leaves("mtu", "instead of agreeing on an MTU", .exchangeMTURequest),
        leaves("details", "instead of telling its details", .readRequest),
        hostile(
            "leaves-streaming", "ends the link instead of each tenth measurement (0x15)",
            Misconduct([Misconduct.Rule(.measurement, [.leave(.remotePowerOff)], turns: 10...10)])),
        hostile(
            "vanishes-subscribing", "vanishes instead of letting itself be subscribed to",
            .on(.pdu(.writeRequest), .vanish)),
        hostile(
            "leaves-answering", "answers that it is subscribed to, and ends the link with it (0x13)",
            .on(.pdu(.writeRequest), .answer(), .leave(.remoteUserTerminated))),
    ]

    private static func leaves(_ name: String, _ summary: String, _ request: ATT.Opcode) -> Scenario {
        hostile("leaves-\(name)", "ends the link \(summary) (0x13)", .on(.pdu(request), .leave(.remoteUserTerminated)))
    }
}
