import HCI
import Wire

/// What came of a command.
enum CommandOutcome: Hashable, Sendable {
    /// Command Complete: the return parameters, status included.
    case completed([UInt8])
    /// Command Status.
    case status(Status)
    /// No answer in time.
    case silent

    /// The return parameters of a successful `command`, or why there are none.
    func required<Asked: Command>(_ command: Asked.Type) throws(HostError) -> Asked.ReturnParameters {
        if let failure = failure(of: Asked.opcode) { throw failure }
        guard case .completed(let octets) = self else { throw .command(.unanswered(Asked.opcode)) }
        do {
            return try Asked.result(octets)
        } catch {
            throw .command(error)
        }
    }

    /// Why the command failed; `nil` where it was done, or taken on.
    func failure(of opcode: HCI.Opcode) -> HostError? {
        let status: Status? =
            switch self {
            case .silent: nil
            case .status(let status): status
            case .completed(let octets): octets.first.map(Status.init)
            }
        guard let status else { return .command(.unanswered(opcode)) }
        return status == .success ? nil : .command(.refused(opcode, status))
    }
}
