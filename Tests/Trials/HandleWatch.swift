import HCI

/// Which connections the host has been told of, packet by packet, so that what it sends can be held against it.
struct HandleWatch {
    private var told: Set<ConnectionHandle> = []

    /// The host receives `packet`.
    mutating func tell(_ packet: [UInt8]) {
        guard packet.first == PacketType.event.rawValue,
            case .event(let code, let parameters)? = try? Packet(decoding: packet)
        else { return }
        switch try? Event(code, parameters: parameters) {
        case .disconnectionComplete(let event) where event.status == .success: told.remove(event.handle)
        case .le(.connectionComplete(let event)): begin(event)
        case .le(.enhancedConnectionComplete(let event)): begin(event)
        default: break
        }
    }

    private mutating func begin(_ event: some ConnectionCompletion) {
        if let handle = event.established?.handle { told.insert(handle) }
    }

    /// The handle of data that the host sends on a connection of which it knows that there is none.
    func unknownHandle(of packet: [UInt8]) -> ConnectionHandle? {
        guard packet.first == PacketType.acl.rawValue, packet.count > 2 else { return nil }
        let handle = ConnectionHandle(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
        return told.contains(handle) ? nil : handle
    }
}
