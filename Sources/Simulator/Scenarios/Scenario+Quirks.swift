import ATT
import HCI
import Wire

// Straps that are difficult, one difficulty each.
extension Scenario {
    static let quirks: [Scenario] = [
        quirk("sleepy", "a strap that is switched on 8 s late") { $0.appearsAfter = .seconds(8) },
        quirk("vanishing", "a strap that is gone as soon as it is connected (0x3E), every time") {
            $0.departure = .init(.atConnection, .vanishing, returnsAfter: .milliseconds(300))
        },
        quirk("shaky", "a strap whose first three connections fail to be established (0x3E)") {
            $0.departure = .init(.atConnection, .vanishing, returnsAfter: .milliseconds(300), times: 3)
        },
        quirk("vanishing-discovery", "a strap that vanishes in mid-discovery and does not come back") {
            $0.departure = .init(.atRequest(2), .vanishing, returnsAfter: nil)
        },
        quirk("leaving-discovery", "a strap that ends the link in mid-discovery (0x13)") {
            $0.departure = .init(.atRequest(2), .leaving(.remoteUserTerminated), returnsAfter: .seconds(1))
        },
        quirk("vanishing-stream", "a strap that vanishes after five measurements and does not come back") {
            $0.departure = .init(.afterMeasurements(5), .vanishing, returnsAfter: nil)
        },
        quirk("taken-off", "a strap that ends the link 15 s after it was taken off, and comes back") {
            $0.contact = .changing(worn: .seconds(30), off: .seconds(25))
            $0.departure = .init(
                .withoutContact(.seconds(15)), .leaving(.remoteUserTerminated), returnsAfter: .seconds(10))
        },
        quirk("frozen", "a strap that gets stuck and repeats its last measurement for ever") {
            $0.measurement.freezesAfter = 10
        },
        quirk("refusing", "a strap that refuses notifications: Insufficient Authentication (0x05)") {
            $0.refusesSubscription = .insufficientAuthentication
        },
        quirk("no-heart-rate", "a device that advertises nothing but a name and has no heart-rate service") {
            $0.offers = [.deviceInformation, .battery]
        },
        quirk("bare", "a strap with 2A37 alone: no location, battery, device information") {
            $0.offers = .heartRate
        },
        quirk("slow", "a strap that asks for a longer interval through the link layer after 5 s") {
            $0.parameterWish = .init(
                after: .seconds(5), patience: .seconds(30), channel: .linkLayer,
                intervals: ConnectionInterval(.milliseconds(400))...ConnectionInterval(.milliseconds(500)),
                supervisionTimeout: SupervisionTimeout(.seconds(6)))
        },
        quirk("invalid-parameters", "a strap that asks for connection parameters that no link can have") {
            $0.parameterWish = .init(
                after: .seconds(5), patience: .seconds(30), channel: .signaling,
                intervals: ConnectionInterval(rawValue: 3)...ConnectionInterval(rawValue: 4),
                supervisionTimeout: SupervisionTimeout(rawValue: 9))
        },
    ]

    private static func quirk(
        _ name: String, _ summary: String, _ adjust: (inout StrapPlan) -> Void
    ) -> Scenario {
        Scenario(name: name, summary: summary, straps: [.simulated(1, adjust)])
    }
}
