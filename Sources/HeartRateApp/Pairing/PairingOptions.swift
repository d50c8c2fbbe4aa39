import HCI
import Host
import SMP

/// How the command line wants to pair.
struct PairingOptions: Sendable {
    /// Entered wherever a passkey is asked for.
    let passkey: Passkey?
    /// What can be shown and asked; `nil` for what the terminal can.
    private let ioCapability: IOCapability?
    private let outOfBandFile: String?
    /// The policy, as far as options decide it.
    private let policy: PairingPolicy
    /// How the host shows itself.
    let ownAddress: OwnAddressPolicy

    init(_ arguments: ParsedArguments) throws(UsageError) {
        var policy = PairingPolicy()
        passkey = try arguments.integer(.passkey, in: 0...999_999).flatMap { Passkey(UInt32($0)) }
        ioCapability = try arguments.choice(
            .ioCapability,
            [
                "none": .noInputNoOutput, "display": .displayOnly, "yes-no": .displayYesNo, "keyboard": .keyboardOnly,
                "keyboard-display": .keyboardDisplay,
            ])
        outOfBandFile = arguments.text(.outOfBand)
        if arguments.has(.legacy), arguments.has(.secureConnections) {
            throw UsageError("--legacy and --secure-connections exclude each other", command: arguments.command?.name)
        }
        if arguments.has(.legacy) { policy.generation = .legacyOnly }
        if arguments.has(.secureConnections) { policy.generation = .secureConnectionsOnly }
        if arguments.has(.noBond) { policy.isBonding = false }
        policy.usesDebugKeys = arguments.has(.debugKeys)
        policy.minimumKeySize = try arguments.integer(.minimumKeySize, in: 7...16) ?? policy.minimumKeySize
        self.policy = policy
        ownAddress =
            try arguments.choice(.ownAddress, ["private": .private, "public": .public, "static": .static]) ?? .private
    }

    /// Who gives a passkey wants it entered, and nothing else to be asked.
    private func defaultCapability(_ hasPerson: Bool) -> IOCapability {
        if passkey != nil { return .keyboardOnly }
        return hasPerson ? .keyboardDisplay : .noInputNoOutput
    }

    /// The policy for this run.
    ///
    /// - Parameter hasPerson: whether somebody can be asked
    /// - Throws: `Failure` where the out-of-band data cannot be read
    func policy(hasPerson: Bool) throws(Failure) -> PairingPolicy {
        var policy = policy
        policy.ioCapability = ioCapability ?? defaultCapability(hasPerson)
        if let outOfBandFile { policy.outOfBand = try OutOfBandFile(path: outOfBandFile).content }
        return policy
    }
}

extension Option {
    /// The options of the commands that pair.
    static let pairing = [
        passkey, ioCapability, outOfBand, legacy, secureConnections, noBond, minimumKeySize, debugKeys, ownAddress,
    ]

    static let ownAddress = Option(
        "own-address", value: "KIND",
        help: "private (the default: it changes, and only bonded peers\nrecognise it), public or static")
    fileprivate static let passkey = Option(
        "passkey", value: "N", help: "the passkey that the peer shows or has on its label")
    fileprivate static let ioCapability = Option(
        "io", value: "KIND",
        help:
            "what you can do to pair: none, display, yes-no, keyboard or\nkeyboard-display (the default on a terminal)")
    fileprivate static let outOfBand = Option(
        "oob", value: "FILE",
        help: "pairing data that came another way: lines of confirm=HEX and\nrandom=HEX, or temporary-key=HEX")
    fileprivate static let legacy = Option("legacy", help: "only legacy pairing")
    fileprivate static let secureConnections = Option(
        "secure-connections", help: "only LE Secure Connections, no legacy pairing")
    fileprivate static let noBond = Option("no-bond", help: "keep no keys after the pairing")
    fileprivate static let minimumKeySize = Option(
        "min-key-size", value: "N", help: "octets that a key must have: 7 to 16 (the default)")
    fileprivate static let debugKeys = Option(
        "debug-keys", help: "use the keys that everybody knows, so that a sniffer can decrypt")
}
