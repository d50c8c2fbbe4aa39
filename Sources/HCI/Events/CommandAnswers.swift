// The two answers to commands.

public import Wire

/// A command is done; its return parameters (Core Vol 4, Part E, 7.7.14).
public struct CommandComplete: EventParameters {
    public static let code = EventCode.commandComplete

    /// Num_HCI_Command_Packets: how many commands the controller takes from now on.
    public var credits: UInt8 = 0
    /// The command answered; `.none` where the event only grants credits.
    public var opcode = Opcode.none
    /// Read by the command's `result(_:)`.
    public var returnParameters: [UInt8] = []

    public init() {}

    /// The answer to a command of type `Answered`.
    public init<Answered: Command>(
        _ command: Answered.Type, _ returnParameters: Answered.ReturnParameters, credits: UInt8 = 1
    ) {
        self.credits = credits
        opcode = command.opcode
        self.returnParameters = returnParameters.encoded
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var head = CommandCompleteHead(credits: credits, opcode: opcode)
        defer { (credits, opcode) = (head.credits, head.opcode) }
        try head.fields(&pass)
        try pass.rest("Return_Parameters", &returnParameters)
    }
}

/// What stands before the return parameters.
struct CommandCompleteHead: Fielded {
    var credits: UInt8 = 0
    var opcode = Opcode.none

    init() {}

    init(credits: UInt8, opcode: Opcode) {
        self.credits = credits
        self.opcode = opcode
    }

    /// Octets that it takes.
    static let count = 3

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Num_HCI_Command_Packets", &credits)
        try pass.number("Command_Opcode", &opcode)
    }
}

/// A command has been begun, or refused (Core Vol 4, Part E, 7.7.15).
public struct CommandStatus: EventParameters {
    public static let code = EventCode.commandStatus

    public var status = Status.success
    /// Num_HCI_Command_Packets: how many commands the controller takes from now on.
    public var credits: UInt8 = 0
    /// The command answered; `.none` where the event only grants credits.
    public var opcode = Opcode.none

    public init() {}

    /// The answer to the command with this opcode.
    public init(_ opcode: Opcode, _ status: Status, credits: UInt8 = 1) {
        self.status = status
        self.credits = credits
        self.opcode = opcode
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.uint8("Num_HCI_Command_Packets", &credits)
        try pass.number("Command_Opcode", &opcode)
    }
}
