// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func libraries(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "hr-raw") }
}

// Apart from the package it measures, which it sees as any other package would: through its library products.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "hr-raw", path: "..")],
    targets: [
        .target(name: "CReference", cSettings: [.unsafeFlags(["-O3"])]),
        // Functions, measured.
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CReference"] + libraries("Wire", "HCI", "Capture", "GAP", "ATT", "HeartRate", "Dissection"),
            swiftSettings: settings),
        // Captures of any size, to measure whole commands with.
        .executableTarget(
            name: "Generate",
            dependencies: libraries("Wire", "HCI", "Capture", "GAP", "L2CAP", "ATT", "GATT", "HeartRate"),
            swiftSettings: settings),
    ])
