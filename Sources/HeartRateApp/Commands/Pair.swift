import HCI
import HeartRate
import Host
import SMP
import Wire

/// `hr-raw pair`: pairs with a device, so that it is known from then on.
struct Pair: Command {
    static let description = CommandDescription(
        "pair", summary: "Pair with a device and keep the keys", operands: "ADDRESS", operandCount: 1...1,
        options: [.addressType, .timeout, .level] + Option.pairing + [.takeOver],
        discussion: """
            'connect' and 'gatt' pair by themselves where a device wants it; this is for devices that have to
            be paired beforehand, for those that have forgotten their bond, and for more protection than they
            ask for. A bond that there is already is replaced once the new pairing has succeeded. Passkeys and
            comparisons are asked for on the terminal.
            """,
        examples: [
            "sudo hr-raw pair F0:F1:F2:F3:F4:01", "sudo hr-raw pair any --passkey 123456",
            "sudo hr-raw pair any --level authenticated",
        ])

    private let access: ControllerAccess
    private let title: String
    private let wanted: HeartRateMonitor.Wanted
    private let level: SecurityLevel
    private let timeout: Duration
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try ControllerAccess(arguments)
        let operand = arguments.operands.first ?? "any"
        let device = try DeviceSelector(operand, command: "pair")
        title = device.title(operand)
        let kind = try arguments.choice(.addressType, ["public": AddressKind.public, "random": .random])
        wanted = device.wanted(kind: kind)
        level =
            try arguments.choice(
                .level,
                [
                    "encrypted": .encrypted, "authenticated": .authenticated,
                    "secure": .authenticatedSecureConnections,
                ]) ?? .encrypted
        timeout = try arguments.seconds(.timeout) ?? .seconds(30)
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        let end = try await access.withCentral(console) { central in
            do {
                try await pair(central, console)
            } catch let error as OutputError {
                throw error
            } catch {
                if Task.isCancelled { throw error }
                if let ending = await central.ending { throw ending }
                throw Failure(of: error, peer: title)
            }
        }
        if case .recordingEnded = end { throw Failure(.recordingEnded) }
    }

    private func pair(_ central: Central, _ console: Console) async throws {
        let deadline = await central.now + timeout
        let target = try await central.find(wanted, called: title, until: deadline, console.messages)
        console.messages.note("connecting to \(target) …")
        var parameters = InitialParameters.heartRate
        // Who pairs tells who he is; a peer that takes no identity key then knows at least this address.
        // What is paired anew may have lost its key, and would end the link that is encrypted with it.
        parameters.usesBond = false
        if await central.identity(of: target.address) == nil { parameters.ownAddress = .identity }
        let remaining = await deadline - central.now
        try await central.withConnection(to: target, parameters: parameters, within: remaining) { peer in
            console.messages.note("connected; pairing …")
            let protection = try await peer.pair(level)
            try tell(protection, of: await peer.connection?.peer ?? target, reachedAt: target, console)
        }
    }

    private func tell(
        _ protection: LinkProtection, of identity: DeviceAddress, reachedAt address: DeviceAddress, _ console: Console
    ) throws(OutputError) {
        guard isJSON else {
            return try console.output.writeLine(
                "paired with \(identity): \(protection.level.text), key of \(protection.keySize) octets"
                    + (protection.isBonded ? "" : ", not kept"))
        }
        try console.output.write { octets in
            JSONWriter.line(to: &octets) { $0.pairing(protection, of: identity, reachedAt: address) }
        }
    }
}

extension JSONWriter {
    /// A pairing that has succeeded.
    fileprivate mutating func pairing(
        _ protection: LinkProtection, of identity: DeviceAddress, reachedAt address: DeviceAddress
    ) {
        event("paired")
        key("address")
        self.address(address.address)
        key("identity")
        self.address(identity.address)
        key("identity_type")
        string(identity.kind == .public ? "public" : "random")
        key("level")
        string(protection.level.word)
        key("key_size")
        integer(protection.keySize)
        key("bonded")
        bool(protection.isBonded)
        key("secure_connections")
        bool(protection.isSecureConnections)
    }
}

extension Option {
    fileprivate static let level = Option(
        "level", value: "LEVEL",
        help: "encrypted (the default), authenticated or secure\n(authenticated by LE Secure Connections)")
}
