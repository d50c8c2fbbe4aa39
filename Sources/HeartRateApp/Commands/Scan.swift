import GAP
import Host
import Wire

/// `hr-raw scan`: lists the devices that advertise.
struct Scan: Command {
    static let description = CommandDescription(
        "scan", summary: "List the devices that advertise, heart-rate straps first",
        options: [.duration, .count, .passive, .service, .name, .minimumRSSI, .ownAddress, .takeOver],
        discussion: """
            Straps that advertise the Heart Rate service (180D) are marked with ♥. Filters match what is
            known of a device from its advertisement and its scan response together. With --json each
            report is one object.
            """,
        examples: [
            "sudo hr-raw scan", "sudo hr-raw scan --service 180D --duration 10 --json", "hr-raw --adapter sim scan",
        ])

    private let access: ControllerAccess
    private let duration: Duration?
    private let count: Int?
    private let isActive: Bool
    private let filter: DeviceFilter
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try ControllerAccess(arguments)
        duration = try arguments.seconds(.duration)
        count = try arguments.integer(.count, in: 1...Int(Int32.max))
        isActive = !arguments.has(.passive)
        isJSON = arguments.has(.json)
        var filter = DeviceFilter(name: arguments.text(.name))
        for text in arguments.texts(.service) {
            guard let service = BluetoothUUID(text) else {
                throw arguments.wrong(.service, text, "a UUID of 4, 8 or 32 hexadecimal digits, as 180D")
            }
            filter.services.append(service)
        }
        filter.minimumRSSI = try arguments.integer(.minimumRSSI, in: -127...20).map { Int8(clamping: $0) }
        self.filter = filter
    }

    func run(_ console: Console) async throws {
        let run = ScanRun(console: console, filter: filter, limit: count, isJSON: isJSON)
        defer { try? run.showNews() }
        _ = try await access.withCentral(console) { central in
            try await central.withSightings(isActive: isActive) { sightings in
                try await follow(sightings, central, run)
            }
        }
        try run.showNews()
    }

    /// Takes sightings until enough devices have been heard or the time is over.
    private func follow(
        _ sightings: AsyncStream<Delivery<Sighting>>, _ central: Central, _ run: ScanRun
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await delivery in sightings {
                    switch delivery {
                    case .value(let sighting):
                        if try run.take(sighting, at: central.civilTime(at: sighting.moment)) { return }
                    case .gap(let count): run.tellMissed(count)
                    }
                }
            }
            group.addTask {
                while true {
                    try await central.wait(Self.showPeriod)
                    try run.showNews()
                }
            }
            if let duration { group.addTask { try await central.wait(duration) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// How long devices have to answer with their names before they are shown.
    private static let showPeriod: Duration = .seconds(1)
}

extension Option {
    fileprivate static let count = Option("count", value: "N", help: "end after N devices")
    fileprivate static let passive = Option("passive", help: "do not ask for scan responses, which hold most names")
    fileprivate static let service = Option(
        "service", value: "UUID", help: "only devices that offer it; repeated, any of them")
    fileprivate static let name = Option("name", value: "TEXT", help: "only devices whose name contains TEXT")
    fileprivate static let minimumRSSI = Option(
        "min-rssi", value: "DBM", help: "only devices heard at least that strongly, as -70")
}
