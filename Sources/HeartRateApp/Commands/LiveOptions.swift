import HCI
import HeartRate
import Host
import Wire

/// Options that several of the commands with a controller share.
extension Option {
    static let addressType = Option(
        "type", value: "KIND", help: "public or random: the kind of ADDRESS;\nwithout it, a scan finds out")
    static let duration = Option("duration", value: "S", help: "end after so many seconds")
    static let timeout = Option(
        "timeout", value: "S", help: "how long the peer may take to be found and to answer\n(default: 30)")
    static let takeOver = Option(
        "take-over", help: "use the adapter even if it carries other programs' connections,\nwhich this ends")
}

extension Central {
    /// Where the wanted device is, told to the user while it is searched for.
    func find(
        _ wanted: HeartRateMonitor.Wanted, called title: String, until deadline: Moment, _ messages: Messages
    ) async throws -> DeviceAddress {
        if let known = known(wanted) { return known }
        messages.note("searching for \(title) …")
        return try await within(deadline, .searching) { try await self.find(wanted) }
    }
}

extension DeviceSelector {
    /// What messages call the device before and after it is known: the user's word, unless that was 'any'.
    func title(_ text: String) -> String { self == .any ? "a heart-rate strap" : text }

    /// Which strap that is.
    ///
    /// - Parameter kind: the kind of an address, where it is known
    func wanted(kind: AddressKind?) -> HeartRateMonitor.Wanted {
        switch self {
        case .address(let address): kind.map { .target(DeviceAddress($0, address)) } ?? .address(address)
        case .name(let name): .name(name)
        case .any: .any
        }
    }
}
