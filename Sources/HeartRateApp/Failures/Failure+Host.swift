import ATT
import GATT
import HCI
import HeartRate
import Host
import Wire

extension Failure {
    /// What the host could not do, in words.
    ///
    /// - Parameter peer: which peer it was about, as the user called it
    init(_ error: HostError, peer: String? = nil) {
        let peer = peer ?? "the peer"
        switch error {
        case .linkEnded(let end): self.init(end)
        case .command(let failure): self.init(failure)
        case .controllerFailed(0):
            self.init(
                .unavailable,
                "the adapter forgets its connections, or makes some that nobody asked for, again and again",
                remedy: Self.renewal)
        case .controllerFailed(let code):
            self.init(
                .unavailable, "the adapter reported a failure of its own (hardware error \(code))",
                remedy: Self.renewal)
        case .withoutLowEnergy:
            self.init(
                .unavailable, "this adapter has no Bluetooth LE", remedy: "Use another: hr-raw adapters lists them.")
        case .connectionFailed(let status, let attempts):
            self.init(
                .unavailable, "no connection to \(peer) after \(attempts) attempts: \(status)", remedy: Self.outOfReach)
        case .connectionLimit(let held):
            self.init(
                .unavailable, "no connection to \(peer): the adapter holds \(held) connections and takes no more",
                remedy: "Name fewer straps, or use a second adapter for the others.")
        case .disconnected(.lostWithController):
            self.init(
                .unavailable, "the adapter had a failure of its own, which ended the link to \(peer)",
                remedy: Self.renewal)
        case .disconnected(let status):
            self.init(.unavailable, "the link to \(peer) ended: \(status)", remedy: Self.advice(for: status))
        case .timedOut(.searching):
            self.init(.unavailable, "\(peer) was not found in time", remedy: Self.outOfReach)
        case .timedOut(.connecting):
            self.init(.unavailable, "\(peer) did not answer in time", remedy: Self.outOfReach)
        case .timedOut(.subscribing):
            self.init(
                .unavailable, "\(peer) is connected and did not finish answering in time",
                remedy: "Try again, nearer to it, or with a longer --timeout.")
        case .peer(let error): self.init(error, peer: peer)
        case .security(let failure): self.init(failure, peer: peer)
        case .bondStore(let error): self.init(error)
        case .withoutDataBuffers:
            self.init(.unavailable, "this adapter has no buffers for data", remedy: "Use another.")
        case .ownFault(let what): self.init(.failure, "a fault of hr-raw itself: \(what)")
        case .cancelled: self.init(.failure, "given up")
        }
    }

    private static let wantsPairing =
        "It wants to be paired, or better than it is: hr-raw pair ADDRESS, and --level authenticated for more."
    private static let renewal = "Unplug it and plug it in again."
    private static let outOfReach =
        "Is it worn, switched on and near? A strap that another device is connected to does not show up."

    private static func advice(for status: Status) -> String? {
        switch status {
        case .connectionTimeout: "It went out of range, or its battery is empty."
        case .remoteUserTerminated: "It ended the link itself: straps do when they are taken off or idle."
        case .failedToBeEstablished: "The link is weak. Try nearer to it."
        case _ where status.isAboutKeys: wantsPairing
        default: nil
        }
    }

    // MARK: Controller

    init(_ end: LinkEnd) {
        switch end {
        case .removed: self.init(.unavailable, "the adapter was removed")
        case .closed: self.init(.unavailable, "the other side closed the connection to the controller")
        case .poweredOff:
            self.init(
                .unavailable, "the adapter was powered off", remedy: "hr-raw adapters says what stands in the way.")
        case .stalled:
            self.init(
                .unavailable, "the controller takes no more packets",
                remedy: "Unplug the adapter and plug it in again, or use another.")
        case .framingLost(let detail):
            self.init(
                .unavailable, "what the controller sends makes no sense as H4: \(detail)",
                remedy: "Is it the right port, and the right baud rate?")
        case .recordingEnded: self.init(.unavailable, "the recording is over")
        case .recordingDiverged(let difference):
            self.init(
                .failure, "the recorded host did something else: \(difference)",
                remedy: "The same command and options as when it was recorded replay it to its end.")
        case .failed(let errno, let operation):
            self.init(.failure, "\(operation): \(SystemError(code: errno).text)")
        }
    }

