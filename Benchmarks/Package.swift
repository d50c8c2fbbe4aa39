// swift-tools-version: 6.2
import PackageDescription

// Apart from the package it measures, which it sees as any other package would: through its library products.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "hr-raw", path: "..")],
    targets: [
        .target(name: "CReference", cSettings: [.unsafeFlags(["-O3"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CReference"]
                + ["Wire", "HCI", "Capture", "GAP", "HeartRate"].map { .product(name: $0, package: "hr-raw") },
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ])
