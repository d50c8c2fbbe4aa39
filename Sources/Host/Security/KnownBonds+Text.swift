import HCI
import SMP
import Wire

/// The form in which bonds are kept: as `KeptText` says, our own key, then a line a peer, oldest first. A text with any damage is not
/// used at all: a key that is not the right one looks to the peer like somebody who pretends to be this host.
///
/// ```
/// hr-raw-bonds 1
/// own-key 00112233445566778899aabbccddeeff
/// bond F0:F1:F2:F3:F4:01/random level=encrypted since=1767225600000000 own-address=00:11:22:33:44:55/public irk=… ltk=…/16
/// end 2 7d5f0c1a2b3c4d5e
/// ```
///
/// Keys are hexadecimal, the most significant octet first, as the specification writes them. `own-identity` is what the peer was told
/// of us. `ltk` encrypts when the host is central, `peripheral-ltk` when it is peripheral: key and size, and after legacy pairing EDIV
/// and Rand, in hexadecimal. `csrk` signs. `name` has every octet but letters, digits and a few marks as `%` and two digits. `since`
/// is microseconds since 1970.
extension KnownBonds {
    /// Why a text is not used.
    public typealias Damage = KeptTextDamage

    /// Peers that there is room for.
    public static let capacity = 256

    private static let form = KeptText(name: "hr-raw-bonds", version: 1)
    private static let ownKeyWord = "own-key "
    private static let bondWord = "bond "

    /// The text, in ASCII. It holds the keys.
    public var text: [UInt8] {
        let ownKey = ownKey.map { [Self.ownKeyWord + $0.digits] } ?? []
        return Self.form.octets(around: ownKey + bonds.map { Self.bondWord + $0.line })
    }

    /// Reads such a text.
    public init(text: [UInt8]) throws(Damage) {
        self.init()
        for (index, line) in try Self.form.lines(of: text, atMost: Self.capacity + 1).enumerated() {
            guard take(line) else { throw .line(index + 2) }
        }
    }

    /// Whether the line means something, at this place.
    private mutating func take(_ line: String) -> Bool {
        if ownKey == nil, bonds.isEmpty, line.hasPrefix(Self.ownKeyWord) {
            ownKey = SecretKey(digits: line.dropFirst(Self.ownKeyWord.count))
            return ownKey != nil
        }
        guard line.hasPrefix(Self.bondWord), let bond = Bond(line: line.dropFirst(Self.bondWord.count)),
            bonds.count < Self.capacity, self[bond.identity] == nil
        else { return false }
        bonds.append(bond)
        return true
    }
}

// MARK: One peer

extension Bond {
    fileprivate var line: String {
        let fields: [(String, String?)] = [
            ("level", level.word), ("since", since.map { "\($0.microseconds)" }), ("own-address", ownAddress.word),
            ("own-identity", ownIdentity?.word), ("irk", identityResolvingKey?.digits), ("ltk", centralKey?.word),
            ("peripheral-ltk", peripheralKey?.word), ("csrk", signingKey?.digits), ("name", name?.escaped),
        ]
        return fields.reduce(into: identity.word) { line, field in
            if let value = field.1 { line += " \(field.0)=\(value)" }
        }
    }

    fileprivate init?(line: Substring) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard let identity = words.first.flatMap({ DeviceAddress(word: $0) }),
            var fields = BondFields(words.dropFirst()),
            let level = fields.take("level", { SecurityLevel(word: $0) }) ?? nil,
            let ownAddress = fields.take("own-address", { DeviceAddress(word: $0) }) ?? nil,
            let since = fields.take("since", { Int64($0).map { Timestamp(microseconds: $0) } }),
            let ownIdentity = fields.take("own-identity", { DeviceAddress(word: $0) }),
            let identityResolvingKey = fields.take("irk", { SecretKey(digits: $0) }),
            let centralKey = fields.take("ltk", { LongTermKey(word: $0) }),
            let peripheralKey = fields.take("peripheral-ltk", { LongTermKey(word: $0) }),
            let signingKey = fields.take("csrk", { SecretKey(digits: $0) }),
            let name = fields.take("name", { String(escaped: $0) }), fields.isEmpty
        else { return nil }
        self.init(identity: identity, level: level, ownAddress: ownAddress)
        self.since = since
        self.ownIdentity = ownIdentity
        self.identityResolvingKey = identityResolvingKey
        self.centralKey = centralKey
        self.peripheralKey = peripheralKey
        self.signingKey = signingKey
        self.name = name
    }
}