    init(_ failure: CommandFailure) {
        switch failure {
        case .unanswered(let opcode):
            self.init(
                .unavailable, "the controller does not answer (\(opcode))",
                remedy: "Unplug the adapter and plug it in again, or use another.")
        case .refused(let opcode, let status):
            self.init(.failure, "the controller refused \(opcode): \(status)")
        case .malformed(let opcode, let error):
            self.init(.failure, "the controller's answer to \(opcode) cannot be read: \(error)")
        }
    }

    // MARK: Peer

    init(_ error: GATTError, peer: String) {
        switch error {
        case .refused(let request, let handle, let code):
            self.init(
                .protocolError, "\(peer) refused \(request) on handle \(handle): \(code) (\(code.hexadecimal))",
                remedy: Self.advice(for: code))
        case .brokeProtocol(let pdu, let violation):
            self.init(.protocolError, "\(peer) broke the protocol with \(pdu): \(violation.text)")
        case .timedOut(let request):
            self.init(
                .unavailable, "\(peer) did not answer \(request) for 30 s", remedy: "Try again, nearer to it.")
        case .disconnected: self.init(.unavailable, "the link to \(peer) ended")
        case .cancelled: self.init(.failure, "given up")
        case .notSent(.tooLong(let octets, let mtu)):
            self.init(
                .usage, "\(octets) octets do not fit into one packet to \(peer), which takes \(mtu)",
                remedy: "Without --without-response a long value goes in several.")
        case .notSent(.queueFull):
            self.init(.failure, "too much waits already to be sent to \(peer)", remedy: "Send it more slowly.")
        case .notSent(let error): self.init(.failure, "a request to \(peer) was not sent: \(error)")
        case .serviceNotFound(let uuid):
            self.init(.protocolError, "\(peer) has no service \(uuid)", remedy: "hr-raw gatt shows what it has.")
        case .characteristicNotFound(let uuid, let service):
            self.init(.protocolError, "\(peer) has no characteristic \(uuid) in its service \(service)")
        case .cannotNotify(let uuid, _):
            self.init(.protocolError, "characteristic \(uuid) of \(peer) can be neither notified nor indicated")
        case .valueTooLong(let handle, let octets):
            self.init(
                .usage, "\(octets) octets are too many for handle \(handle): no attribute has more than 512")
        case .notRepeated(let handle, let offset):
            self.init(
                .protocolError,
                "\(peer) did not repeat what it was sent for handle \(handle) at offset \(offset); nothing was written")
        case .noSigningKey(let handle):
            self.init(
                .protocolError, "a signed write to handle \(handle) needs a signing key (CSRK), and there is none",
                remedy: "hr-raw keeps the keys of its bonds and does not sign with them. Write without --signed.")
        case .configurationNotFound(let uuid, _):
            self.init(
                .protocolError, "characteristic \(uuid) of \(peer) lacks the descriptor that switches it on (2902)")
        }
    }

    private static func advice(for code: ErrorCode) -> String? {
        code.isAboutSecurity ? wantsPairing : nil
    }

    init(_ error: HeartRateMonitorError, peer: String) {
        switch error {
        case .noControlPoint:
            self.init(
                .protocolError, "\(peer) has no Heart Rate Control Point (2A39), and so no energy to reset",
                remedy: "Leave out --reset-energy.")
        case .resetRefused(let code):
            let name = HeartRateServiceError(rawValue: code.rawValue).name ?? code.description
            self.init(.protocolError, "\(peer) refused to reset its energy: \(name) (\(code.hexadecimal))")
        }
    }

    /// Whatever went wrong with one strap, as a failure.
    init(of error: any Error, peer: String) {
        switch error {
        case let failure as Failure: self = failure
        case let error as HostError: self.init(error, peer: peer)
        case let error as HeartRateMonitorError: self.init(error, peer: peer)
        default: self.init(.failure, "\(error)")
        }
    }
}

extension GATTError.Violation {
    fileprivate var text: String {
        switch self {
        case .malformed(let error): "\(error)"
        case .unexpectedType: "not the answer to what was asked"
        case .entryLength(let length): "entries of \(length) octets"
        case .outOfOrder(let handle, let expected): "handle \(handle), where one of \(expected) must follow"
        case .valueHandle(let handle, let declaration): "value handle \(handle) for the declaration at \(declaration)"
        case .tooManyValues(let count): "\(count) values, more than were asked for"
        case .endless(let requests): "no end after \(requests) requests"
        }
    }
}
