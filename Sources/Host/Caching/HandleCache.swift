public import GATT
public import HCI
import Wire

/// What is known of the handles of peers met before: so many peers and no more, those learnt longest ago make room.
///
/// A peer is known by an address that it keeps: public, random static, or that of an identity. A private address is
/// another device's tomorrow; nothing is kept under it.
public struct HandleCache: Hashable, Sendable {
    /// Peers that are remembered.
    public static let capacity = 64

    var entries: [DeviceAddress: KnownHandles] = [:]

    public init() {}

    /// How many peers are known.
    public var count: Int { entries.count }

    /// What is known of a peer; setting it for a peer without a lasting address does nothing.
    public subscript(peer: DeviceAddress) -> KnownHandles? {
        get { peer.lasting.flatMap { entries[$0] } }
        set {
            guard let peer = peer.lasting else { return }
            entries[peer] = newValue
            if entries.count > Self.capacity, let oldest = entries.min(by: { $0.value.learnt < $1.value.learnt }) {
                entries[oldest.key] = nil
            }
        }
    }
}

extension DeviceAddress {
    /// The address without a word of who resolved it, where it is one that the device keeps; else `nil`.
    var lasting: DeviceAddress? {
        let plain = DeviceAddress(kind.withoutIdentity, address)
        return plain.kind == .public || plain.randomness == .static ? plain : nil
    }
}

/// Keeps what is known of handles beyond the life of one central. Nothing here fails: a store that cannot keep
/// anything is asked in vain, and the next connection takes some requests more.
public protocol HandleStore: Sendable {
    /// All that is kept.
    func load() -> HandleCache

    /// Keeps what is known of a peer, or forgets it where that is `nil`.
    ///
    /// Called away from the link's executor: it may block.
    func save(_ handles: KnownHandles?, of peer: DeviceAddress) async
}