/// The fields of a line that have not been read yet.
private struct BondFields {
    private var values: [Substring: Substring] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// `nil` where a word is no field, or one that was there before.
    init?(_ words: some Sequence<Substring>) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, values.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
        }
    }

    /// The field's value; inside, `nil` where there is no such field; outside, where it means nothing.
    mutating func take<Value>(_ name: Substring, _ read: (Substring) -> Value?) -> Value?? {
        guard let text = values.removeValue(forKey: name) else { return .some(nil) }
        return read(text).map { .some($0) }
    }
}

// MARK: Words

extension SecurityLevel {
    private static let words: KeyValuePairs<SecurityLevel, String> = [
        .none: "none", .encrypted: "encrypted", .authenticated: "authenticated",
        .authenticatedSecureConnections: "authenticated-secure-connections",
    ]

    fileprivate var word: String { Self.words.first { $0.key == self }?.value ?? "" }

    fileprivate init?(word: Substring) {
        guard let level = Self.words.first(where: { $0.value == word })?.key else { return nil }
        self = level
    }
}

extension DeviceAddress {
    fileprivate var word: String { "\(address)/\(kind.withoutIdentity == .public ? "public" : "random")" }

    fileprivate init?(word: Substring) {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = Address(String(parts[0])),
            let kind = ["public": AddressKind.public, "random": .random][parts[1]]
        else { return nil }
        self.init(kind, address)
    }
}

extension SecretKey {
    fileprivate var digits: String { octets.reversed().hexadecimal }

    fileprivate init?(digits: Substring) {
        guard let octets = [UInt8](hexadecimal: digits) else { return nil }
        self.init(octets.reversed())
    }
}

extension LongTermKey {
    fileprivate var word: String {
        let which =
            encryptedDiversifier == 0 && random == 0
            ? "" : "/\(encryptedDiversifier.paddedHexadecimal)/\(random.paddedHexadecimal)"
        return "\(key.digits)/\(size)\(which)"
    }

    fileprivate init?(word: Substring) {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4, let key = SecretKey(digits: parts[0]), let size = Int(parts[1]),
            (7...SecretKey.length).contains(size)
        else { return nil }
        self.init(key: key, size: size)
        guard parts.count == 4 else { return }
        guard let diversifier = UInt16(parts[2], radix: 16), let random = UInt64(parts[3], radix: 16),
            diversifier != 0 || random != 0
        else { return nil }
        encryptedDiversifier = diversifier
        self.random = random
    }
}

extension String {
    /// Octets that a name of a device can have (Core Vol 3, Part C, 12.1).
    private static let longestName = 248

    /// The name, or as much of it as a name can be long, without a space, a line's end or an equals sign.
    fileprivate var escaped: String {
        var name = self[...]
        while name.utf8.count > Self.longestName { name.removeLast() }
        return name.utf8.reduce(into: "") { text, octet in
            let character = Character(Unicode.Scalar(octet))
            let isPlain =
                character.isASCII && (character.isLetter || character.isNumber || "-_.:()".contains(character))
            text += isPlain ? String(character) : "%" + octet.paddedHexadecimal
        }
    }

    fileprivate init?(escaped text: Substring) {
        var octets: [UInt8] = []
        var rest = text.utf8
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "%") else {
                octets.append(octet)
                continue
            }
            guard let value = [UInt8](hexadecimal: Substring(rest.prefix(2)))?.first else { return nil }
            octets.append(value)
            rest = rest.dropFirst(2)
        }
        guard octets.count <= Self.longestName else { return nil }
        self.init(validating: octets, as: UTF8.self)
    }
}
