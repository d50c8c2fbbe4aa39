public import ATT
public import GATT
public import HCI
public import SMP
public import Wire

/// What goes into the engine and what comes out. Plain values all, so that a test writes them down and a replay repeats them.
extension HostEngine {
    /// What the engine can be asked. Each request is answered exactly once, by `Effect.answer`.
    public enum Request: Hashable, Sendable {
        /// Get the controller ready. Answered when it is.
        case start
        /// Stop scanning, disconnect everything. Answered when it is done or the bound is over.
        case stop
        /// Let time pass. Answered when it has.
        case wait(Duration)
        /// Scan, or stop scanning. Answered when the controller does.
        case scan(isActive: Bool)
        case stopScanning
        /// Connect within the given time.
        case connect(DeviceAddress, InitialParameters, within: Duration)
        case disconnect(ConnectionID)
        case gatt(ConnectionID, GATTRequest)
        /// Have a connection protected at least so well, with the bond's key where there is one, else by pairing.
        case secure(ConnectionID, SecurityLevel)
        /// Pair anew, whatever keys there are.
        case pair(ConnectionID, SecurityLevel)
        /// The user's answer to what `Effect.ask` asked. Answered at once.
        case answerPairing(ConnectionID, PairingQuestion, PairingAnswer)
        /// Forget the keys of a peer. Answered at once.
        case forgetBond(DeviceAddress)
        /// The strength of the peer's signal in dBm.
        case readSignalStrength(ConnectionID)
        /// Ask the controller for what the connection's work wants. Answered when it is asked; what comes of it is told by
        /// `Effect.connectionChanged`.
        case tune(ConnectionID, LinkTuning)
    }

    /// What a connection's GATT client can be asked.
    public enum GATTRequest: Hashable, Sendable {
        case discover
        case discoverService(BluetoothUUID)
        case read(Handle)
        /// Several values, in as few requests as can be.
        case readValues([Handle], raisesSecurity: Bool = false)
        /// Several values of known lengths in one request.
        case readTogether([Handle], lengths: [Int])
        /// The values of all attributes of a type, without discovery.
        case readEvery(BluetoothUUID, raisesSecurity: Bool = false)
        /// In one request where the value fits into it, else in parts.
        case write(Handle, [UInt8])
        /// All or none, each part compared with what the peer repeats.
        case writeReliably([WriteParts.Target])
        /// Write Command: unanswered by the peer, and answered here once it is wholly with the controller.
        case writeWithoutResponse(Handle, [UInt8])
        /// Enable the notifications of a characteristic, in as few requests as can be: with the handles of an earlier connection
        /// where those hold, else with handles found now.
        case subscribe(service: BluetoothUUID, characteristic: BluetoothUUID, known: KnownHandles? = nil)
        /// Learn how long the handles of that characteristic hold, and have the peer tell when they no longer do.
        case learnCaching(NotifyingCharacteristic)
        /// Enable what is known already.
        case enable(NotifyingCharacteristic)
        /// Agree on the largest MTU that both can do.
        case exchangeMTU
    }

    /// An answer to a request.
    public enum Answer: Hashable, Sendable {
        case done
        case connected(Connection)
        case database(Database)
        case service(Service?)
        case value([UInt8])
        case values([ReadEveryValue.Content])
        case entries([ReadByTypeResponse.Entry])
        case subscribed(NotifyingCharacteristic, HandleBasis)
        case caching(Caching)
        case mtu(Int)
        /// In dBm; `nil` where the controller does not know.
        case signalStrength(Int8?)
        case secured(LinkProtection)
    }

    /// Where a notification comes from.
    public struct Source: Hashable, Sendable {
        /// The connection.
        public var connection: ConnectionID
        /// The value's handle.
        public var handle: Handle
    }

