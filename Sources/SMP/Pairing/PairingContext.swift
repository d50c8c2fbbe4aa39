/// What every step of a pairing's second phase is done with.
struct PairingContext {
    let terms: PairingTerms
    let policy: PairingPolicy
    let toolbox: any SecurityToolbox

    /// Has the toolbox work. Where it fails, the pairing does.
    func work<Result>(
        _ task: (any SecurityToolbox) throws(ToolboxError) -> Result
    ) throws(PairingBreak) -> Result {
        do throws(ToolboxError) {
            return try task(toolbox)
        } catch {
            throw .toolbox(error)
        }
    }

    /// A new random value of 128 bits.
    func random() throws(PairingBreak) -> [UInt8] {
        try work { tools throws(ToolboxError) in try tools.random(SecretKey.length) }
    }

    /// The passkey that this side shows: one of a million, each as likely as the next.
    func passkeyToShow() throws(PairingBreak) -> Passkey {
        if let fixed = policy.fixedPasskey { return fixed }
        // 64 bits for 20: what the remainder prefers is less than one in a billion.
        let octets = try work { tools throws(ToolboxError) in try tools.random(8) }
        let number = octets.reduce(0) { $0 << 8 | UInt64($1) }
        return Passkey(remainder: UInt32(truncatingIfNeeded: number % 1_000_000))
    }

    /// A key of so many octets as was agreed: the most significant others are zero (Core Vol 3, Part H, 2.3.4).
    func key(mostSignificantFirst octets: [UInt8]) throws(PairingBreak) -> SecretKey {
        try key(octets.reversed())
    }

    /// - Parameter octets: the least significant first
    func key(_ octets: [UInt8]) throws(PairingBreak) -> SecretKey {
        let masked = octets.prefix(terms.keySize) + [UInt8](repeating: 0, count: max(0, octets.count - terms.keySize))
        guard let key = SecretKey(Array(masked)) else {
            throw .toolbox(.failed("a key of \(octets.count) octets"))
        }
        return key
    }
}

extension Passkey {
    /// The passkey as a value of 128 bits (Core Vol 3, Part H, 2.3.5.3 and 2.3.5.6.3).
    var mostSignificantFirst: [UInt8] {
        [UInt8](repeating: 0, count: 12) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension PairingValue {
    /// - Parameter octets: as the toolbox gives them
    init(mostSignificantFirst octets: [UInt8]) { self.init(octets.reversed()) }

    /// The octets as the toolbox takes them.
    var mostSignificantFirst: [UInt8] { octets.reversed() }
}
