public import HCI
import Wire

/// What a connection is made fit for, once it stands. Each part is a wish: a controller that lacks it is not asked, a peer that
/// refuses it is noted, and the work goes on with what there is.
public struct LinkTuning: Hashable, Sendable {
    /// The ATT MTU that the host takes for any work, in octets: a whole attribute value with its header, so that most values need
    /// one response. It costs nothing where values are short.
    public static let mtu: UInt16 = 517

    /// Octets in one packet on air, 27 to 251; `nil` leaves that as it is (Core Vol 6, Part B, 4.5.10).
    public var dataLength: UInt16?
    /// The PHYs to use both ways; `nil` leaves that as it is (Core Vol 6, Part B, 5.1.10).
    public var phys: PHYs?

    public init(dataLength: UInt16? = nil, phys: PHYs? = nil) {
        self.dataLength = dataLength
        self.phys = phys
    }

    /// A measurement a second: it does not fill a packet, and a faster PHY would cost reach.
    public static let heartRate = LinkTuning()

    /// A whole database with long values: few and fast packets.
    public static let bulk = LinkTuning(dataLength: 251, phys: .le2M)
}

extension HostEngine {
    /// Asks the controller for what of the wishes is its own affair.
    mutating func tune(_ id: ConnectionID, _ tuning: LinkTuning, _ ticket: Ticket, into effects: inout [Effect]) {
        guard links[id.handle]?.id == id else {
            effects.append(.answer(ticket, .failure(.disconnected(.unknownConnectionIdentifier))))
            return
        }
        if let octets = tuning.dataLength, controller.lowEnergyFeatures.contains(.dataPacketLengthExtension) {
            sendIfOffered(
                LESetDataLength {
                    $0.handle = id.handle
                    $0.txOctets = octets
                    $0.txTime = LESetDataLength.time(for: octets)
                }, .nobodyOn(id))
        }
        if let phys = tuning.phys, !phys.contains(.le2M) || controller.lowEnergyFeatures.contains(.le2M) {
            sendIfOffered(
                LESetPHY {
                    $0.handle = id.handle
                    $0.tx = phys
                    $0.rx = phys
                }, .nobodyOn(id))
        }
        effects.append(.answer(ticket, .success(.done)))
    }

    /// The PHYs of a connection are others, or the peer did not want them to be.
    mutating func take(_ event: LEPHYUpdateComplete, at now: Moment, into effects: inout [Effect]) {
        guard let id = links[event.handle]?.id else { return }
        guard event.status == .success else {
            effects.append(.note(.phyRefused(id, event.status)))
            return
        }
        update(event.handle, at: now, into: &effects) { $0.phy = event.tx }
    }
}

extension LESetDataLength {
    /// The time in µs that a packet of so many octets takes on the 1M PHY: preamble, access address, header, MIC and CRC besides.
    fileprivate static func time(for octets: UInt16) -> UInt16 { (octets &+ 14) &* 8 }
}
