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
        /// Only where the host uses a random address.
        case randomAddress
    }

    private var done = 0

    /// The step under way; `nil` when all are done.
    var step: Step? { done < Step.allCases.count ? Step.allCases[done] : nil }

    /// Goes on to the next step.
    mutating func proceed() { done += 1 }
}
