import ATT
import Capture
import Dissection
import GATT
import HCI
import HeartRate
import Host
import L2CAP
import Wire

/// What the host in a recording knew before its first packet, as far as what it did tells: a host of ours must know the same to do
/// the same.
struct RecordedHost: Sendable {
    /// How it was configured.
    let configuration: HostEngine.Configuration
    /// What it knew of peers' handles.
    let known: [DeviceAddress: KnownHandles]

    /// The same, as a host of ours keeps it.
    var handles: HandleCache {
        known.reduce(into: HandleCache()) { $0[$1.key] = $1.value }
    }

    init(_ script: Script) {
        configuration = Self.configuration(in: script)
        known = Self.known(in: script)
    }

    /// Which addresses it showed, and what for.
    private static func configuration(in script: Script) -> HostEngine.Configuration {
        var shown: [Address] = []
        var connectsPrivately = false
        for line in script.lines where line.lane == .commands {
            guard case .command(let opcode, let parameters) = try? Packet(decoding: line.packet) else { continue }
            if opcode == LESetRandomAddress.opcode, let command = try? LESetRandomAddress(decoding: parameters) {
                shown.append(command.address)
            } else if let kind = ownAddressKind(opcode, parameters) {
                connectsPrivately = connectsPrivately || (kind == .random && shown.last?.isPrivate == true)
            }
        }
        var configuration = HostEngine.Configuration()
        if let address = shown.first(where: { !$0.isPrivate }) { configuration = .init(staticAddress: address) }
        let hidden = shown.filter(\.isPrivate).reduce(into: [] as [Address]) { if $0.last != $1 { $0.append($1) } }
        if !hidden.isEmpty { configuration.recordedAddresses = .init(hidden, connects: connectsPrivately) }
        return configuration
    }

    /// Under which kind of address a command connects; `nil` for another command.
    private static func ownAddressKind(_ opcode: HCI.Opcode, _ parameters: [UInt8]) -> OwnAddressKind? {
        switch opcode {
        case LECreateConnection.opcode: try? LECreateConnection(decoding: parameters).ownAddressKind
        case LEExtendedCreateConnection.opcode: try? LEExtendedCreateConnection(decoding: parameters).ownAddressKind
        default: nil
        }
    }

    private static func known(in script: Script) -> [DeviceAddress: KnownHandles] {
        var known: [DeviceAddress: KnownHandles] = [:]
        var dissector = Dissector()
        var approaches: [ConnectionHandle: Approach] = [:]
        var settled: Set<DeviceAddress> = []
        for line in script.lines {
            let dissected = dissector.dissect(line.record)
            // The first connection with a peer shows what was known; what the later ones know was learnt in the recording.
            if case .connected(let link) = dissected.linkChange {
                approaches[link.handle] = settled.insert(link.peer).inserted ? Approach(peer: link.peer) : nil
            }
            guard let handle = dissected.handle, let payload = dissected.payload, dissected.channel == .attribute else {
                continue
            }
            approaches[handle]?.follow([UInt8](payload), line.record.direction)
            if let approach = approaches[handle], let handles = approach.known { known[approach.peer] = handles }
        }
        return known
    }
}

/// How a host came to subscribe to a heart rate in one connection: whoever knows the handles shows that he does, by not looking for them.
private struct Approach {
    let peer: DeviceAddress
    /// The host's first request; `nil` before it.
    private var first: ClientPDU?
    /// The handle of the descriptor that it wrote to, and what.
    private var written: (handle: Handle, configuration: ClientConfiguration)?
    /// The Database Hash that the peer told first.
    private var hash: [UInt8]?
    /// Whether the host looked for the characteristic after all.
    private var looks = false
    /// The nearest value before the descriptor that the peer sent by itself.
    private var value: Handle?

    init(peer: DeviceAddress) { self.peer = peer }

    mutating func follow(_ pdu: [UInt8], _ direction: Record.Direction?) {
        if direction == .sent {
            guard let request = try? ClientPDU(decoding: pdu) else { return }
            first = first ?? request
            if written == nil { follow(request) }
        } else if let response = try? ServerPDU(decoding: pdu) {
            follow(response)
        }
    }

    private mutating func follow(_ request: ClientPDU) {
        switch request {
        case .findByTypeValue, .readByGroupType: looks = true
        case .write(let request):
            written = ClientConfiguration(octets: request.value).map { (request.handle, $0) }
        default: break
        }
    }

    private mutating func follow(_ response: ServerPDU) {
        switch response {
        case .readByType(let response) where hash == nil:
            hash = (try? response.entries())?.first?.value
        case .notification(let notification): noteValue(notification.handle)
        case .indication(let indication): noteValue(indication.handle)
        default: break
        }
    }

    private mutating func noteValue(_ handle: Handle) {
        guard let written, handle < written.handle, value.map({ $0 < handle }) ?? true else { return }
        value = handle
    }

    /// What the host knew; `nil` where it knew nothing, or has not shown it yet.
    var known: KnownHandles? {
        switch first {
        case .write: known(value ?? written?.handle.previous, hasServiceChanged: false, hash: nil)
        case .findInformation(let request): known(request.range.first, hasServiceChanged: true, hash: nil)
        case .readByType(let request) where request.attributeType == .databaseHash:
            // Where it looked all the same, it had known another hash.
            known(
                value ?? written?.handle.previous, hasServiceChanged: true,
                hash: looks ? Array(repeating: 0, count: KnownHandles.hashCount) : hash)
        default: nil
        }
    }

    private func known(_ value: Handle?, hasServiceChanged: Bool, hash: [UInt8]?) -> KnownHandles? {
        guard let value, let configuration = provenConfiguration ?? written?.handle else { return nil }
        let bits = written?.configuration ?? .notifications
        return KnownHandles(
            service: HeartRateUUID.heartRateService,
            characteristic: NotifyingCharacteristic(
                service: HandleRange(value, configuration), uuid: HeartRateUUID.measurement, valueHandle: value,
                properties: bits == .indications ? .indicate : .notify, configurationHandle: configuration,
                configuration: bits),
            hasServiceChanged: hasServiceChanged, databaseHash: hash, learnt: Timestamp(microseconds: 0))
    }

    /// The descriptor up to which the host asked for the types.
    private var provenConfiguration: Handle? {
        if case .findInformation(let request) = first { request.range.last } else { nil }
    }
}

extension Address {
    /// Whether it is, as a random address, one that changes.
    fileprivate var isPrivate: Bool { randomness != .static }
}
