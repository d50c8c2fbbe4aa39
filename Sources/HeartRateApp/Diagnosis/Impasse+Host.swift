import ATT
import GATT
import HCI
import Host
import SMP
import Wire

extension Impasse {
    /// What an error of the host means for somebody whose device will not talk.
    init(_ step: Finding.Step, _ error: HostError, habit: Habit?) {
        let failure = Failure(error, peer: "the device")
        let advice =
            switch error {
            case .disconnected(.lostWithController): failure.remedy
            case .disconnected(let status), .connectionFailed(let status, _): Self.advice(status)
            case .timedOut(.connecting): Self.unanswered
            case .timedOut, .peer(.timedOut): Self.stuck
            case .peer(.refused(_, _, let code)): Self.advice(code, habit)
            case .security(.peerRefused(.pairingNotSupported)): habit?.pairing ?? Self.wantsPairing
            case .peer(.brokeProtocol): Self.broken
            case .peer(.cannotNotify), .peer(.characteristicNotFound), .peer(.configurationNotFound): Self.incomplete
            default: failure.remedy
            }
        self.init(step, Self.status(error) ?? failure.status, Self.gist(error), failure.message, advice: advice)
    }

    private static func gist(_ error: HostError) -> String {
        switch error {
        case .disconnected(.lostWithController): "The adapter failed"
        case .disconnected(let status) where status.isAboutKeys: "The device wants to be paired"
        case .disconnected(.failedToBeEstablished), .connectionFailed, .timedOut(.connecting):
            "No connection comes about"
        case .disconnected: "The link does not last"
        case .timedOut, .peer(.timedOut): "The device does not answer"
        case .peer(.refused(_, _, let code)) where code.isAboutSecurity: "The device wants to be paired"
        case .peer(.refused): "The device refuses its heart rate"
        case .peer(.brokeProtocol): "The device breaks the protocol"
        case .peer: "The device has no heart rate to give"
        case .security(.keyMissing): "The device has forgotten its bond"
        case .security: "The device wants to be paired, and the pairing failed"
        default: "Something else stands in the way"
        }
    }

    /// A device that ends the link for want of a key refuses, which is more than a lost link.
    private static func status(_ error: HostError) -> ExitStatus? {
        switch error {
        case .disconnected(let status) where status.isAboutKeys: .protocolError
        default: nil
        }
    }

    // MARK: Links

    private static func advice(_ status: Status) -> String {
        switch status {
        case .failedToBeEstablished:
            """
            It was called and not heard again: the signal is weak, or it is busy with another device.
            Go nearer, with no body in between, and end what else is connected to it.
            """
        case .connectionTimeout: "It went out of reach, was switched off, or its battery is empty."
        case .remoteLowResources, .limitedResources:
            """
            It has no room for another link: end the one that an app on a phone, a watch or a bike computer has.
            Some straps take two links once their maker's app allows it (Polar H10: "2 receivers").
            """
        case .remotePowerOff: "It switched itself off. Wear it, or charge it."
        case .unacceptableConnectionParameters:
            """
            It did not get the connection parameters that it wants.
            Record a run with --capture FILE and report it: hr-raw grants all that the specification allows.
            """
        case _ where status.isAboutKeys: wantsPairing
        case .remoteUserTerminated:
            """
            The device itself ended the link. Devices do so when they are not worn, when another device has
            them, or when they want to be paired. Wear it, end its other connections, and try again.
            """
        default: "Try again, nearer to it."
        }
    }

    private static let unanswered = """
        It advertises and does not answer when it is called: it may be at the edge of reach, or another device
        may just have taken it. Go nearer, end its other connections, switch it off and on.
        """
    private static let stuck = """
        It took the link and does not answer. Switch it off and on, or take its battery out for a minute.
        Where it goes on like that, look for an update of its firmware.
        """

    // MARK: Attributes

    private static func advice(_ code: ErrorCode, _ habit: Habit?) -> String {
        guard !code.isAboutSecurity else { return habit?.pairing ?? wantsPairing }
        return """
            It refuses what every heart-rate sensor has to allow. A watch often does so until its heart-rate
            broadcast is switched on, or while it is not worn.
            """
    }

    private static let wantsPairing = """
        It talks to paired devices only, and refuses although it was paired, or cannot be. Put it into its pairing
        mode and use hr-raw pair ADDRESS; or look in its settings for a heart-rate broadcast that is open to all.
        """
    private static let broken = """
        Its firmware does not keep to the specification: look for an update.
        hr-raw --capture FILE connect … records what it says, for a report.
        """
    private static let incomplete = """
        Its heart-rate service is not complete. Look for an update of its firmware, or for a setting that
        switches its heart-rate broadcast on.
        """
}
