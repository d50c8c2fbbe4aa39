public import ATT
public import Wire

/// Why a GATT procedure did not reach its end.
public enum GATTError: Error, Hashable, Sendable {
    /// The peer refused a request.
    case refused(request: Opcode, handle: Handle, code: ErrorCode)
    /// The peer sent a PDU that the specification does not allow here.
    case brokeProtocol(pdu: Opcode, Violation)
    /// The peer did not answer for 30 s; the link ends with it.
    case timedOut(request: Opcode)
    /// The link is gone.
    case disconnected
    /// The caller withdrew.
    case cancelled
    /// The request did not leave: the bearer refused it.
    case notSent(BearerError)

    /// The peer has no such service.
    case serviceNotFound(BluetoothUUID)
    /// The peer's service has no such characteristic.
    case characteristicNotFound(BluetoothUUID, service: BluetoothUUID)
    /// The characteristic can be neither notified nor indicated.
    case cannotNotify(BluetoothUUID, CharacteristicProperties)
    /// The characteristic has no Client Characteristic Configuration descriptor, so nothing can be asked for.
    case configurationNotFound(BluetoothUUID, valueHandle: Handle)

    /// No attribute value is longer than 512 octets (Core Vol 3, Part F, 3.2.9); nothing was sent.
    case valueTooLong(handle: Handle, octets: Int)
    /// In a reliable write the peer repeated something else than it was sent; nothing was written.
    case notRepeated(handle: Handle, offset: Int)
    /// A signed write needs a signing key (CSRK), which two devices exchange when they bond; nothing was sent.
    case noSigningKey(handle: Handle)

    /// How a peer broke the protocol.
    public enum Violation: Hashable, Sendable {
        /// The PDU cannot be read.
        case malformed(WireError)
        /// Not the response that the request awaits.
        case unexpectedType
        /// A list whose entries have a length that none can have, in octets.
        case entryLength(Int)
        /// A list that does not go on behind the handles already listed, or leaves the range asked for.
        case outOfOrder(Handle, expected: HandleRange)
        /// A characteristic whose value does not follow its declaration within the service.
        case valueHandle(Handle, declaration: Handle)
        /// More values than were asked for.
        case tooManyValues(Int)
        /// More requests than any honest server needs.
        case endless(requests: Int)
    }

    /// The same failure, one layer up.
    public init(_ error: BearerError) {
        switch error {
        case .refused(let request, let handle, let code): self = .refused(request: request, handle: handle, code: code)
        case .malformed(let response, let error): self = .brokeProtocol(pdu: response, .malformed(error))
        case .timedOut(let request): self = .timedOut(request: request)
        case .disconnected: self = .disconnected
        case .cancelled: self = .cancelled
        case .bearerFailed, .queueFull, .tooLong, .notARequest, .notACommand: self = .notSent(error)
        }
    }
}
