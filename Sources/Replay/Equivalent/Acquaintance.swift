import ATT
import Dissection
import GATT
import HCI
import Simulator
import Wire

/// What a recording tells of one peripheral that its host connected to.
struct Acquaintance {
    /// What it serves, as far as the host asked.
    var database = Database()
    /// The values that were read, by their handles; the first ones count.
    var values: [Handle: [UInt8]] = [:]
    /// What it refused to let read, and why.
    private var refusedReads: [Handle: ErrorCode] = [:]
    /// The values that it refused to be written, and why.
    private(set) var refusedWrites: [Handle: [[UInt8]: ErrorCode]] = [:]
    /// What the host wants to write, until the peripheral has answered.
    private var asked: [UInt8] = []
    /// The longest ATT PDU that it takes.
    var mtu: UInt16 = 23
    /// Its connections, the first one first.
    var connections: [Meeting] = []

    /// One connection.
    struct Meeting {
        var connected: Moment
        /// When the host asked for the values at a handle, the last time.
        var asked: [Handle: Moment] = [:]
        /// The handles of the values that it ever asked for.
        var everAsked: Set<Handle> = []
        /// When it first asked for any.
        var firstAsked: Moment?
        /// What it told, for each time that it was asked.
        var told: [Handle: [[RecordedPeripheral.Told]]] = [:]
        var leaves: RecordedPeripheral.Leaving?
    }

    // MARK: Learning

    mutating func learn(_ attribute: AttributePDU, at moment: Moment) {
        switch attribute.opcode {
        case .readResponse:
            guard let handle = attribute.requested, let value = attribute.value else { return }
            if values[handle] == nil { values[handle] = [UInt8](value) }
        case .readByTypeResponse:
            for (handle, value) in attribute.listedValues where values[handle] == nil { values[handle] = value }
        case .readBlobResponse:
            guard let handle = attribute.requested, let value = attribute.value else { return }
            if attribute.offset == values[handle]?.count { values[handle]? += value }
        case .errorResponse:
            guard let handle = attribute.requested, let request = attribute.value?.first,
                let code = attribute.value?.last
            else { return }
            refuse(ATT.Opcode(request), handle, ErrorCode(code))
        case .writeRequest: asked = [UInt8](attribute.value ?? [])
        case .writeResponse:
            guard let handle = attribute.requested, let value = attribute.written else { return }
            ask(for: handle, value, at: moment)
        case .handleValueNotification, .handleValueIndication:
            guard let handle = attribute.handle, let value = attribute.value else { return }
            note([UInt8](value), told: handle, at: moment)
        default: break
        }
    }

    private mutating func refuse(_ request: ATT.Opcode, _ handle: Handle, _ code: ErrorCode) {
        switch request {
        case .readRequest: refusedReads[handle] = code
        case .writeRequest: refusedWrites[handle, default: [:]][asked] = code
        default: break
        }
    }

    /// The peripheral took a wish for values, or for none any more.
    private mutating func ask(for descriptor: Handle, _ value: [UInt8], at moment: Moment) {
        guard !connections.isEmpty, let bits = ClientConfiguration(octets: value),
            let owner = database.characteristic(at: descriptor), owner.valueHandle != descriptor
        else { return }
        let place = connections.count - 1
        connections[place].asked[owner.valueHandle] = bits.isEmpty ? nil : moment
        if !bits.isEmpty {
            // What came before the peripheral agreed follows this wish, too.
            let isFirst = connections[place].everAsked.insert(owner.valueHandle).inserted
            if !isFirst || connections[place].told[owner.valueHandle] == nil {
                connections[place].told[owner.valueHandle, default: []].append([])
            }
        }
        if !bits.isEmpty { connections[place].firstAsked = connections[place].firstAsked ?? moment }
    }

    private mutating func note(_ value: [UInt8], told handle: Handle, at moment: Moment) {
        guard !connections.isEmpty else { return }
        let place = connections.count - 1
        let begin = connections[place].asked[handle] ?? moment
        var told = connections[place].told[handle] ?? [[]]
        told[told.count - 1].append(.init(after: moment - begin, value: value))
        connections[place].told[handle] = told
    }

    mutating func left(_ reason: Status, at moment: Moment) {
        guard !connections.isEmpty else { return }
        let place = connections.count - 1
        let begin = connections[place].firstAsked ?? connections[place].connected
        connections[place].leaves = .init(after: moment - begin, reason: reason)
    }

    // MARK: As the simulator has it

    /// The services with their handles as they were.
    var services: [ServiceDefinition] {
        database.services.sorted { $0.range.first < $1.range.first }.map { service in
            ServiceDefinition(
                service.uuid, isPrimary: service.isPrimary, at: service.range.first,
                service.characteristics.map(definition))
        }
    }

    private func definition(_ characteristic: Characteristic) -> CharacteristicDefinition {
        let handle = characteristic.valueHandle
        let configuration = characteristic.descriptor(.clientCharacteristicConfiguration)
        var definition = CharacteristicDefinition(
            characteristic.uuid, characteristic.properties, value: values[handle] ?? [],
            read: characteristic.properties.contains(.read) ? access(to: handle) : nil,
            asksOwner: refusedWrites[handle] != nil, configuration: configuration.map { access(toWrite: $0.handle) })
        definition.firstHandle = characteristic.handle
        let others = characteristic.descriptors.filter { $0.handle != configuration?.handle }
        definition.descriptors = others.map { descriptor in
            var other = DescriptorDefinition(
                descriptor.uuid, value: values[descriptor.handle] ?? [], read: access(to: descriptor.handle),
                write: .open)
            other.firstHandle = descriptor.handle
            return other
        }
        if let configuration {
            definition.firstConfigurationHandle = configuration.handle
            definition.configurationComesLast = others.allSatisfy { $0.handle < configuration.handle }
        }
        return definition
    }

    /// What nobody has read nobody can know: it is refused, rather than made up.
    private func access(to handle: Handle) -> Access {
        if values[handle] != nil { return .open }
        return .refused(refusedReads[handle] ?? .unlikelyError)
    }

    /// A descriptor that took no wish and refused one refuses them all.
    private func access(toWrite descriptor: Handle) -> Access {
        let owner = database.characteristic(at: descriptor)?.valueHandle
        let wasAsked = connections.contains { connection in owner.map { connection.everAsked.contains($0) } ?? false }
        guard !wasAsked, let code = refusedWrites[descriptor]?.values.first else { return .open }
        return .refused(code)
    }
}
