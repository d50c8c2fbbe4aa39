import HCI
import SMP
import Wire

/// A bond out of the file `info` that BlueZ keeps of a device.
///
/// BlueZ writes keys octet for octet as the kernel hands them over, which is as they are on the wire, the least significant first.
/// `[LongTermKey]` is the key that encrypts when this machine is central; `[PeripheralLongTermKey]`, formerly `[SlaveLongTermKey]`,
/// the one when it is peripheral. A key of LE Secure Connections serves both ways, and the kernel hands it over as the latter.
/// `Authenticated` is the kernel's kind of key: 0 and 1 of legacy pairing, 2 and 3 of LE Secure Connections, unauthenticated and
/// authenticated; 4 made with the debug key.
extension Bond {
    /// Why a device that BlueZ knows gives no bond, though nothing is wrong.
    enum Absence: Error, Hashable {
        /// It has no keys of Bluetooth LE.
        case none
        /// The keys are for the case that this machine is the peripheral.
        case peripheralOnly
        /// Everybody knows the keys.
        case debugKey
        /// A private address, which is another device's tomorrow.
        case privateAddress
    }

    /// - Parameters:
    ///   - address: of the device: the name of its folder
    ///   - adapter: this machine's adapter: the name of the folder above
    /// - Returns: the bond, or why there is none
    static func read(
        _ file: KeyFile, of address: Address, adapter: DeviceAddress
    ) throws(KeyFile.Fault) -> Result<Bond, Absence> {
        let identity = DeviceAddress(try addressKind(file), address)
        let key = try BlueZKey(file, "LongTermKey")
        let name: Substring = file.has("PeripheralLongTermKey") ? "PeripheralLongTermKey" : "SlaveLongTermKey"
        let peripheralKey = try BlueZKey(file, name)
        let keys = [key, peripheralKey].compactMap { $0 }
        guard !keys.isEmpty else { return .failure(.none) }
        if identity.kind == .random, identity.randomness != .static { return .failure(.privateAddress) }
        guard let used = keys.first(where: \.kind.isSecureConnections) ?? key else { return .failure(.peripheralOnly) }
        if used.kind == .debug { return .failure(.debugKey) }
        var bond = Bond(identity: identity, level: used.level, ownAddress: adapter)
        bond.centralKey = used.key
        if !used.kind.isSecureConnections { bond.peripheralKey = peripheralKey?.key }
        bond.identityResolvingKey = try resolvingKey(file, "IdentityResolvingKey", "Key")
        bond.signingKey = try file.octets16("RemoteSignatureKey", "Key").flatMap { SecretKey($0) }
        bond.name = file.text("General", "Name") ?? file.text("General", "Alias")
        return .success(bond)
    }

    private static func addressKind(_ file: KeyFile) throws(KeyFile.Fault) -> AddressKind {
        guard let entry = file.entry("General", "AddressType") else { return .public }
        switch entry.value {
        case "public": return .public
        case "static": return .random
        default: throw KeyFile.Fault(line: entry.line, reason: "AddressType is neither public nor static")
        }
    }

    /// An identity resolving key; none where it is all zeros, which resolves nothing (Core Vol 3, Part H, 3.6.4).
    static func resolvingKey(
        _ file: KeyFile, _ group: Substring, _ key: Substring
    ) throws(KeyFile.Fault) -> SecretKey? {
        guard let octets = try file.octets16(group, key), octets.contains(where: { $0 != 0 }) else { return nil }
        return SecretKey(octets)
    }
}

/// One long term key, as BlueZ writes it.
private struct BlueZKey {
    /// The kernel's kind of key.
    enum Kind: UInt8 {
        case unauthenticated, authenticated, secureUnauthenticated, secureAuthenticated, debug

        var isSecureConnections: Bool { rawValue >= Kind.secureUnauthenticated.rawValue }
    }

    let key: LongTermKey
    let kind: Kind

    /// `nil` where there is no such group.
    init?(_ file: KeyFile, _ group: Substring) throws(KeyFile.Fault) {
        guard file.has(group) else { return nil }
        guard let octets = try file.octets16(group, "Key"), let secret = SecretKey(octets) else {
            throw KeyFile.Fault(reason: "[\(group)] has no Key")
        }
        kind = try file.number(group, "Authenticated", in: 0...4).flatMap { Kind(rawValue: $0) } ?? .unauthenticated
        let size: Int = try file.number(group, "EncSize", in: 7...16) ?? 16
        let diversifier: UInt16 = try file.number(group, "EDiv", in: 0...UInt16.max) ?? 0
        let random: UInt64 = try file.number(group, "Rand", in: 0...UInt64.max) ?? 0
        key =
            kind.isSecureConnections
            ? LongTermKey(key: secret, size: size)
            : LongTermKey(key: secret, size: size, encryptedDiversifier: diversifier, random: random)
    }

    var level: SecurityLevel {
        switch kind {
        case .unauthenticated, .secureUnauthenticated, .debug: .encrypted
        case .authenticated: .authenticated
        case .secureAuthenticated: key.size == SecretKey.length ? .authenticatedSecureConnections : .authenticated
        }
    }
}
