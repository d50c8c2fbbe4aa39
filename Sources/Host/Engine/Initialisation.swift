import HCI

/// The order in which a controller is made ready (Core Vol 6, Part D, 2.1). Nothing is asked before Reset is answered, the buffer sizes
/// are known before data can be sent, and the event masks keep what the host lives on.
struct Initialisation: Hashable, Sendable {
    enum Step: CaseIterable, Hashable, Sendable {
        case reset
        case supportedCommands
        case version
        case features
        case publicAddress
        case lowEnergyBufferSize
        /// Only where the controller has no buffers of its own for LE.
        case classicBufferSize
        case lowEnergyFeatures
        case eventMask
        case lowEnergyEventMask
        /// Only where the controller can recognise bonded peers.
        case resolvingListSize
        case resolvingList
        /// Only where the host uses a random address.
        case randomAddress
    }

    private var done = 0
    /// Whether the step under way has been asked for a second time.
    private(set) var isRepeated = false

    /// Whether a step that went unanswered is worth a second try: without the masks the host would hear of no connection.
    static func isWorthRepeating(_ step: Step) -> Bool { step == .eventMask || step == .lowEnergyEventMask }

    /// The step under way; `nil` when all are done.
    var step: Step? { done < Step.allCases.count ? Step.allCases[done] : nil }

    /// Goes on to the next step.
    mutating func proceed() {
        done += 1
        isRepeated = false
    }

    /// Asks for the step under way once more.
    mutating func again() { isRepeated = true }
}
