import Dissection
import HCITransport

/// What `--capture` and `--redact` ask for.
struct CaptureOptions: Sendable {
    private let path: String
    private let isRedacted: Bool

    /// `nil` where nothing is to be recorded.
    init?(_ arguments: ParsedArguments, over adapter: AdapterSpec?) throws(UsageError) {
        isRedacted = arguments.has(.redact)
        guard let path = arguments.text(.capture) else {
            guard !isRedacted else {
                throw UsageError("--redact needs --capture FILE here", command: arguments.command?.name)
            }
            return nil
        }
        if path.isEmpty { throw arguments.wrong(.capture, "", "the name of a file") }
        if case .replay(let file, _) = adapter, let played = FileIdentity(file), played.isRegular,
            played == FileIdentity(path)
        {
            throw arguments.wrong(.capture, path, "another file than the one that is replayed")
        }
        self.path = path
    }

    /// Makes the file.
    ///
    /// - Throws: `TransportError.cannotCreate` or `.cannotWrite`
    func recorder(_ messages: Messages) throws(TransportError) -> CaptureRecorder {
        try CaptureRecorder(creating: path, filter: isRedacted ? Redactor() : nil) { error in
            messages.warning("the capture is incomplete: \(Failure(error).message)")
        }
    }
}
