import GAP
import HCI
import L2CAP
public import Wire

extension HostEngine {
    /// Takes one packet from the controller, its H4 type octet first. What cannot be read is noted and changes nothing.
    public mutating func receive(_ octets: [UInt8], at now: Moment, into effects: inout [Effect]) {
        if case .failed = phase { return }
        do {
            switch try Packet(decoding: octets) {
            case .event(let code, let parameters):
                try receive(code, parameters, at: now, into: &effects)
            case .acl(let packet):
                receive(packet, at: now, into: &effects)
            case .command, .synchronous, .iso, .other:
                // A central on LE has no use for these; a controller that sends them loses nothing by it.
                return
            }
        } catch {
            effects.append(.note(.malformedPacket(error)))
        }
        flush(at: now, into: &effects)
    }

    private mutating func receive(_ packet: ACLPacket, at now: Moment, into effects: inout [Effect]) {
        guard links[packet.handle] != nil else {
            effects.append(.note(.unknownConnection(packet.handle)))
            return
        }
        act(on: packet.handle, at: now, into: &effects) { link, effects in
            link.receive(packet, at: now, into: &effects)
        }
    }

    // MARK: Events

    /// Whether the controller has answered Reset.
    private var isReset: Bool {
        switch phase {
        case .asleep: false
        case .initialising(let initialisation, _): initialisation.step != .reset
        case .ready, .stopping, .failed: true
        }
    }

    private mutating func receive(
        _ code: EventCode, _ parameters: [UInt8], at now: Moment, into effects: inout [Effect]
    ) throws(WireError) {
        // What is said before Reset is answered belongs to the controller's life before.
        guard isReset || code == .commandComplete || code == .commandStatus else { return }
        switch try Event(code, parameters: parameters) {
        case .commandComplete(let event):
            actOnCommands(at: now, into: &effects) { $0.receive(event, at: now, into: &$1) }
        case .commandStatus(let event):
            actOnCommands(at: now, into: &effects) { $0.receive(event, at: now, into: &$1) }
        case .numberOfCompletedPackets(let event):
            actOnData(into: &effects) { data, packets in
                data.receive(event, into: &packets)
                return nil
            }
            if let error = event.malformed { effects.append(.note(.malformedEvent(code, error))) }
        case .disconnectionComplete(let event):
            guard event.status == .success else { return }
            // A peer may name any reason, also the one by which the host says that the controller was lost.
            let reason = event.reason == .lostWithController ? .unspecifiedError : event.reason
            disconnected(event.handle, reason, at: now, into: &effects)
        case .hardwareError(let event):
            recover(from: event.hardwareCode, at: now, into: &effects)
        case .le(let event):
            receive(event, at: now, into: &effects)
        case .encryptionChange(let event):
            encryptionChanged(event.handle, event.status, isOn: event.state != .off, at: now, into: &effects)
        case .encryptionChangeV2(let event):
            encryptionChanged(event.handle, event.status, isOn: event.state != .off, at: now, into: &effects)
        case .encryptionKeyRefreshComplete(let event):
            encryptionChanged(event.handle, event.status, isOn: true, at: now, into: &effects)
        case .readRemoteVersionInformationComplete, .dataBufferOverflow, .connectionComplete, .other:
            return
        }
    }

    private mutating func receive(_ event: LEEvent, at now: Moment, into effects: inout [Effect]) {
        switch event {
        case .advertisingReport(let event):
            for report in event.reports { see(Advertisement(report), at: now, into: &effects) }
            note(event.malformed, into: &effects)
        case .extendedAdvertisingReport(let event):
            for report in event.reports { receive(report, at: now, into: &effects) }
            note(event.malformed, into: &effects)
        case .connectionComplete(let event):
            attemptEnded(event, at: now, into: &effects)
        case .enhancedConnectionComplete(let event):
            attemptEnded(event, at: now, into: &effects)
        case .enhancedConnectionCompleteV2(let event):
            attemptEnded(event, at: now, into: &effects)
        case .connectionUpdateComplete(let event):
            updateEnded(on: event.handle, at: now, into: &effects)
            guard event.status == .success else { return }
            update(event.handle, at: now, into: &effects) {
                $0.interval = event.interval
                $0.latency = event.latency
                $0.supervisionTimeout = event.supervisionTimeout
            }
        case .remoteConnectionParameterRequest(let event):
            take(event.parameters, of: event.handle, by: .controller, at: now, into: &effects)
        case .longTermKeyRequest(let event):
            // Only a peripheral is asked, and the host is central; an unanswered request would stall the link.
            let asker = links[event.handle].map { Asker.nobodyOn($0.id) } ?? .nobody
            sendIfOffered(LELongTermKeyRequestNegativeReply { $0.handle = event.handle }, asker)
        case .directedAdvertisingReport(let event):
            for report in event.reports { see(Advertisement(report), at: now, into: &effects) }
            note(event.malformed, into: &effects)
        case .dataLengthChange(let event):
            update(event.handle, at: now, into: &effects) { $0.dataLength = event.txOctets }
        case .phyUpdateComplete(let event):
            take(event, at: now, into: &effects)
        case .readRemoteFeaturesComplete, .readLocalP256PublicKeyComplete, .generateDHKeyComplete, .scanTimeout,
            .channelSelectionAlgorithm, .other:
            return
        }
    }

