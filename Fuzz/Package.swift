// swift-tools-version: 6.2
import PackageDescription

// Apart from the package it tries, so that the sanitizers and libFuzzer are nobody else's business. `make fuzz` builds and runs it.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "hr-raw", path: "..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Wire", "HCI", "Capture", "GAP", "L2CAP", "ATT", "GATT", "SMP", "Host", "HeartRate", "Dissection",
                "Simulator", "CaptureFiles", "Replay", "Bonds",
            ].map {
                .product(name: $0, package: "hr-raw")
            },
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ])
