import ATT
import Wire

// Servers whose answers are wrong in themselves.
extension Scenario {
    static let wrongAnswers: [Scenario] = [
        hostile(
            "wrong-response", "answers each request with a response of another type",
            .on(.anyRequest, .answer(.renamed(.executeWriteResponse)))),
        hostile(
            "previous-response", "answers each request, then says the same again",
            .on(.anyRequest, .answer(), .answer())),
        hostile(
            "error-for-another", "answers each request with an error for another one",
            .on(.anyRequest, .pdu([[0x01, 0x0A, 0x01, 0x00, 0x0A]]))),
        hostile(
            "error-first", "says an error for another request before each right answer",
            .on(.anyRequest, .pdu([[0x01, 0x0A, 0x01, 0x00, 0x0A]]), .answer())),
        hostile(
            "error-cut", "answers each request with an error that ends before its code",
            .on(.anyRequest, .pdu([[0x01], .ofRequest(at: 0, count: 1), [0x01]]))),
        hostile(
            "notification-for-response", "answers each request with a notification",
            .on(.anyRequest, .pdu([[0x1B, 0x0E, 0x00, 0x00, 0x48]]))),
        hostile(
            "empty-pdus", "says an empty PDU before and after each right answer",
            .on(.anyRequest, .pdu([]), .answer(), .pdu([]))),
        hostile(
            "nothing-but-empty", "answers each request with an empty PDU", .on(.anyRequest, .pdu([]))),
        hostile(
            "cut-answers", "breaks each answer off after three octets", .on(.anyRequest, .answer(.cut(to: 3)))),
        hostile(
            "longer-than-mtu", "answers and notifies with 200 octets too many, whatever was agreed",
            .on(.anyRequest, .answer(.followed(by: Array(repeating: 0x00, count: 200))))
                + .on(.measurement, .answer(.followed(by: Array(repeating: 0x04, count: 200))))),
        hostile(
            "long-measurements", "notifies 200 octets too many with each measurement",
            .on(.measurement, .answer(.followed(by: Array(repeating: 0x04, count: 200))))),
        hostile(
            "mtu-0", "agrees to an MTU of 0", .on(.pdu(.exchangeMTURequest), .answer(.overwritten(at: 1, [0, 0])))),
        hostile(
            "mtu-22", "agrees to an MTU of 22, one below the least",
            .on(.pdu(.exchangeMTURequest), .answer(.overwritten(at: 1, [22, 0])))),
        hostile(
            "mtu-65535", "agrees to an MTU of 65535",
            .on(.pdu(.exchangeMTURequest), .answer(.overwritten(at: 1, [0xFF, 0xFF])))),
        hostile(
            "mtu-refused", "knows nothing of MTUs (0x06)",
            .on(.pdu(.exchangeMTURequest), .pdu([[0x01, 0x02, 0x00, 0x00, 0x06]]))),
        hostile(
            "endless-value", "reads every value as one without an end",
            .on(
                .pdu(.readRequest), .answer(.overwritten(at: 1, Array(repeating: 0x41, count: 246))))
                + .on(.pdu(.readBlobRequest), .pdu([[0x0D], .octets(Array(repeating: 0x41, count: 246))]))),
        hostile(
            "unreadable", "refuses to read anything (0x05)",
            .on(.pdu(.readRequest), .refusal(.insufficientAuthentication))),
    ]

    /// Servers that keep silent.
    static let silences: [Scenario] = [
        hostile("mute", "answers no request", .on(.anyRequest)),
        hostile("mute-characteristics", "finds its service and answers nothing more", silent(from: 2)),
        hostile("mute-descriptors", "lists its characteristics and answers nothing more", silent(from: 3)),
        hostile(
            "mute-write", "notifies when told to, and never answers that it was told", .on(.pdu(.writeRequest))),
        hostile(
            "mute-details", "measures, and answers neither to its MTU nor to reading",
            .on(.pdu(.exchangeMTURequest)) + .on(.pdu(.readRequest))),
        hostile("no-measurements", "lets itself be subscribed to and notifies nothing", .on(.measurement)),
    ]

    private static func silent(from number: Int) -> Misconduct {
        Misconduct([Misconduct.Rule(.anyRequest, [], turns: number...Int.max)])
    }
}

extension Misconduct.Act {
    /// An Error Response to the request at hand.
    static func refusal(_ code: ErrorCode) -> Misconduct.Act {
        .pdu([[0x01], .ofRequest(at: 0, count: 3), [code.rawValue]])
    }
}
