import HCI
import Wire

/// Why a command is not done.
struct Refusal: Error, Hashable, Sendable {
    var status: Status

    init(_ status: Status) { self.status = status }
}

extension HostController {
    /// Executes a command and answers it. What else it brings about comes after the answer.
    mutating func execute(
        _ opcode: Opcode, _ parameters: [UInt8], at now: Moment, into effects: inout [ControllerEffect]
    ) {
        var consequences: [ControllerEffect] = []
        let answer = answer(to: opcode, parameters, at: now, into: &consequences)
        if !plan.unanswered.contains(opcode) { effects.append(.host(answer)) }
        effects += consequences
    }

    private mutating func answer(
        to opcode: Opcode, _ parameters: [UInt8], at now: Moment, into consequences: inout [ControllerEffect]
    ) -> [UInt8] {
        do {
            let returned = try perform(opcode, parameters, at: now, into: &consequences)
            return Self.deferred.contains(opcode)
                ? CommandStatus(opcode, .success, credits: credits).packet : complete(opcode, returned)
        } catch {
            note(.refusedCommand(opcode, error.status))
            // A command that the controller does not know has no form of answer of its own.
            return Self.deferred.contains(opcode) || error.status == .unknownCommand
                ? CommandStatus(opcode, error.status, credits: credits).packet
                : complete(opcode, [error.status.rawValue] + handleEcho(opcode, parameters))
        }
    }

    private func complete(_ opcode: Opcode, _ returned: [UInt8]) -> [UInt8] {
        var event = CommandComplete()
        event.credits = credits
        event.opcode = opcode
        event.returnParameters = returned
        return event.packet
    }

    /// Commands about a connection return its handle even when they fail.
    private func handleEcho(_ opcode: Opcode, _ parameters: [UInt8]) -> [UInt8] {
        Self.returningHandle.contains(opcode) ? Array(parameters.prefix(2)) : []
    }

    private mutating func perform(
        _ opcode: Opcode, _ parameters: [UInt8], at now: Moment, into consequences: inout [ControllerEffect]
    ) throws(Refusal) -> [UInt8] {
        if let status = plan.refused[opcode] { throw Refusal(status) }
        guard plan.knows(opcode) else { throw Refusal(.unknownCommand) }
        try keepFamily(of: opcode)
        if let returned = try performSetup(opcode, parameters, into: &consequences) { return returned }
        if let returned = try performInformation(opcode, parameters) { return returned }
        if let returned = try performAcceptList(opcode, parameters) { return returned }
        if let returned = try performResolvingList(opcode, parameters, at: now) { return returned }
        if let returned = try performScanning(opcode, parameters, at: now) { return returned }
        if let returned = try performConnecting(opcode, parameters, at: now, into: &consequences) { return returned }
        if let returned = try performLinkControl(opcode, parameters, at: now, into: &consequences) { return returned }
        throw Refusal(.unknownCommand)
    }

    /// Refuses a command of the family that is not in use (Core Vol 4, Part E, 3.1.1).
    private mutating func keepFamily(of opcode: Opcode) throws(Refusal) {
        guard let family = CommandFamily(opcode) else { return }
        guard settings.family == nil || settings.family == family else { throw Refusal(.commandDisallowed) }
        settings.family = family
    }

    /// Reads a command's parameters, which must have the right length.
    mutating func read<Read: Command>(_ parameters: [UInt8], as command: Read.Type = Read.self) throws(Refusal) -> Read
    {
        var trailing = 0
        guard let command = try? Read(decoding: parameters.span, trailing: &trailing), trailing == 0 else {
            note(.malformedCommand(Read.opcode))
            throw Refusal(.invalidCommandParameters)
        }
        return command
    }

    /// The return parameters of a command that returns nothing but success.
    static let success: [UInt8] = [Status.success.rawValue]

    /// The commands that are answered with Command Status.
    private static let deferred: Set<Opcode> = [
        Disconnect.opcode, ReadRemoteVersionInformation.opcode, LECreateConnection.opcode,
        LEExtendedCreateConnection.opcode, LEConnectionUpdate.opcode, LEReadRemoteFeatures.opcode,
        LEEnableEncryption.opcode, LESetPHY.opcode, LEReadLocalP256PublicKey.opcode, LEGenerateDHKey.opcode,
    ]

    private static let returningHandle: Set<Opcode> = [
        ReadRSSI.opcode, LEReadPHY.opcode, LESetDataLength.opcode, LERemoteConnectionParameterRequestReply.opcode,
        LERemoteConnectionParameterRequestNegativeReply.opcode, LELongTermKeyRequestReply.opcode,
        LELongTermKeyRequestNegativeReply.opcode,
    ]
}
