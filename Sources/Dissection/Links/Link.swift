import ATT
import Capture
import HCI
import L2CAP

/// What is known of one connection while it lasts.
struct Link: Hashable, Sendable {
    /// `nil` for one that was there before the capture began.
    var peer: DeviceAddress?
    var conversation = Conversation()
    private var received = Reassembler()
    private var sent = Reassembler()

    init(peer: DeviceAddress? = nil) { self.peer = peer }

    /// What joins the fragments of one direction; a stream without directions has one for both.
    subscript(direction: Record.Direction?) -> Reassembler {
        get { direction == .sent ? sent : received }
        _modify {
            if direction == .sent { yield &sent } else { yield &received }
        }
    }
}

/// The links of all adapters in a capture, by adapter and connection handle.
struct LinkTable: Sendable {
    /// More links than any capture has open at once. Bounds what a made-up one can make a reader keep.
    private static let limit = 1024

    private var links: [Key: Link] = [:]
    /// The peer that each adapter was last asked to connect to.
    var attempted: [UInt16?: DeviceAddress] = [:]
    /// What peers serve, for when they come back: nobody asks twice what he knows.
    private var known = PeerMemory()

    private struct Key: Hashable {
        var adapter: UInt16?
        var handle: ConnectionHandle
    }

    /// The link, begun where there is none yet: the capture may have started after it.
    subscript(adapter: UInt16?, handle: ConnectionHandle) -> Link {
        get { links[Key(adapter: adapter, handle: handle)] ?? Link() }
        _modify { yield &links[Key(adapter: adapter, handle: handle), default: Link()] }
    }

    func contains(_ adapter: UInt16?, _ handle: ConnectionHandle) -> Bool {
        links[Key(adapter: adapter, handle: handle)] != nil
    }

    func peer(_ adapter: UInt16?, _ handle: ConnectionHandle) -> DeviceAddress? {
        links[Key(adapter: adapter, handle: handle)]?.peer
    }

    /// Begins a link anew, whatever its handle stood for before.
    mutating func begin(_ adapter: UInt16?, _ handle: ConnectionHandle, peer: DeviceAddress) {
        end(adapter, handle)
        var link = Link(peer: peer)
        link.conversation.peer = known[peer]
        links[Key(adapter: adapter, handle: handle)] = link
    }

    /// Ends a link.
    ///
    /// - Returns: the PDUs that were lost with it, because their rest had not come
    @discardableResult
    mutating func end(_ adapter: UInt16?, _ handle: ConnectionHandle) -> [Reassembler.Fault] {
        guard var link = links.removeValue(forKey: Key(adapter: adapter, handle: handle)) else { return [] }
        if let peer = link.peer { known[peer] = link.conversation.peer }
        return [Record.Direction.received, .sent].compactMap { link[$0].reset() }
    }

    /// Ends all links of an adapter.
    ///
    /// - Returns: whether there were any
    mutating func endAll(of adapter: UInt16?) -> Bool {
        let ended = links.keys.filter { $0.adapter == adapter }
        for key in ended { end(key.adapter, key.handle) }
        return !ended.isEmpty
    }

    /// Whether another link would be one too many; then all are forgotten.
    mutating func makeRoom() -> Bool {
        guard links.count >= Self.limit else { return false }
        links = [:]
        return true
    }
}

/// The attributes of the peers met last.
private struct PeerMemory: Sendable {
    private static let limit = 256

    private var maps: [DeviceAddress: AttributeMap] = [:]
    private var order: [DeviceAddress] = []

    subscript(peer: DeviceAddress) -> AttributeMap {
        get { maps[peer.withoutIdentity] ?? AttributeMap() }
        set {
            let peer = peer.withoutIdentity
            guard !newValue.isEmpty else { return }
            if maps.updateValue(newValue, forKey: peer) == nil { order.append(peer) }
            if order.count > Self.limit { maps[order.removeFirst()] = nil }
        }
    }
}

extension DeviceAddress {
    /// The same device whether the controller resolved its address or it showed it itself.
    fileprivate var withoutIdentity: DeviceAddress { DeviceAddress(kind.withoutIdentity, address) }
}
