import Foundation
import TestSupport

/// What a file of `captures/edge` is known to hold, from the JSON beside it.
struct EdgeTruth: Decodable {
    var octets: Int
    var octetsLeftOver: Int?
    var records: [Row]

    struct Row: Decodable {
        var frame: Int
        var timeUs: Int64?
        var timeNs: Int64?
        var dir: String?
        var type: String?
        var packetHex: String?
        var included: Int
        var original: Int
        var cumulativeDrops: UInt32?
        var adapter: UInt16?
        /// Of pcapng.
        var interface: UInt16?
        var monitorOpcode: UInt16?
        /// As `0xfc`.
        var packetloggerType: String?
    }

    init(of name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("captures/edge/\(name).json")))
        self = try decoder.decode(EdgeTruth.self, from: json)
    }

    /// The adapters that the interfaces of the pcapng files are, by their names: `bluetooth0`, `bluetooth1`, `wired0`, `bluetooth2`.
    static let adapters: [UInt16?] = [0, 1, nil, 2]

    /// The files that have such a JSON beside them.
    static let names: [String] = {
        let folder = Fixtures.path("captures/edge")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()
}

/// The octets of a capture among the fixtures.
func capture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("captures/" + name))))
}
