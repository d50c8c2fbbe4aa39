import ATT
import Capture
import HCI
import L2CAP

/// What is known of one connection while it lasts.
struct Link: Hashable, Sendable {
    /// `nil` for one that was there before the capture began.
    var peer: DeviceAddress?
    /// Whether its data is encrypted on air, as far as the capture told.
    var isEncrypted = false
    var conversation = Conversation()
    var pairing = PairingStory()
    /// Whether it was told that data without a direction counts as the peer's.
    var hasToldDirection = false
    private var toldAttributes: Set<Handle> = []
    private var received = Reassembler()
    private var sent = Reassembler()

    init(peer: DeviceAddress? = nil) { self.peer = peer }

    /// Notes that an assumption about an attribute is told.
    ///
    /// - Returns: whether it had not been told on this link
    mutating func tell(_ attribute: Handle) -> Bool {
        // A made-up capture must not make this grow without end.
        if toldAttributes.count >= 4096 { toldAttributes = [] }
        return toldAttributes.insert(attribute).inserted
    }

    /// Whether a frame of one direction has begun and not ended.
    func isCollecting(_ direction: Record.Direction?) -> Bool {
        direction == .sent ? sent.isCollecting : received.isCollecting
    }

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

    /// The links, and places of links that ended. A place is found once a packet and then used without a copy.
    private var links: [Link] = []
    private var places: [Key: Int] = [:]
    private var free: [Int] = []
    /// The place asked for last: most packets follow one of their own link.
    private var last: (key: Key, place: Int)?
    /// The peer that each adapter was last asked to connect to.
    var attempted: [UInt16?: DeviceAddress] = [:]
    /// What peers serve, for when they come back: nobody asks twice what he knows.
    private var known = PeerMemory()

    private struct Key: Hashable {
        var adapter: UInt16?
        var handle: ConnectionHandle
    }

    /// The link at a place; see `place(of:_:)` and `open(_:_:)`.
    subscript(place: Int) -> Link {
        _read { yield links[place] }
        _modify { yield &links[place] }
    }

    /// Where a link stands; `nil` for one that is not known.
    mutating func place(of adapter: UInt16?, _ handle: ConnectionHandle) -> Int? {
        let key = Key(adapter: adapter, handle: handle)
        if let last, last.key == key { return last.place }
        guard let place = places[key] else { return nil }
        last = (key, place)
        return place
    }

    mutating func peer(_ adapter: UInt16?, _ handle: ConnectionHandle) -> DeviceAddress? {
        place(of: adapter, handle).flatMap { links[$0].peer }
    }

    /// What is known of a link's attributes; nothing for an unknown link.
    func conversation(_ adapter: UInt16?, _ handle: ConnectionHandle) -> Conversation? {
        places[Key(adapter: adapter, handle: handle)].map { links[$0].conversation }
    }

    /// Begins a link, whatever its handle stood for before. Its peer is not known where the capture started after it.
    ///
    /// - Returns: its place, and whether it was one too many, so that all before it are forgotten
    @discardableResult
    mutating func open(
        _ adapter: UInt16?, _ handle: ConnectionHandle, peer: DeviceAddress? = nil, role: Role? = nil
    ) -> (place: Int, forgot: Bool) {
        end(adapter, handle)
        let forgets = places.count >= Self.limit
        if forgets { (links, places, free, last) = ([], [:], [], nil) }
        var link = Link(peer: peer)
        if let peer { link.conversation.peer = known[peer].ofEarlierLink }
        // The central begins whatever there is to be paired.
        if let role { link.pairing.initiator = role == .central ? .sent : .received }
        let place = free.popLast() ?? links.count
        if place < links.count { links[place] = link } else { links.append(link) }
        places[Key(adapter: adapter, handle: handle)] = place
        return (place, forgets)
    }

    /// Ends a link.
    ///
    /// - Returns: the PDUs that were lost with it, because their rest had not come
    @discardableResult
    mutating func end(_ adapter: UInt16?, _ handle: ConnectionHandle) -> [Reassembler.Fault] {
        last = nil
        guard let place = places.removeValue(forKey: Key(adapter: adapter, handle: handle)) else { return [] }
        let lost = [Record.Direction.received, .sent].compactMap { links[place][$0].reset() }
        if let peer = links[place].peer { known[peer] = links[place].conversation.peer }
        links[place] = Link()
        free.append(place)
        return lost
    }

    /// Ends all links of an adapter.
    ///
    /// - Returns: whether there were any
    mutating func endAll(of adapter: UInt16?) -> Bool {
        let ended = places.keys.filter { $0.adapter == adapter }
        for key in ended { end(key.adapter, key.handle) }
        return !ended.isEmpty
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
