public import HCI

extension Status {
    /// How the host tells the end of links whose controller failed, or forgot them, and was made ready again. No peer ends a link with
    /// this reason (Core Vol 4, Part E, 7.1.6): it says nothing of the peer or of the distance.
    public static let lostWithController = Status.hardwareFailure
}
