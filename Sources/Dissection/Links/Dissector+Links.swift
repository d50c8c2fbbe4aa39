import Capture
import HCI
import Wire

extension Dissector {
    mutating func readLinkEvent(_ dissected: inout Dissected) {
        let octets = dissected.record.octets
        switch dissected.subevent {
        case .connectionComplete: readCompletion(LEConnectionComplete.self, &dissected)
        case .enhancedConnectionComplete: readCompletion(LEEnhancedConnectionComplete.self, &dissected)
        case .enhancedConnectionCompleteV2: readCompletion(LEEnhancedConnectionCompleteV2.self, &dissected)
        case .connectionUpdateComplete:
            guard let update = try? LEConnectionUpdateComplete(decoding: [UInt8](octets[4...])),
                update.status == .success
            else {
                return
            }
            dissected.linkChange = .updated(update.interval, latency: update.latency, update.supervisionTimeout)
        case .longTermKeyRequest:
            guard let request = try? LELongTermKeyRequest(decoding: [UInt8](octets[4...])) else { return }
            begin(.keyWanted, request.random, request.diversifier, &dissected)
        default: break
        }
    }

    private mutating func readCompletion<Completion: ConnectionCompletion>(
        _ type: Completion.Type, _ dissected: inout Dissected
    ) {
        guard let completion = try? Completion(decoding: [UInt8](dissected.record.octets[4...])) else { return }
        guard let link = completion.established else {
            // The handle of a failed attempt means nothing, and may well be that of another connection.
            dissected.handle = nil
            let told = dissected.octets.deviceAddress(at: 8).flatMap { $0.address == .zero ? nil : $0 }
            dissected.linkChange = .failed(completion.status, peer: told ?? links.attempted[dissected.record.adapter])
            return
        }
        if links.open(dissected.record.adapter, link.handle, peer: link.peer, role: link.role).forgot {
            dissected.faults.append(.tooManyLinks)
        }
        dissected.linkChange = .connected(link)
    }

    /// A link of the classic kind; only that of its data is followed.
    mutating func readClassicConnection(_ dissected: inout Dissected) {
        guard dissected.status == .success, let handle = dissected.handle, let peer = dissected.octets.address(at: 6),
            dissected.octets.uint8(at: 12) == Self.aclLinkType
        else { return }
        let (_, forgot) = links.open(dissected.record.adapter, handle, peer: DeviceAddress(.public, peer))
        if forgot { dissected.faults.append(.tooManyLinks) }
    }

    /// Link_Type of a Connection Complete event (Core Vol 4, Part E, 7.7.3).
    private static let aclLinkType: UInt8 = 0x01

    mutating func readEncryption(_ code: EventCode, _ dissected: inout Dissected) {
        guard let status = dissected.status, let handle = dissected.handle else { return }
        guard status == .success else {
            // On a link that nothing is known of, nothing follows from it.
            let place = links.place(of: dissected.record.adapter, handle)
            dissected.security = .encryption(
                place.map { links[$0].pairing.change(.failed(status)) } ?? EncryptionStep(.failed(status)))
            return
        }
        var state = EncryptionState.on
        // A new key leaves encryption on.
        if code != .encryptionKeyRefreshComplete {
            guard let told = dissected.octets.uint8(at: 6) else { return }
            state = EncryptionState(rawValue: told)
            dissected.encryption = state
        }
        guard let place = place(of: handle, &dissected) else { return }
        links[place].isEncrypted = state != .off
        let meaning: EncryptionStep.Meaning =
            state == .off ? .off : code == .encryptionKeyRefreshComplete ? .refreshed : .on
        dissected.security = .encryption(links[place].pairing.change(meaning))
    }

    /// What a command says of a link's encryption.
    mutating func readEncryption(of opcode: Opcode, _ dissected: inout Dissected) {
        let parameters = dissected.record.octets[4...]
        switch opcode {
        case LEEnableEncryption.opcode:
            guard let command = try? LEEnableEncryption(decoding: [UInt8](parameters)) else { return }
            begin(.begun, command.random, command.diversifier, &dissected)
        case LELongTermKeyRequestReply.opcode: dissected.security = .encryption(EncryptionStep(.keyGiven))
        case LELongTermKeyRequestNegativeReply.opcode:
            dissected.security = .encryption(EncryptionStep(.keyMissingHere))
        default: break
        }
    }

    private mutating func begin(
        _ meaning: EncryptionStep.Meaning, _ random: UInt64, _ diversifier: UInt16, _ dissected: inout Dissected
    ) {
        guard let handle = dissected.handle, let place = place(of: handle, &dissected) else { return }
        dissected.security = .encryption(
            links[place].pairing.begin(meaning, random: random, encryptedDiversifier: diversifier))
    }

    mutating func readDisconnection(_ dissected: inout Dissected) {
        guard dissected.status == .success, let handle = dissected.handle, let reason = dissected.octets.uint8(at: 6)
        else { return }
        dissected.peer = links.peer(dissected.record.adapter, handle)
        if let place = links.place(of: dissected.record.adapter, handle) {
            dissected.security = links[place].pairing.end(Status(rawValue: reason), at: dissected.record.timestamp)
                .map { .encryption($0) }
        }
        dissected.lastAttributes = links.conversation(dissected.record.adapter, handle)?.peer
        dissected.faults += links.end(dissected.record.adapter, handle).map(Fault.fragments)
        dissected.linkChange = .disconnected(reason: Status(rawValue: reason))
    }
}
