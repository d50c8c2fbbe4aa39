import HCI
import Wire

extension HostController {
    // MARK: From the host

    /// The host wants a link encrypted.
    mutating func encrypt(_ command: LEEnableEncryption, at now: Moment) throws(Refusal) {
        let index = try index(of: command.handle)
        guard plan.features.contains(.encryption) else { throw Refusal(.unsupportedFeatureOrParameterValue) }
        guard links[index].encryption == nil else { throw Refusal(.commandDisallowed) }
        let isRefresh = links[index].isEncrypted
        links[index].encryption = EncryptionStart(
            key: command.longTermKey, random: command.random, diversifier: command.diversifier, isRefresh: isRefresh)
        // Nobody there to do it with: the command is taken, and the link's loss is all that comes of it.
        guard !links[index].isSilent else { return }
        // Encryption that is on is paused first.
        _ = links[index].begin(.encryptionRequest, events: isRefresh ? 3 : 1, at: now)
    }

    /// The host answers for a key that it was never asked for: it is central of all its links.
    func answerKeyRequest(_ handle: ConnectionHandle) throws(Refusal) -> Never {
        _ = try index(of: handle)
        throw Refusal(.commandDisallowed)
    }

    // MARK: Between the link layers

    /// LL_ENC_REQ has reached the peripheral.
    mutating func requestKey(_ index: Int, at now: Moment, into effects: inout [ControllerEffect]) {
        guard let start = links[index].encryption else { return }
        links[index].encryption?.awaitsKey = true
        links[index].schedule(.encryptionEnd(.timedOut), at: now + EncryptionStart.patience)
        effects.append(
            .peer(links[index].device, .keyRequested(random: start.random, diversifier: start.diversifier)))
    }

    /// A device gives the key that it was asked for, or says that it has none.
    mutating func provide(_ key: [UInt8]?, from device: Int, at now: Moment) {
        guard let index = index(ofDevice: device), let start = links[index].encryption, start.awaitsKey else { return }
        links[index].encryption?.awaitsKey = false
        links[index].procedures.removeAll { $0.procedure.isSameKind(as: .encryptionEnd(.timedOut)) }
        guard let key else {
            _ = links[index].begin(.encryptionEnd(.refused), events: 0, at: now)
            return
        }
        _ = links[index].begin(.encryptionEnd(key == start.key ? .encrypted : .notUnderstood), events: 1, at: now)
    }

    mutating func endEncryptionStart(
        _ index: Int, _ outcome: EncryptionStart.Outcome, at now: Moment, into effects: inout [ControllerEffect]
    ) {
        guard let start = links[index].encryption else { return }
        switch outcome {
        case .encrypted:
            resumeData(index, isEncrypted: true, at: now)
            tell(of: .success, index, isRefresh: start.isRefresh, into: &effects)
            effects.append(.peer(links[index].device, .encrypted))
        case .refused where start.isRefresh:
            // What was encrypted does not go on without.
            end(index, reason: .pinOrKeyMissing, peerReason: .terminatedByLocalHost, into: &effects)
        case .refused:
            resumeData(index, isEncrypted: false, at: now)
            tell(of: .pinOrKeyMissing, index, isRefresh: false, into: &effects)
        case .notUnderstood:
            end(index, reason: .micFailure, peerReason: .micFailure, into: &effects)
        case .timedOut:
            end(index, reason: .linkResponseTimeout, peerReason: .connectionTimeout, into: &effects)
        }
    }

    private mutating func resumeData(_ index: Int, isEncrypted: Bool, at now: Moment) {
        links[index].encryption = nil
        links[index].isEncrypted = isEncrypted
        let isWaiting = !links[index].toPeer.isEmpty || !links[index].toHost.isEmpty
        if isWaiting { links[index].wantEvent(after: now) }
    }

    private func tell(of status: Status, _ index: Int, isRefresh: Bool, into effects: inout [ControllerEffect]) {
        let link = links[index]
        if isRefresh {
            let event = EncryptionKeyRefreshComplete {
                $0.status = status
                $0.handle = link.handle
            }
            emit(event, into: &effects)
        } else {
            let event = EncryptionChange {
                $0.status = status
                $0.handle = link.handle
                $0.state = link.isEncrypted ? .on : .off
            }
            emit(event, into: &effects)
        }
    }
}
