import Host

extension HostEngine.Note {
    /// The note as one line for a log.
    var text: String {
        switch self {
        case .optionalCommandRefused(let opcode, let error):
            "\(opcode) was refused; going on without it (\(error.map { Failure($0).message } ?? "no reason"))"
        case .malformedPacket(let error): "malformed packet from the controller: \(error)"
        case .malformedEvent(let code, let error): "malformed \(code): \(error)"
        case .unknownConnection(let handle): "data for connection \(handle), which does not exist"
        case .strangersConnection(let handle, let address):
            "connection \(handle) to \(address) was not asked for, or came too late; ending it"
        case .lowerLayer(let id, let text): "connection \(id.handle): \(text)"
        case .connectionParametersRequested(let id, let accepted):
            "connection \(id.handle): the peer asked for other connection parameters; \(accepted ? "accepted" : "refused")"
        case .phyRefused(let id, let status): "connection \(id.handle): the peer keeps to its PHY: \(status)"
        case .disconnectUnanswered(let id): "connection \(id.handle): the controller did not confirm its end"
        case .controllerReset(let code): "the adapter reported hardware error \(code); setting it up again"
        case .controllerForgot(let id):
            "the adapter has forgotten connection \(id.handle); setting it up again"
        case .controllerSilent(let opcode): "the adapter did not answer \(opcode); setting it up again"
        case .controllerConnectsStrangers:
            "the adapter connects to one device after the other that nobody asked for; setting it up again"
        case .security(let id, let note): "connection \(id.handle): \(note.text)"
        case .dataRefused(let refusal): "data was not sent: \(refusal)"
        }
    }
}
