public import ATT
import Wire

/// Writes values that are queued part by part and then written at once: a long value (Core Vol 3, Part G, 4.9.4), or one
/// or several values reliably (4.9.5).
///
/// In reliable mode each part that the peer repeats is compared with what was sent; where it differs, the queue is
/// forgotten. Whatever goes wrong once parts may be queued, the peer is told to forget them: they would be written with
/// the next value.
public struct WriteParts: Procedure {
    /// A value and where it goes.
    public struct Target: Hashable, Sendable {
        /// The attribute to write to.
        public var handle: Handle
        /// The whole value, of at most 512 octets.
        public var value: [UInt8]

        public init(_ value: [UInt8], to handle: Handle) {
            self.handle = handle
            self.value = value
        }
    }

    private let parts: [PrepareWriteRequest]
    private let isReliable: Bool
    private let longest: Target?
    private var phase = Phase.preparing(0)

    private enum Phase: Sendable {
        /// The part of this index is with the peer. Can transition to itself, `executing`, `forgetting`.
        case preparing(Int)
        /// Can transition to the end.
        case executing
        /// The queue is to be forgotten, for this reason. Can transition to the end.
        case forgetting(GATTError)
    }

    /// Writes one long value.
    ///
    /// - Parameter mtu: the bearer's, in octets
    public init(_ value: [UInt8], to handle: Handle, mtu: Int) {
        self.init([Target(value, to: handle)], isReliable: false, mtu: mtu)
    }

    /// Writes values reliably: all or none, and none that the peer has understood otherwise.
    ///
    /// - Parameter mtu: the bearer's, in octets
    public init(reliably targets: [Target], mtu: Int) { self.init(targets, isReliable: true, mtu: mtu) }

    private init(_ targets: [Target], isReliable: Bool, mtu: Int) {
        // A Prepare Write Request has five octets before its part.
        let width = max(Bearer.defaultMTU, mtu) - 5
        parts = targets.flatMap { target in
            stride(from: 0, to: max(target.value.count, 1), by: width).map { offset in
                PrepareWriteRequest(
                    handle: target.handle, offset: UInt16(clamping: offset),
                    value: [UInt8](target.value.dropFirst(offset).prefix(width)))
            }
        }
        self.isReliable = isReliable
        longest = targets.first { $0.value.count > ReadValue.longestValue }
    }

    public mutating func start() -> Step<ExecuteWriteResponse> {
        if let longest { return .failed(.valueTooLong(handle: longest.handle, octets: longest.value.count)) }
        return prepare(0)
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<ExecuteWriteResponse> {
        switch (phase, outcome) {
        case (.preparing(let index), .success(.prepareWrite(let response))):
            guard !isReliable || response.repeats(parts[index]) else {
                return forget(.notRepeated(handle: parts[index].handle, offset: Int(parts[index].offset)))
            }
            return prepare(index + 1)
        case (.preparing, .success(let response)): return forget(response.unexpected)
        case (.preparing(let index), .failure(let error)): return failed(GATTError(error), at: index)
        case (.executing, .success(.executeWrite(let response))): return .finished(.success(response))
        case (.executing, .success(let response)): return .failed(response.unexpected)
        case (.executing, .failure(let error)): return .failed(GATTError(error))
        case (.forgetting(let reason), _): return .failed(reason)
        }
    }

    private mutating func prepare(_ index: Int) -> Step<ExecuteWriteResponse> {
        guard index < parts.count else {
            phase = .executing
            return .request(.executeWrite(ExecuteWriteRequest(flags: 0x01)))
        }
        phase = .preparing(index)
        return .request(.prepareWrite(parts[index]))
    }

    /// Ends at a part that was not queued. What stands before it in the queue must not stay there.
    private mutating func failed(_ error: GATTError, at index: Int) -> Step<ExecuteWriteResponse> {
        switch error {
        // The first part was refused: there is nothing to forget.
        case .refused where index == 0: .failed(error)
        case .refused, .brokeProtocol, .cancelled: forget(error)
        case .notSent where index > 0: forget(error)
        default: .failed(error)
        }
    }

    private mutating func forget(_ reason: GATTError) -> Step<ExecuteWriteResponse> {
        phase = .forgetting(reason)
        return .request(.executeWrite(ExecuteWriteRequest(flags: 0x00)))
    }
}

extension PrepareWriteResponse {
    fileprivate func repeats(_ request: PrepareWriteRequest) -> Bool {
        handle == request.handle && offset == request.offset && value == request.value
    }
}
