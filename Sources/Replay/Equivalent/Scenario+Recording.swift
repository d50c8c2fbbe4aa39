import ATT
import Capture
import Dissection
import GATT
import HCI
import HeartRate
import Simulator
import Wire

extension Scenario {
    /// The world that the host in a recording met: a plain controller, the devices that advertised, and those that were connected to
    /// with what they hold and told.
    init(_ script: Script, _ host: RecordedHost) {
        var devices = Devices()
        let seen = Recording(records: script.lines.map(\.record)).seen()
        for (peer, database) in seen.databases {
            devices.met[peer.plain, default: .init()].database = database
        }
        for (peer, known) in host.known { devices.addService(of: known, to: peer) }
        var dissector = Dissector()
        for line in script.lines { devices.learn(from: dissector.dissect(line.record), at: line.moment) }
        self.init(
            name: "recorded", summary: "the world of a recording", controller: .recorded(script),
            straps: devices.straps, others: devices.others)
    }
}

/// All devices in a recording.
private struct Devices {
    var met: [DeviceAddress: Acquaintance] = [:]
    private var heard: [DeviceAddress: Broadcasts] = [:]
    /// The order in which devices were met and heard, so that the same recording makes the same world.
    private var order: [DeviceAddress] = []
    private var peers: [ConnectionHandle: DeviceAddress] = [:]
    /// The connections that the host is ending.
    private var left: Set<ConnectionHandle> = []

    /// More than any host has to tell apart.
    private static let mostHeard = 1000

    mutating func learn(from dissected: Dissected, at moment: Moment) {
        for report in dissected.reports {
            let device = report.advertiser.plain
            guard heard[device] != nil || heard.count < Self.mostHeard else { continue }
            if heard[device] == nil { order.append(device) }
            heard[device, default: .init()].hear(report, at: moment)
        }
        switch dissected.linkChange {
        case .connected(let link):
            let peer = link.peer.plain
            peers[link.handle] = peer
            met[peer, default: .init()].connections.append(.init(connected: moment))
            if heard[peer] == nil, !order.contains(peer) { order.append(peer) }
        case .disconnected(let reason):
            guard let handle = dissected.handle, let peer = peers.removeValue(forKey: handle) else { return }
            let isOurs = left.remove(handle) != nil || reason == .terminatedByLocalHost
            if !isOurs { met[peer]?.left(reason, at: moment) }
        default: break
        }
        if dissected.record.kind == .command, dissected.opcode == Disconnect.opcode, let handle = dissected.handle {
            left.insert(handle)
        }
        guard let handle = dissected.handle, let peer = peers[handle], let attribute = dissected.attribute,
            attribute.server == .peer
        else { return }
        if attribute.opcode == .exchangeMTUResponse, let value = attribute.value, value.count >= 2 {
            met[peer]?.mtu = UInt16(value[value.startIndex]) | UInt16(value[value.startIndex + 1]) << 8
        }
        met[peer]?.learn(attribute, at: moment)
    }

    /// A host that knew the handles did not ask for the service around them.
    mutating func addService(of known: KnownHandles, to peer: DeviceAddress) {
        let owner = known.characteristic
        guard met[peer.plain]?.database.characteristic(at: owner.configurationHandle) == nil,
            let declaration = owner.valueHandle.previous, let first = declaration.previous
        else { return }
        let characteristic = Characteristic(
            uuid: owner.uuid, handle: declaration, valueHandle: owner.valueHandle, endHandle: owner.configurationHandle,
            properties: owner.properties,
            descriptors: [Descriptor(uuid: .clientCharacteristicConfiguration, handle: owner.configurationHandle)])
        let service = Service(
            uuid: known.service, range: HandleRange(first, owner.configurationHandle), characteristics: [characteristic]
        )
        met[peer.plain, default: .init()].database.services.append(service)
    }

    // MARK: On the simulator's air

    var straps: [StrapPlan] {
        order.compactMap { device in
            guard let acquaintance = met[device] else { return nil }
            var plan = StrapPlan(address: device, name: "")
            plan.parameterWish = nil
            plan.mtu = acquaintance.mtu
            plan.recorded = RecordedPeripheral(
                advertises: (heard[device] ?? .init()).plan(of: device, isMet: true), services: acquaintance.services,
                refusedWrites: acquaintance.refusedWrites,
                connections: acquaintance.connections.map { .init(told: $0.told, leaves: $0.leaves) })
            return plan
        }
    }

    var others: [AdvertiserPlan] {
        order.compactMap { met[$0] == nil ? heard[$0]?.plan(of: $0, isMet: false) : nil }
    }
}

extension DeviceAddress {
    /// The same device whether the controller resolved its address or it showed it itself.
    fileprivate var plain: DeviceAddress { DeviceAddress(kind.withoutIdentity, address) }
}

extension ControllerPlan {
    /// The simulator's controller, under the address that the recorded one had.
    fileprivate static func recorded(_ script: Script) -> ControllerPlan {
        var plan = ControllerPlan()
        for line in script.lines where line.lane == nil {
            guard case .event(.commandComplete, let parameters) = try? Packet(decoding: line.packet),
                let event = try? CommandComplete(decoding: parameters), event.opcode == ReadBDADDR.opcode,
                let answer = try? ReadBDADDR.ReturnParameters(decoding: event.returnParameters)
            else { continue }
            plan.address = answer.address
            break
        }
        return plan
    }
}
