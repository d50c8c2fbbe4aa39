import Foundation
import TestSupport

/// What the packets of a file of `captures/edge` say, from the JSON beside it.
struct EdgeTruth: Decodable {
    var records: [Row]

    struct Row: Decodable {
        var frame: Int
        var eventCode: String?
        var opcode: String?
        var leSubevent: String?
        var reports: [Report]?
        var aclHandle: String?
        var l2capCid: String?
        var attOpcode: String?
        var attHandle: String?
        var attPduHex: String?
        var attValueHex: String?
        var connection: Connection?
        var disconnection: Disconnection?
        var hr: HeartRate?
        /// Why a PDU does not complete.
        var pdu: String?
        var cutShort: Bool?
    }

    struct Report: Decodable {
        var eventType: String
        var addressType: UInt8
        var address: String
        var rssi: Int8?
        var txPower: Int8?
        var sid: UInt8?
        var dataHex: String
    }

    struct Connection: Decodable {
        var handle: String
        var role: String
        var peer: String
        var peerType: UInt8
        var intervalMs: Double
        var latency: UInt16
        var timeoutMs: Double
    }

    struct Disconnection: Decodable {
        var handle: String
        var reason: String
    }

    struct HeartRate: Decodable {
        var bpm: UInt16?
        var contact: String?
        var energyKj: UInt16?
        var rr1024: [UInt16]?
        var problem: String?
        var leftOverHex: String?
    }

    init(of name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(EdgeTruth.self, from: Data(try fixture("captures/edge/\(name).json")))
    }

    /// The files that have such a JSON beside them.
    static let names: [String] = {
        let folder = Fixtures.path("captures/edge")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()
}

/// The number in text such as `0x0012`.
func number(_ text: String?) -> Int? { text.flatMap { Int($0.dropFirst(2), radix: 16) } }