    mutating func see(_ advertisement: Advertisement, at now: Moment, into effects: inout [Effect]) {
        guard !identities.isEmpty, let identity = identities.identity(of: advertisement.advertiser) else {
            effects.append(.sighting(Sighting(moment: now, advertisement: advertisement)))
            return
        }
        let address = advertisement.advertiser
        var recognised = advertisement
        if address.plain != identity { recognised.advertiser = identity.asIdentity }
        effects.append(.sighting(Sighting(moment: now, advertisement: recognised)))
        if !seekers.isEmpty { heard(identity, at: address, advertisement.kind, at: now, into: &effects) }
    }

    private func note(_ error: WireError?, into effects: inout [Effect]) {
        if let error { effects.append(.note(.malformedEvent(.leMeta, error))) }
    }

    private mutating func receive(
        _ report: LEExtendedAdvertisingReport.Report, at now: Moment, into effects: inout [Effect]
    ) {
        for whole in scan.assembler.receive(report, at: now) { see(whole, at: now, into: &effects) }
    }

    private mutating func attemptEnded(
        _ event: some ConnectionCompletion, at now: Moment, into effects: inout [Effect]
    ) {
        guard let established = event.established else {
            let status = event.status
            actOnRadio(at: now, into: &effects) { radio, actions in
                radio.connectionFailed(status, at: now, into: &actions)
            }
            return
        }
        generations += 1
        let id = ConnectionID(handle: established.handle, generation: generations)
        var connection = Connection(
            id: id, peer: identities.identity(of: established.peer) ?? established.peer.plain,
            interval: established.interval, latency: established.latency,
            supervisionTimeout: established.supervisionTimeout)
        connection.airAddress =
            established.peerPrivateAddress.map { DeviceAddress(.random, $0) } ?? established.peer.plain
        connection.ownAddress =
            established.localPrivateAddress.map { DeviceAddress(.random, $0) } ?? radio.initiatedAs
        connected(connection, reachedAt: established.peer.address, at: now, into: &effects)
    }

    mutating func update(
        _ handle: ConnectionHandle, at now: Moment, into effects: inout [Effect], _ change: (inout Connection) -> Void
    ) {
        act(on: handle, at: now, into: &effects) { link, effects in link.update(into: &effects, change) }
    }

    // MARK: Answers to commands

    /// Hands a command's outcome to whom it concerns.
    mutating func take(
        _ token: Token, _ outcome: CommandOutcome, at now: Moment, into effects: inout [Effect]
    ) {
        defer { look(whetherUnknown: token, outcome, at: now, into: &effects) }
        switch token.asker {
        case .initialisation(let step):
            initialised(step, outcome, at: now, into: &effects)
        case .radio(let command):
            answered(command, outcome, opcode: token.opcode, at: now, into: &effects)
        case .disconnect(let id, let tries):
            // Lost on its way, perhaps: the connection would outlast what the host knows of it. Its handle is not given again meanwhile.
            let isOthers = links[id.handle].map { $0.id != id } ?? false
            // A controller that is being reset has no connections any more.
            if case .initialising = phase { return }
            if outcome == .silent, !isOthers, tries < Self.mostDisconnects {
                sendDisconnect(id, .remoteUserTerminated, try: tries + 1)
            }
        case .signalStrength(_, let ticket):
            let strength = Result { () throws(HostError) in try outcome.required(ReadRSSI.self).rssi.dBm }
            effects.append(.answer(ticket, strength.map { .signalStrength($0) }))
        case .witness(let witness, let unknown):
            heard(witness, of: unknown, outcome, at: now, into: &effects)
        case .update(let id):
            // Taken, it is followed by LE Connection Update Complete.
            guard let failure = outcome.failure(of: token.opcode) else { return }
            effects.append(.note(.optionalCommandRefused(token.opcode, failure)))
            if links[id.handle]?.id == id { updateEnded(on: id.handle, at: now, into: &effects) }
        case .encryption(let id):
            encryptionAnswered(id, outcome, token.opcode, at: now, into: &effects)
        case .nobody, .nobodyOn:
            if let failure = outcome.failure(of: token.opcode) {
                effects.append(.note(.optionalCommandRefused(token.opcode, failure)))
            }
        }
    }

    mutating func readSignalStrength(
        of id: ConnectionID, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        guard links[id.handle]?.id == id else {
            effects.append(.answer(ticket, .failure(.disconnected(.unknownConnectionIdentifier))))
            return
        }
        guard sendIfOffered(ReadRSSI { $0.handle = id.handle }, .signalStrength(id, ticket)) else {
            effects.append(.answer(ticket, .failure(.command(.refused(ReadRSSI.opcode, .unknownCommand)))))
            return
        }
    }
}
