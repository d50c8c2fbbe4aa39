import Foundation
import TestSupport

/// What a file of `captures/edge` is known to hold, from the JSON beside it.
struct EdgeTruth: Decodable {
    var octets: Int
    var octetsLeftOver: Int?
    var records: [Row]

    struct Row: Decodable {
        var frame: Int
        var timeUs: Int64
        var dir: String?
        var type: String?
        var packetHex: String
        var included: Int
        var original: Int
        var cumulativeDrops: UInt32?
        var adapter: UInt16?
        var monitorOpcode: UInt16?
    }

    init(of name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("captures/edge/\(name).btsnoop.json")))
        self = try decoder.decode(EdgeTruth.self, from: json)
    }

    static let names = [
        "before_1970", "btsnoop_1001_h1", "btsnoop_1002_h4", "btsnoop_2001_monitor", "cut_short", "extended_fragments",
        "half_header", "half_payload", "l2cap_abandoned", "l2cap_split_header", "le_session", "midstream",
        "three_reports",
        "zero_length",
    ]
}

/// The octets of a capture among the fixtures.
func capture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("captures/" + name))))
}
