import HCI
import SMP
import Wire

/// The devices that the controller recognises behind their private addresses, and the keys by which they recognise it
/// (Core Vol 6, Part B, 4.7).
struct ResolvingList: Hashable, Sendable {
    private(set) var entries: [Entry] = []
    /// Whether the list is used at all.
    var isEnabled = false
    /// How long one of the controller's own private addresses is kept.
    var period = Duration.seconds(900)

    /// One device.
    struct Entry: Hashable, Sendable {
        let identity: DeviceAddress
        /// `nil` where it has no private addresses.
        let peerKey: SecretKey?
        /// `nil` where the controller shows it none.
        let localKey: SecretKey?
        /// Whether it is believed under its identity address, too.
        var mode = PrivacyMode.network
        /// The private address that it was heard with last.
        var heard: Address?

        init(_ command: LEAddDeviceToResolvingList) {
            identity = command.identity
            peerKey = SecretKey(nonzero: command.peerKey)
            localKey = SecretKey(nonzero: command.localKey)
        }
    }

    /// The place of the device with that identity.
    func index(of identity: DeviceAddress) -> Int? { entries.firstIndex { $0.identity == identity } }

    subscript(index: Int) -> Entry {
        get { entries[index] }
        set { entries[index] = newValue }
    }

    /// Neither an identity nor a key may be there twice (Core Vol 4, Part E, 7.8.38).
    func hasRoom(beside new: Entry) -> Bool {
        !entries.contains { $0.identity == new.identity || $0.peerKey != nil && $0.peerKey == new.peerKey }
    }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    mutating func remove(at index: Int) { entries.remove(at: index) }

    mutating func removeAll() { entries.removeAll() }
}

extension SecretKey {
    /// A key as commands give it: zeros for none.
    fileprivate init?(nonzero octets: [UInt8]) {
        guard octets.contains(where: { $0 != 0 }) else { return nil }
        self.init(octets)
    }
}
