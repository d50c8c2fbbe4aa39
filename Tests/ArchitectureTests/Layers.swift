import Foundation
import TestSupport

/// The table of targets in `Package.swift`, from the bottom up.
struct Layers {
    let uses: [(name: String, uses: [String])]

    /// Reads the entries `("Name", ["Other", …]),`.
    init(manifest: String) {
        uses = manifest.matches(of: #/\(\s*"(\w+)",\s*\[([\s\w",]*)\]\s*\),/#).map { entry in
            (String(entry.1), entry.2.matches(of: #/"(\w+)"/#).map { String($0.1) })
        }
    }

    static func ofThisPackage() throws -> Layers {
        Layers(manifest: try String(contentsOfFile: Fixtures.packageRoot + "/Package.swift", encoding: .utf8))
    }

    /// Uses that point up or sideways to a target that the table has not named yet.
    var upwardUses: [String] {
        uses.enumerated().flatMap { index, layer in
            let below = Set(uses.prefix(index).map(\.name))
            return layer.uses.filter { !below.contains($0) && !Self.outside.keys.contains($0) }
                .map { "\(layer.name) uses \($0)" }
        }
    }

    /// Modules that are no targets of the table, and the targets that may import them. Nothing else from outside is for
    /// shipped targets: no Foundation, and the C library only below the IO line and in the app. Locks are for what is asked from
    /// more than one thread: the actor in Host, a monitor in HeartRate, the screen that simulated people see, the loop, the app.
    static let outside: [String: Set<String>] = [
        "CHCI": ["HCITransport"],
        "CZlib": ["CaptureFiles"],
        "CCrypto": ["Cryptography"],
        "Glibc": ["HCITransport", "CaptureFiles", "HeartRateApp"],
        "Synchronization": ["Host", "HeartRate", "Simulator", "HCITransport", "Cryptography", "HeartRateApp"],
    ]

    /// Imports that the table does not allow.
    var importRule: Rule {
        let table = Dictionary(uniqueKeysWithValues: uses.map { ($0.name, Set($0.uses)) })
        let all = Set(table.keys)
        return Rule(name: "an import that its layer must not have") { file in
            let allowed = file.target == "HeartRateApp" ? all : table[file.target] ?? []
            return file.imports.filter { entry in
                !allowed.contains(entry.module) && Self.outside[entry.module]?.contains(file.target) != true
            }.map(\.line)
        }
    }
}
