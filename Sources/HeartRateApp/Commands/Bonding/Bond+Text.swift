import HCI
import SMP
import Wire

extension Bond {
    /// Octets of the key that counts: the one that encrypts when the host is central.
    private var keySize: Int? { (centralKey ?? peripheralKey)?.size }

    /// The bond as one line, without its keys.
    func text(_ style: Style) -> String {
        var parts = ["\(style.bold("\(identity.address)")) (\(identity.kind == .public ? "public" : "random"))"]
        if let name { parts.append(name.printable) }
        let generation = isSecureConnections ? "Secure Connections" : "legacy pairing"
        parts.append("\(level.text), key of \(keySize ?? 0) octets, \(generation)")
        if identityResolvingKey != nil { parts.append("recognised under private addresses") }
        if let since { parts.append("since \(since.date)") }
        return parts.joined(separator: "  ")
    }
}

extension JSONWriter {
    /// A bond, without its keys.
    mutating func bond(_ bond: Bond) {
        event("bond")
        identity(of: bond)
        member("level", bond.level.word)
        if let size = (bond.centralKey ?? bond.peripheralKey)?.size { member("key_size", size) }
        key("secure_connections")
        bool(bond.isSecureConnections)
        key("private_addresses")
        bool(bond.identityResolvingKey != nil)
        member("own_address", (bond.ownIdentity ?? bond.ownAddress).address)
        if let since = bond.since { member("since", since) }
    }

    /// A bond that is no more.
    mutating func unpaired(_ bond: Bond) {
        event("unpaired")
        identity(of: bond)
    }

    private mutating func identity(of bond: Bond) {
        member("identity", bond.identity.address)
        key("identity_type")
        string(bond.identity.kind == .public ? "public" : "random")
        if let name = bond.name { member("name", name) }
    }
}
