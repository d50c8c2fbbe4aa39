import Foundation
import TestSupport

/// One row of the table beside a capture.
struct TruthRow {
    private let cells: [String: Substring]

    /// A table made with tshark: the first line names the columns.
    static func table(of capture: String) throws -> [TruthRow] {
        let text = String(decoding: try fixture("captures/\(capture).tsv"), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard let names = lines.first?.map(String.init) else { return [] }
        return lines.dropFirst().map { cells in
            TruthRow(cells: Dictionary(zip(names, cells)) { first, _ in first })
        }
    }

    subscript(text column: String) -> String? { cells[column].flatMap { $0.isEmpty ? nil : String($0) } }

    /// A number in hexadecimal.
    subscript(hexadecimal column: String) -> Int? { self[text: column].flatMap { Int($0.dropFirst(2), radix: 16) } }

    /// The `key=value` pairs of a column, one list for each part between slashes.
    func pairs(_ column: String) -> [[String: String]] {
        (self[text: column] ?? "").components(separatedBy: " / ").filter { !$0.isEmpty }.map { part in
            let pairs = part.split(separator: " ").map {
                $0.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            }
            return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
        }
    }

    static let captures = [
        "wangdalian__btsnooper.btsnoop", "csacca__horizon-74-at-ble.btsnoop", "corbanvilla__BLETools.btsnoop",
        "google__bumble__hci_data_001.bin", "SYNTHETIC_bumble_hr_mtu23.btsnoop", "SYNTHETIC_bumble_hr_mtu247.btsnoop",
        "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcap", "SYNTHETIC_bumble_hr_mtu23.h4phdr.pcapng",
    ]
}

/// The octets of a file among the fixtures.
func fixture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(name))))
}
