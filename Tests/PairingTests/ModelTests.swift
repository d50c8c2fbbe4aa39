import Testing

@testable import SMP

/// Who shows what to whom, as the specification's table has it (Core Vol 3, Part H, 2.3.5.1, table 2.8).
@Suite struct ModelTests {
    enum Cell: Sendable {
        case justWorks, comparison
        /// The initiator shows, the responder enters.
        case initiatorShows
        case responderShows
        case bothEnter

        var models: (initiator: AssociationModel, responder: AssociationModel) {
            switch self {
            case .justWorks: (.justWorks, .justWorks)
            case .comparison: (.numericComparison, .numericComparison)
            case .initiatorShows: (.passkeyShown, .passkeyEntered)
            case .responderShows: (.passkeyEntered, .passkeyShown)
            case .bothEnter: (.passkeyEntered, .passkeyEntered)
            }
        }
    }

    static let capabilities: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]

    /// By responder, then by initiator, in the order of `capabilities`.
    static let legacy: [[Cell]] = [
        [.justWorks, .justWorks, .responderShows, .justWorks, .responderShows],
        [.justWorks, .justWorks, .responderShows, .justWorks, .responderShows],
        [.initiatorShows, .initiatorShows, .bothEnter, .justWorks, .initiatorShows],
        [.justWorks, .justWorks, .justWorks, .justWorks, .justWorks],
        [.initiatorShows, .initiatorShows, .responderShows, .justWorks, .initiatorShows],
    ]

    /// The same for LE Secure Connections.
    static let secureConnections: [[Cell]] = [
        [.justWorks, .justWorks, .responderShows, .justWorks, .responderShows],
        [.justWorks, .comparison, .responderShows, .justWorks, .comparison],
        [.initiatorShows, .initiatorShows, .bothEnter, .justWorks, .initiatorShows],
        [.justWorks, .justWorks, .justWorks, .justWorks, .justWorks],
        [.initiatorShows, .comparison, .responderShows, .justWorks, .comparison],
    ]

    @Test(arguments: [false, true]) func everyPair(_ isSecureConnections: Bool) {
        let table = isSecureConnections ? Self.secureConnections : Self.legacy
        for (row, responder) in Self.capabilities.enumerated() {
            for (column, initiator) in Self.capabilities.enumerated() {
                let choice = AssociationModel.choice(
                    initiator: initiator, responder: responder, isProtected: true,
                    isSecureConnections: isSecureConnections)
                #expect(choice == table[row][column].models, "\(initiator) with \(responder)")
                let unprotected = AssociationModel.choice(
                    initiator: initiator, responder: responder, isProtected: false,
                    isSecureConnections: isSecureConnections)
                #expect(unprotected == (.justWorks, .justWorks))
            }
        }
    }
}
