import HCI
import Wire

extension HostController {
    // MARK: Time

    /// Does the next thing that is due on a connection: data, the end of a procedure, its loss.
    mutating func advanceLink(_ index: Int, to now: Moment, into effects: inout [ControllerEffect]) {
        let link = links[index]
        if let loss = link.loss, loss.due <= now {
            end(index, reason: loss.reason, peerReason: .connectionTimeout, into: &effects)
        } else if let due = link.eventDue, due <= now {
            meet(index, at: due, into: &effects)
        } else if let first = link.procedures.first, first.due <= now {
            links[index].procedures.removeFirst()
            finish(first.procedure, index, at: first.due, into: &effects)
        }
    }

    /// One connection event: both sides send what they have, as far as there is time.
    private mutating func meet(_ index: Int, at moment: Moment, into effects: inout [ControllerEffect]) {
        let link = links[index]
        guard link.encryption == nil else {
            links[index].eventDue = nil
            if let reason = link.peerLeaves {
                end(index, reason: reason, peerReason: .terminatedByLocalHost, into: &effects)
            }
            return
        }
        let sent = link.toPeer.prefix(Link.packetsPerEvent)
        let received = link.toHost.prefix(Link.packetsPerEvent)
        links[index].toPeer.removeFirst(sent.count)
        links[index].toHost.removeFirst(received.count)
        let hasMore = !links[index].toPeer.isEmpty || !links[index].toHost.isEmpty
        links[index].eventDue = hasMore ? link.event(after: moment) : nil

        if !sent.isEmpty {
            let event = NumberOfCompletedPackets {
                $0.completions = [.init(link.handle, count: UInt16(clamping: sent.count))]
            }
            emit(event, into: &effects)
        }
        for fragment in received {
            let packet = ACLPacket(
                handle: link.handle, boundary: fragment.isContinuation ? .continuation : .firstFlushable,
                payload: fragment.octets)
            effects.append(.host(Packet.acl(packet).encoded))
        }
        for fragment in sent {
            effects.append(.peer(link.device, .fragment(fragment.octets, isContinuation: fragment.isContinuation)))
        }
        if let reason = link.peerLeaves, links[index].toHost.isEmpty {
            end(index, reason: reason, peerReason: .terminatedByLocalHost, into: &effects)
        }
    }

    private mutating func finish(
        _ procedure: LinkProcedure, _ index: Int, at moment: Moment, into effects: inout [ControllerEffect]
    ) {
        let link = links[index]
        switch procedure {
        case .connectionUpdate(let parameters):
            change(index, to: parameters, at: moment, into: &effects)
        case .featureExchange:
            let event = LEReadRemoteFeaturesComplete {
                $0.handle = link.handle
                $0.features = [.encryption, .dataPacketLengthExtension]
            }
            emit(event, into: &effects)
        case .versionExchange:
            let event = ReadRemoteVersionInformationComplete {
                $0.handle = link.handle
                $0.version = SpecificationVersion(rawValue: 0x08)
                $0.manufacturer = 0xFFFF
            }
            emit(event, into: &effects)
        case .dataLength(let octets):
            guard octets != link.packetOctets else { return }
            links[index].packetOctets = octets
            emit(LEDataLengthChange(link.handle, octets: octets), into: &effects)
        case .phyUpdate(let phy):
            links[index].tx = phy
            links[index].rx = phy
            let event = LEPHYUpdateComplete {
                $0.handle = link.handle
                $0.tx = phy
                $0.rx = phy
            }
            emit(event, into: &effects)
        case .encryptionRequest:
            requestKey(index, at: moment, into: &effects)
        case .encryptionEnd(let outcome):
            endEncryptionStart(index, outcome, at: moment, into: &effects)
        case .termination(let reason):
            end(index, reason: .terminatedByLocalHost, peerReason: reason, into: &effects)
        }
    }

    private mutating func change(
        _ index: Int, to parameters: ConnectionParameters, at moment: Moment, into effects: inout [ControllerEffect]
    ) {
        links[index].anchor = moment
        links[index].interval = parameters.intervalMax
        links[index].latency = parameters.latency
        links[index].supervisionTimeout = parameters.supervisionTimeout
        if links[index].eventDue != nil { links[index].eventDue = links[index].event(after: moment) }
        let event = LEConnectionUpdateComplete {
            $0.handle = links[index].handle
            $0.interval = parameters.intervalMax
            $0.latency = parameters.latency
            $0.supervisionTimeout = parameters.supervisionTimeout
        }
        emit(event, into: &effects)
        effects.append(.peer(links[index].device, .parametersChanged(interval: parameters.intervalMax)))
    }

