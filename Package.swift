// swift-tools-version: 6.2
import PackageDescription

// One line a target: its name and what it stands on. Arrows point down only; Docs/Architecture.md draws the picture
// and Tests/ArchitectureTests holds the sources to it.
let layers: [(name: String, uses: [String])] = [
    // bytes
    ("Wire", []),
    ("AssignedNumbers", ["Wire"]),
    // link
    ("HCI", ["Wire", "AssignedNumbers"]),
    ("Capture", ["Wire", "HCI"]),
    // protocol
    ("GAP", ["Wire", "AssignedNumbers", "HCI"]),
    ("L2CAP", ["Wire", "HCI"]),
    ("ATT", ["Wire"]),
    ("GATT", ["Wire", "AssignedNumbers", "ATT"]),
    ("SMP", ["Wire", "HCI"]),
    // role
    ("Host", ["Wire", "HCI", "GAP", "L2CAP", "ATT", "GATT", "SMP"]),
    // product
    ("HeartRate", ["Wire", "HCI", "GAP", "ATT", "GATT", "SMP", "Host"]),
    ("Dissection", ["Wire", "AssignedNumbers", "HCI", "Capture", "GAP", "L2CAP", "ATT", "GATT", "SMP", "HeartRate"]),
    ("Simulator", ["Wire", "HCI", "GAP", "L2CAP", "ATT", "GATT", "SMP", "HeartRate"]),
    // input and output
    ("HCITransport", ["Wire", "HCI", "Capture", "CHCI"]),
    ("CaptureFiles", ["Wire", "Capture", "CZlib"]),
    ("Cryptography", ["Wire", "SMP", "CCrypto"]),
    ("Bonds", ["Wire", "HCI", "SMP", "Host", "HCITransport"]),
    // tests
    (
        "Replay",
        [
            "Wire", "HCI", "Capture", "GAP", "L2CAP", "ATT", "GATT", "Host", "HeartRate", "Dissection", "Simulator",
            "HCITransport", "CaptureFiles",
        ]
    ),
]

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Own ~Escapable types are written with it; every use lies in Wire and in the packets' `fields` methods.
    .enableExperimentalFeature("Lifetimes"),
]

let libraries = layers.map { layer in
    Target.target(
        name: layer.name, dependencies: layer.uses.map { .init(stringLiteral: $0) }, swiftSettings: settings)
}

// What a layer is handed and does not stand on, its tests hand it.
let handedIn: [String: [String]] = [
    "SMP": ["Cryptography"], "Host": ["Cryptography"], "Simulator": ["Cryptography"],
]

let libraryTests = layers.map { layer in
    Target.testTarget(
        name: layer.name + "Tests",
        dependencies: ([layer.name] + layer.uses + handedIn[layer.name, default: []] + ["TestSupport"])
            .map { .init(stringLiteral: $0) },
        swiftSettings: settings)
}

let package = Package(
    name: "hr-raw",
    products: [.executable(name: "hr-raw", targets: ["HeartRateApp"])]
        + layers.map { .library(name: $0.name, targets: [$0.name]) },
    targets: [
        // Header-only: nothing is linked, so the binary needs no libbluetooth at run time.
        .systemLibrary(name: "CHCI", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .executableTarget(
            name: "HeartRateApp", dependencies: layers.map { .init(stringLiteral: $0.name) }, swiftSettings: settings),
        // Finds fixtures and turns hexadecimal text into octets.
        .target(name: "TestSupport", dependencies: ["Wire"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "HeartRateAppTests", dependencies: ["HeartRateApp", "TestSupport"], swiftSettings: settings),
        // Pairing with its real cryptography: two Security Managers against each other, and attackers against one.
        .testTarget(
            name: "PairingTests", dependencies: ["SMP", "Cryptography", "HCI", "Wire", "TestSupport"],
            swiftSettings: settings),
        // Replays what the fuzzer in Fuzz/ found.
        .testTarget(
            name: "FuzzTests", dependencies: layers.map { .init(stringLiteral: $0.name) } + ["TestSupport"],
            swiftSettings: settings),
        // The host against the simulated world, in virtual time.
        .testTarget(
            name: "SystemTests", dependencies: layers.map { .init(stringLiteral: $0.name) } + ["TestSupport"],
            swiftSettings: settings),
        // The same from random seeds and under faults: what a trial is, a program that runs many, and what tests hold it to.
        .target(
            name: "Trials",
            dependencies: [
                "Wire", "HCI", "GAP", "ATT", "GATT", "SMP", "Host", "HeartRate", "Simulator", "Cryptography",
            ],
            path: "Tests/Trials", swiftSettings: settings),
        .executableTarget(
            name: "TrialRunner", dependencies: ["Trials", "Simulator"], path: "Tests/TrialRunner",
            swiftSettings: settings),
        .testTarget(
            name: "TrialTests", dependencies: ["Trials", "Simulator", "Wire", "TestSupport"], swiftSettings: settings),
        // Changes a file of bonds and can be made to die at any step of that: what the tests of Bonds start and kill.
        .executableTarget(
            name: "BondRunner", dependencies: ["Wire", "HCI", "SMP", "Host", "Bonds"], path: "Tests/BondRunner",
            swiftSettings: settings),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: settings),
    ] + libraries + libraryTests)
