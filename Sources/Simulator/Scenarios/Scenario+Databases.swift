import Wire

// Straps whose attributes can change, for hosts that remember them.
extension Scenario {
    static let databases: [Scenario] = [
        database("constant", "a strap without Service Changed: its handles hold for ever") {
            $0.offers.remove(.serviceChanged)
        },
        database("hashed", "a strap with Service Changed and a Database Hash") { $0.offers.insert(.databaseHash) },
        database("updated", "a strap whose handles move after the first connection") {
            $0.databaseChange = .afterConnections(1)
        },
        database("updated-hashed", "the same with a Database Hash") {
            $0.offers.insert(.databaseHash)
            $0.databaseChange = .afterConnections(1)
        },
        database("updated-constant", "the same without Service Changed, which no strap may do") {
            $0.offers.remove(.serviceChanged)
            $0.databaseChange = .afterConnections(1)
        },
        database("updating", "a strap whose handles move after 100 measurements, which it tells") {
            $0.databaseChange = .afterMeasurements(100)
        },
    ]

    private static func database(
        _ name: String, _ summary: String, _ adjust: (inout StrapPlan) -> Void
    ) -> Scenario {
        Scenario(name: name, summary: summary, straps: [.simulated(1, adjust)])
    }
}
