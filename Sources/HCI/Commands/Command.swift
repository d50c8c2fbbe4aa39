public import Wire

/// A command with its parameters as fields, the opcode apart (Core Vol 4, Part E, 7).
///
/// The one that fills it in writes `LESetScanEnable { $0.isEnabled = true }`; `packet` is what goes to the controller.
public protocol Command: Fielded, Hashable {
    /// What the Command Complete event brings back.
    associatedtype ReturnParameters: CommandReturn = StatusReturn

    static var opcode: Opcode { get }

    /// Which event answers the command.
    static var answer: CommandAnswer { get }
}

/// A command that is answered at once by a Command Status event and whose outcome comes later, in an event of its own.
public protocol DeferredCommand: Command where ReturnParameters == StatusReturn {}

/// Which event answers a command (Core Vol 4, Part E, 4.4).
public enum CommandAnswer: Hashable, Sendable {
    /// Command Complete, with return parameters.
    case complete
    /// Command Complete, whose return parameters name the connection again after the status.
    case completeOfConnection
    /// Command Status; what the command does ends with another event.
    case status
}

/// What a Command Complete event brings back. All commands here return a status first.
public protocol CommandReturn: Fielded, Hashable {
    var status: Status { get set }
}

/// What a command about one connection brings back: the status, then the connection's handle.
public protocol ConnectionReturn: CommandReturn {
    var handle: ConnectionHandle { get set }
}

/// A status and nothing else.
public struct StatusReturn: CommandReturn {
    public var status = Status.success

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
    }
}

/// A status and the connection it is about.
public struct HandleReturn: ConnectionReturn {
    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
    }
}

/// Why a command did not do what it should.
public enum CommandFailure: Error, Hashable, Sendable {
    /// The controller said no.
    case refused(Opcode, Status)
    /// The controller said something that is no answer.
    case malformed(Opcode, WireError)
    /// The controller said nothing in time.
    case unanswered(Opcode)
}

extension Command {
    public static var answer: CommandAnswer { .complete }

    /// The command as a packet, its H4 type octet first.
    public var packet: [UInt8] { Packet.command(Self.opcode, parameters: encoded).encoded }

    /// Reads the return parameters of a Command Complete event.
    ///
    /// A refusal is one whatever follows the status: many controllers then leave out the rest.
    public static func result(_ octets: [UInt8]) throws(CommandFailure) -> ReturnParameters {
        let status: Status
        do { status = try StatusReturn(decoding: octets).status } catch { throw .malformed(opcode, error) }
        guard status == .success else { throw .refused(opcode, status) }
        do { return try ReturnParameters(decoding: octets) } catch { throw .malformed(opcode, error) }
    }
}

extension Command where ReturnParameters: ConnectionReturn {
    public static var answer: CommandAnswer { .completeOfConnection }
}

extension DeferredCommand {
    public static var answer: CommandAnswer { .status }
}
