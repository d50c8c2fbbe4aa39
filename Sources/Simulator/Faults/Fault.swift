/// Something that goes wrong between host and controller, in the controller or on air. Each has its occasions, and happens at some of
/// them by chance.
public enum Fault: Int, CaseIterable, Hashable, Sendable {
    // MARK: Commands and their answers

    /// A command never reaches the controller.
    case lostCommand
    /// Command Complete or Command Status never comes.
    case lostAnswer
    /// It comes late, perhaps after the host has given it up.
    case lateAnswer
    /// It comes twice.
    case doubledAnswer
    /// It names another command.
    case misnamedAnswer
    /// It grants no credit; the credit follows with an event of its own (Core Vol 4, Part E, 4.4).
    case lateCommandCredit
    /// It grants no credit, and none follows.
    case lostCommandCredit

    // MARK: Buffers

    /// Number Of Completed Packets comes late.
    case lateCompletion
    /// It never comes.
    case lostCompletion
    /// It comes twice.
    case doubledCompletion
    /// One comes that counts nothing, and one for a handle of no connection.
    case emptyCompletion

    // MARK: Events

    /// An event of which no connection's being or end depends never comes.
    case lostEvent
    /// An event comes late, and all others behind it; data overtakes them.
    case lateEvent
    /// An event comes twice.
    case doubledEvent
    /// An event has another octet somewhere, or ends early.
    case garbledEvent
    /// The host is never told of a connection.
    case lostConnection
    /// The host is never told that a connection ended.
    case lostDisconnection

    // MARK: Data

    /// A fragment from the peer is lost.
    case lostData
    /// A fragment to the peer is lost, and holds no buffer that would be free again.
    case lostDataToPeer
    /// A fragment comes late, those behind it on its connection too; other connections' overtake it.
    case lateData
    /// A fragment comes twice.
    case doubledData
    /// A fragment comes in pieces.
    case splitData
    /// Fragments of a frame come as one.
    case mergedData

    /// A fragment from the peer has another octet somewhere, or ends early.
    case garbledData

    // MARK: Connections

    /// A connection ends, for any reason that an octet can name, at any time.
    case brokenLink
    /// Nothing is heard of a peer after the connection was told (0x3E).
    case unestablishedLink
    /// An attempt fails, and the event names handle 0, which may be another connection's.
    case failedCompletion
    /// A completion with 0x02 comes for an attempt that was over before, with handle 0.
    case strayCompletion

    // MARK: Controller and air

    /// The controller reports a failure of its own.
    case hardwareError
    /// The controller begins anew and says so.
    case restart
    /// Advertisements come in crowds and compete with answers.
    case flood
}

extension Fault {
    /// Faults after which host and controller cannot count the same packets in the buffers.
    public static let spoilingBuffers: Set<Fault> = [
        .lostCompletion, .doubledCompletion, .lostDataToPeer, .lostConnection, .lostDisconnection, .doubledEvent,
        .restart,
        .hardwareError, .garbledEvent, .doubledAnswer,
    ]

    /// Faults that lose or repeat values on a connection that goes on, or mix them up.
    public static let spoilingValues: Set<Fault> = [.lostData, .doubledData, .garbledData, .garbledEvent]

    /// Faults that leave a command without an answer, so that the host may have to give the controller up.
    public static let spoilingCommands: Set<Fault> = [
        .lostCommand, .lostAnswer, .lateAnswer, .doubledAnswer, .misnamedAnswer, .garbledEvent,
    ]

    /// The same, and those that make commands late.
    public static let hamperingCommands = spoilingCommands.union([.lateCommandCredit, .lostCommandCredit])

    /// Faults that leave the host in error about which connections there are.
    public static let spoilingConnections: Set<Fault> = [.lostConnection, .lostDisconnection, .garbledEvent]
}
