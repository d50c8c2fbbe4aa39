/// What the two sides can show and ask decides who shows what to whom (Core Vol 3, Part H, 2.3.5.1, tables 2.6 to 2.8).
extension AssociationModel {
    /// The model from the initiator's side and from the responder's, where there are no data by another way.
    ///
    /// - Parameter isProtected: whether either side wants protection against a third party; without it nobody is asked anything
    static func choice(
        initiator: IOCapability, responder: IOCapability, isProtected: Bool, isSecureConnections: Bool
    ) -> (initiator: AssociationModel, responder: AssociationModel) {
        guard isProtected else { return (.justWorks, .justWorks) }
        if isSecureConnections, initiator.canCompare, responder.canCompare {
            return (.numericComparison, .numericComparison)
        }
        if initiator.hasDisplay, responder.hasKeyboard { return (.passkeyShown, .passkeyEntered) }
        if responder.hasDisplay, initiator.hasKeyboard { return (.passkeyEntered, .passkeyShown) }
        // Nobody can show anything: the users of both think up the same number.
        if initiator.hasKeyboard, responder.hasKeyboard { return (.passkeyEntered, .passkeyEntered) }
        return (.justWorks, .justWorks)
    }

    /// Whether somebody has vouched for the keys.
    var isAuthenticated: Bool { self != .justWorks }
}

extension IOCapability {
    fileprivate var hasDisplay: Bool { [.displayOnly, .displayYesNo, .keyboardDisplay].contains(self) }
    fileprivate var hasKeyboard: Bool { [.keyboardOnly, .keyboardDisplay].contains(self) }
    /// Can show a number and take a yes or a no.
    fileprivate var canCompare: Bool { [.displayYesNo, .keyboardDisplay].contains(self) }
}