    /// The link is no more. Its buffers are free; the host is to know that by itself (Core Vol 4, Part E, 4.3).
    mutating func end(
        _ index: Int, reason: Status, peerReason: Status, into effects: inout [ControllerEffect]
    ) {
        let link = links.remove(at: index)
        let event = DisconnectionComplete {
            $0.handle = link.handle
            $0.reason = reason
        }
        emit(event, into: &effects)
        effects.append(.peer(link.device, .disconnected(peerReason)))
    }

    /// A connection ends by itself, whatever it was doing.
    mutating func breakLink(
        _ handle: ConnectionHandle, reason: Status, isTold: Bool, into effects: inout [ControllerEffect]
    ) {
        guard let index = links.firstIndex(where: { $0.handle == handle }) else { return }
        if isTold {
            end(index, reason: reason, peerReason: .connectionTimeout, into: &effects)
        } else {
            effects.append(.peer(links.remove(at: index).device, .disconnected(.connectionTimeout)))
        }
    }

    // MARK: Data

    /// Data from the host.
    mutating func take(_ packet: ACLPacket, at now: Moment, into effects: inout [ControllerEffect]) {
        guard let index = try? index(of: packet.handle) else { return note(.dataOnUnknownHandle(packet.handle)) }
        guard buffersInUse < plan.buffers.count, packet.payload.count <= plan.buffers.length else {
            note(.dataWithoutBuffer(packet.handle))
            let event = DataBufferOverflow {
                $0.linkKind = 1
            }
            emit(event, into: &effects)
            return
        }
        if packet.broadcast != 0 || packet.boundary == .complete { note(.brokenFrame(packet.handle)) }
        links[index].toPeer.append(
            Link.Fragment(octets: packet.payload, isContinuation: packet.boundary == .continuation))
        links[index].wantEvent(after: now)
    }

    // MARK: From a peer

    /// The connection of the device at a place in the air.
    func index(ofDevice device: Int) -> Int? { links.firstIndex { $0.device == device } }

    /// A device sends an L2CAP frame. Tells whether it could keep it until the next connection event.
    mutating func send(_ frame: [UInt8], from device: Int, at now: Moment) -> Bool {
        guard let index = index(ofDevice: device), !links[index].isSilent, links[index].peerLeaves == nil else {
            return false
        }
        let length = Int(links[index].packetOctets)
        guard links[index].toHost.count + (frame.count + length - 1) / length <= Link.mostWaiting else { return false }
        for start in stride(from: 0, to: frame.count, by: length) {
            let octets = Array(frame[start..<min(start + length, frame.count)])
            links[index].toHost.append(Link.Fragment(octets: octets, isContinuation: start > 0))
        }
        links[index].wantEvent(after: now)
        return true
    }

    /// A device ends its link, after what it has still to say.
    mutating func leave(_ device: Int, reason: Status, at now: Moment) {
        guard let index = index(ofDevice: device) else { return }
        links[index].peerLeaves = reason
        links[index].wantEvent(after: now)
    }

    /// A device is gone without a word.
    ///
    /// - Parameter isEstablished: whether anything was ever heard of it; if not, the link is given up after six intervals
    ///   (Core Vol 6, Part B, 4.5.2)
    mutating func lose(_ device: Int, isEstablished: Bool, at now: Moment) {
        guard let index = index(ofDevice: device) else { return }
        if isEstablished {
            links[index].fallSilent(at: now, reason: .connectionTimeout)
        } else {
            links[index].fallSilent(at: now, within: links[index].interval.duration * 6, reason: .failedToBeEstablished)
        }
    }

    /// A device asks for other parameters through the link layer. A host that has masked the event, or a controller without the
    /// feature, leaves the controller to refuse.
    mutating func requestParameters(
        _ parameters: ConnectionParameters, by device: Int, into effects: inout [ControllerEffect]
    ) {
        guard let index = index(ofDevice: device), !links[index].isSilent else { return }
        guard plan.features.contains(.connectionParametersRequest), isWanted(.remoteConnectionParameterRequest) else {
            effects.append(.peer(device, .parametersRefused))
            return
        }
        links[index].awaitsParameterReply = true
        let event = LERemoteConnectionParameterRequest {
            $0.handle = links[index].handle
            $0.parameters = parameters
        }
        emit(event, into: &effects)
    }
}

extension LEDataLengthChange {
    /// The same length both ways, in the time that it takes on the 1M PHY.
    init(_ handle: ConnectionHandle, octets: UInt16) {
        self.init()
        self.handle = handle
        txOctets = octets
        rxOctets = octets
        txTime = (octets + 14) * 8
        rxTime = txTime
    }
}