    /// What the engine wants done, in order.
    public enum Effect: Hashable, Sendable {
        /// Send one packet, its H4 type octet first.
        case transmit([UInt8])
        case answer(Ticket, Result<Answer, HostError>)
        case sighting(Sighting)
        /// Scanning ended without being asked to.
        case scanEnded(HostError)
        /// The request of this ticket is about to enable notifications from there: get ready to receive them.
        case notifying(Ticket, Source)
        case notification(Source, [UInt8], Moment)
        /// Parameters, MTU or PHY of a connection changed.
        case connectionChanged(Connection)
        case disconnected(ConnectionID, Status)
        /// The peer says that what it has at these handles is no longer what it was: what was known of them counts no longer.
        case serviceChanged(ConnectionID, HandleRange)
        /// What values came from is no longer what was subscribed to: the peer showed it.
        case subscriptionEnded(Source)
        /// Ask the user about a peer; the answer comes as a request. A later question, or `withdraw`, takes the place of the one before.
        case ask(ConnectionID, DeviceAddress, PairingQuestion)
        /// Show the user what has to be entered on the peer.
        case show(ConnectionID, DeviceAddress, Passkey)
        /// What was asked or shown concerns nobody any more.
        case withdraw(ConnectionID, DeviceAddress)
        /// Keep the keys of a peer, in place of those that there were, and our own where it is not kept yet. A bond under another identity
        /// that the peer had goes.
        case bonded(ConnectionID, Bond, ownKey: SecretKey, replacing: DeviceAddress?)
        /// The keys of a pairing hold for this connection alone.
        case notBonded(ConnectionID, BondObstacle)
        case note(Note)
        /// The engine is at its end; every request is answered with this error.
        case failed(HostError)
    }

    /// Something that deserves a line in a log and changes nothing.
    public enum Note: Hashable, Sendable {
        /// The controller refused an optional command, or did not answer it; the host goes on without.
        case optionalCommandRefused(HCI.Opcode, HostError?)
        case malformedPacket(WireError)
        case malformedEvent(EventCode, WireError)
        /// Data for a connection was not taken: the controller does not keep up.
        case dataRefused(ACLCredits.Refusal)
        case unknownConnection(ConnectionHandle)
        case strangersConnection(ConnectionHandle, Address)
        case lowerLayer(ConnectionID, String)
        case connectionParametersRequested(ConnectionID, accepted: Bool)
        /// The peer, or its controller, wants no other PHY.
        case phyRefused(ConnectionID, Status)
        case disconnectUnanswered(ConnectionID)
        /// The controller reported a failure of its own and is made ready again; the code is the vendor's.
        case controllerReset(code: UInt8)
        /// The controller no longer knows this connection, whose end it never told, and is made ready again.
        case controllerForgot(ConnectionID)
        /// The controller left a command unanswered that the host cannot do without, and is made ready again.
        case controllerSilent(HCI.Opcode)
        /// The controller told of too many connections that nobody asked for, and is made ready again.
        case controllerConnectsStrangers
        case security(ConnectionID, SecurityManager.Note)
    }

    /// Why the keys of a pairing are not kept.
    public enum BondObstacle: Hashable, Sendable {
        /// The peer gave an identity that another bond is of.
        case claimsIdentity(DeviceAddress)
        /// The peer changes its address and has told nothing to recognise it by.
        case addressChanges
        /// The peer has met this host under an address that changes, and takes no key to recognise it by.
        case knowsPrivateAddress
    }
}

/// What the handles of a subscription stand on.
public enum HandleBasis: Hashable, Sendable {
    /// They were found in this connection.
    case found
    /// They are of an earlier connection, and this one has proven them.
    case proven
    /// They are of an earlier connection with a peer whose handles never change.
    case known
}

/// Names a connection for good: a handle is used again by later connections, the generation never is.
public struct ConnectionID: Hashable, Sendable {
    /// The controller's name for the connection, used again later.
    public var handle: ConnectionHandle
    /// Counts the connections of a host.
    public var generation: UInt64
}

/// What is known of a connection.
public struct Connection: Hashable, Sendable {
    /// Names the connection for good.
    public var id: ConnectionID
    /// Whom it is with: by its identity where the host is bonded with it.
    public var peer: DeviceAddress
    /// How often the two sides meet.
    public var interval: ConnectionInterval
    /// Connection events the peripheral may skip.
    public var latency: UInt16
    /// How long the two sides may miss each other.
    public var supervisionTimeout: SupervisionTimeout
    /// The ATT MTU in octets.
    public var mtu = 23
    /// The PHY on which the host's data goes.
    public var phy = PHY.le1M
    /// Octets of the host's data in one packet on air.
    public var dataLength: UInt16 = 27
    /// The peer's address as it is on air.
    public var airAddress = DeviceAddress.zero
    /// The host's own.
    public var ownAddress = DeviceAddress.zero
    /// What protects it.
    public var security = LinkProtection()
}

extension HostEngine.Request {
    /// Whether the engine can take the request on: nothing is sent to a controller that is not ready, or that is let go of.
    func canBeMet(in phase: HostEngine.Phase) -> Bool {
        switch (self, phase) {
        case (_, .ready), (.start, _), (.stop, _), (.wait, .asleep), (.wait, .initialising): true
        // What is asked for while a controller recovers has its turn afterwards.
        case (_, .initialising(_, nil)): true
        default: false
        }
    }
}
