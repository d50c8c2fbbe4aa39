import ATT
import GATT
import Wire

// Servers that lead a host astray while it looks for the heart rate.
extension Scenario {
    static let misleading: [Scenario] = lists + ends + lengths + values

    // MARK: Lists that do not advance

    private static let lists: [Scenario] = [
        hostile(
            "repeating-services", "answers every search for services with the same one",
            .on(.pdu(.findByTypeValueRequest), .pdu([[0x07, 0x02, 0x00, 0x03, 0x00]]))
                + .on(.pdu(.readByGroupTypeRequest), .pdu([[0x11, 0x06, 0x02, 0x00, 0x03, 0x00, 0x0D, 0x18]]))),
        hostile(
            "repeating-characteristics", "lists the same characteristic for ever",
            .on(
                .pdu(.readByTypeRequest),
                .pdu([[0x09, 0x07], .measurement(-1), [0x02], .measurement(0), [0x38, 0x2A]]))),
        hostile(
            "repeating-descriptors", "lists the same descriptor for ever",
            .on(
                .pdu(.findInformationRequest), turns: 2...Int.max,
                .pdu([[0x05, 0x01], .measurement(1), [0x01, 0x29]]))
                + .on(.pdu(.findInformationRequest), .answer(.cut(to: 6)))
        ) { $0.layout = .describedAtLength },
        hostile(
            "backward-services", "lists services in descending order",
            .on(
                .pdu(.findByTypeValueRequest),
                .pdu([[0x07], .measurement(50), .measurement(60), .measurement(-2), .measurement(5)]))),
        hostile(
            "backward-characteristics", "lists characteristics in descending order",
            .on(
                .pdu(.readByTypeRequest),
                .pdu([
                    [0x09, 0x07], .measurement(2), [0x02], .measurement(3), [0x38, 0x2A], .measurement(-1), [0x02],
                    .measurement(0), [0x00, 0x2A],
                ]))),
        hostile(
            "backward-descriptors", "lists descriptors in descending order",
            .on(
                .pdu(.findInformationRequest),
                .pdu([[0x05, 0x01], .measurement(3), [0x01, 0x29], .measurement(2), [0x04, 0x29]]))
        ) { $0.layout = .describedAtLength },
        hostile(
            "endless-characteristics", "lists characteristics one by one up to the last handle",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0xFF, 0xFF])))
                + .on(
                    .pdu(.readByTypeRequest),
                    .pdu([[0x09, 0x07], .ofRequest(at: 1, count: 2), [0x02, 0xFF, 0xFF, 0x38, 0x2A]]))),
        hostile(
            "endless-descriptors", "lists descriptors one by one up to the last handle",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0xFF, 0xFF])))
                + .on(
                    .pdu(.findInformationRequest),
                    .pdu([[0x05, 0x01], .ofRequest(at: 1, count: 2), [0x01, 0x29]]))
        ) { $0.offers = .heartRate },
    ]

    // MARK: Ends of services

    private static let ends: [Scenario] = [
        hostile(
            "end-zero", "says that its heart-rate service ends at handle 0x0000",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0x00, 0x00])))),
        hostile(
            "end-ffff", "says that its heart-rate service ends at handle 0xFFFF",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0xFF, 0xFF])))),
        hostile(
            "end-early", "says that its heart-rate service ends before it starts",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0x01, 0x00])))),
        hostile("last-handles", "has its heart-rate service at the last handles, up to 0xFFFF") {
            $0.layout = .atTheLastHandles
        },
        hostile("far-behind", "has its heart-rate service far behind all others, at handle 0x1000") {
            $0.layout = .farBehind
        },
        hostile(
            "empty-service", "has a heart-rate service with nothing in it, up to handle 0xFFFF",
            .on(.pdu(.findByTypeValueRequest), .answer(.overwritten(at: 3, [0xFF, 0xFF])))
        ) {
            $0.layout = .empty
            $0.offers = .heartRate
        },
        hostile(
            "handle-zero", "has a service at handle 0x0000",
            .on(.pdu(.findByTypeValueRequest), .pdu([[0x07, 0x00, 0x00, 0x13, 0x00]]))),
    ]

    // MARK: Length and format octets

    private static let lengths: [Scenario] = [
        hostile("services-length-0", "lists services with entries of 0 octets", allServices(length: 0)),
        hostile("services-length-1", "lists services with entries of 1 octet", allServices(length: 1)),
        hostile(
            "characteristics-length-0", "lists characteristics with entries of 0 octets",
            .on(.pdu(.readByTypeRequest), .answer(.overwritten(at: 1, [0])))),
        hostile(
            "characteristics-length-1", "lists characteristics with entries of 1 octet",
            .on(.pdu(.readByTypeRequest), .answer(.overwritten(at: 1, [1])))),
        hostile(
            "descriptors-format-0", "lists descriptors in the format 0, which does not exist",
            .on(.pdu(.findInformationRequest), .answer(.overwritten(at: 1, [0])))),
        hostile(
            "descriptors-format-3", "lists descriptors in the format 3, which does not exist",
            .on(.pdu(.findInformationRequest), .answer(.overwritten(at: 1, [3])))),
        hostile(
            "descriptors-wrong-width", "says 128-bit types over a list of 16-bit ones",
            .on(.pdu(.findInformationRequest), .answer(.overwritten(at: 1, [2])))),
        hostile(
            "ragged-characteristics", "lists characteristics with half an entry at the end",
            .on(.pdu(.readByTypeRequest), .answer(.followed(by: [0x30, 0x00, 0x02])))),
        hostile(
            "ragged-descriptors", "lists descriptors with half an entry at the end",
            .on(.pdu(.findInformationRequest), .answer(.followed(by: [0x30])))),
        hostile(
            "empty-lists", "answers every search with a list that holds nothing",
            .on(.pdu(.findByTypeValueRequest), .answer(.cut(to: 1)))),
    ]

    /// A server that knows Read By Group Type alone, with wrong lengths in it.
    private static func allServices(length: UInt8) -> Misconduct {
        .on(.pdu(.findByTypeValueRequest), .pdu([[0x01, 0x06, 0x01, 0x00, 0x06]]))
            + .on(.pdu(.readByGroupTypeRequest), .answer(.overwritten(at: 1, [length])))
    }

    // MARK: What the lists say

    private static let values: [Scenario] = [
        hostile(
            "value-before-declaration", "has the measurement's value before its declaration",
            .on(.pdu(.readByTypeRequest), .answer(.overwritten(at: 5, [0x01, 0x00])))),
        hostile(
            "value-elsewhere", "has the measurement's value in another service",
            .on(.pdu(.readByTypeRequest), .answer(.overwritten(at: 5, [0x00, 0xFF])))),
        hostile(
            "no-search-by-value", "refuses to search a service by its type (0x06)",
            .on(.pdu(.findByTypeValueRequest), .pdu([[0x01, 0x06, 0x01, 0x00, 0x06]]))),
        hostile("thirty-others", "has thirty characteristics of its own before the measurement") {
            $0.layout = .behindThirtyOthers
        },
        hostile("described", "has three more descriptors before the one that enables notifications") {
            $0.layout = .describedAtLength
        },
        hostile("two-services", "has two heart-rate services, the second of which notifies") {
            $0.layout = .behindAnother
        },
        hostile("twin-services", "has the same heart-rate service twice") { $0.layout = .twice },
    ]
}

extension Misconduct.Part {
    /// A handle that lies so far from the measurement's value.
    fileprivate static func measurement(_ distance: Int) -> Misconduct.Part {
        .valueHandle(.heartRateMeasurement, plus: distance)
    }
}
