public import Capture
import Synchronization
import Wire

/// One run's recording of traffic in a btsnoop file, over all the links that the run has one after the other.
///
/// A file that can be written no more, a full disk say, does not disturb the traffic: that is told once, and the records are
/// tried again, as there may be room later. The file is closed when nobody holds the recorder any more.
public final class CaptureRecorder: Sendable {
    /// The file that is written.
    public let path: String
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var file: CaptureFile
        var filter: (any CaptureFilter)?
        var onFailure: (@Sendable (TransportError) -> Void)?
    }

    /// Makes the file. To be called before an adapter is taken: a file that cannot be made is then no reason to take it.
    ///
    /// - Parameters:
    ///   - path: the file, made anew, with the rights of the invoking user under sudo, for its owner alone (mode 0600)
    ///   - filter: changes what is written; the traffic stays as it is
    ///   - onFailure: told once with `TransportError.cannotWrite`, where the traffic is
    /// - Throws: `TransportError.cannotCreate`, `.cannotWrite`.
    public init(
        creating path: String, filter: (any CaptureFilter)? = nil,
        onFailure: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) {
        self.path = path
        state = Mutex(State(file: try CaptureFile(creating: path), filter: filter, onFailure: onFailure))
    }

    func record(_ packet: [UInt8], _ direction: Record.Direction, at timestamp: Timestamp) {
        let failure = state.withLock { state -> (tell: @Sendable (TransportError) -> Void, errno: Int32)? in
            var packet = packet
            state.filter?.filter(&packet, direction)
            let number = state.file.write(packet, direction, at: timestamp)
            guard number != 0, let tell = state.onFailure.take() else { return nil }
            return (tell, number)
        }
        failure?.tell(.cannotWrite(path: path, errno: failure?.errno ?? 0))
    }

    /// The file's, for a test that fills the disk.
    var descriptor: Int32 { state.withLock { $0.file.descriptor } }
}
