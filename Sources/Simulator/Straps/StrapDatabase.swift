import ATT
import GATT
import HCI
import HeartRate
import Wire

/// A strap's attributes, and where those are that it acts on.
struct StrapDatabase: Hashable, Sendable {
    let table: AttributeTable
    /// Whether the strap's change of attributes has come about.
    let isChanged: Bool
    /// The value of the first 2A37 that can be subscribed to; `nil` for a device that is no heart-rate sensor.
    let measurement: Handle?
    let controlPoint: Handle?
    let batteryLevel: Handle?

    init(_ plan: StrapPlan, isChanged: Bool = false) {
        if let recorded = plan.recorded {
            self.init(recorded)
        } else {
            self.init(madeUp: plan, isChanged: isChanged)
        }
    }

    /// A recorded peripheral acts on nothing: it does what it did.
    private init(_ recorded: RecordedPeripheral) {
        table = AttributeTable(recorded.services)
        isChanged = false
        (measurement, controlPoint, batteryLevel) = (nil, nil, nil)
    }

    private init(madeUp plan: StrapPlan, isChanged: Bool) {
        var services = [Self.genericAccess(plan), Self.genericAttribute(plan, isChanged: isChanged)]
        if isChanged { services.append(Self.addedService) }
        let heartRate = plan.offers.contains(.heartRate) ? plan.layout.services(of: plan) : []
        // Handles ascend, so that what takes up the last ones comes last.
        if plan.layout != .atTheLastHandles { services += heartRate }
        if plan.offers.contains(.deviceInformation) { services.append(Self.deviceInformation(plan)) }
        if plan.offers.contains(.battery) { services.append(Self.battery(plan)) }
        if plan.layout == .atTheLastHandles { services += heartRate }
        if let demand = plan.security?.rest {
            let isCommon = { (uuid: BluetoothUUID) in uuid == .genericAccess || uuid == .genericAttribute }
            services = services.map { isCommon($0.uuid) ? $0 : $0.protected(by: demand.access) }
        }
        let table = AttributeTable(services)
        self.table = table
        self.isChanged = isChanged
        measurement =
            table.attributes.lazy.filter { $0.type == .heartRateMeasurement }.map(\.handle)
            .first { table.configurationHandle(of: $0) != nil }
        controlPoint = table.valueHandle(of: .heartRateControlPoint)
        batteryLevel = table.valueHandle(of: .batteryLevel)
    }

    private static func genericAccess(_ plan: StrapPlan) -> ServiceDefinition {
        var preferred: [UInt8] = []
        let wish = plan.parameterWish ?? .afterHalfAMinute
        preferred.append(littleEndian: wish.intervals.lowerBound.rawValue)
        preferred.append(littleEndian: wish.intervals.upperBound.rawValue)
        preferred.append(littleEndian: wish.latency)
        preferred.append(littleEndian: wish.supervisionTimeout.rawValue)
        return ServiceDefinition(
            .genericAccess,
            [
                .init(.deviceName, .read, value: Array(plan.name.utf8)),
                .init(.appearance, .read, value: [0x41, 0x03]),  // heart rate belt
                .init(.peripheralPreferredConnectionParameters, .read, value: preferred),
            ])
    }

    private static func genericAttribute(_ plan: StrapPlan, isChanged: Bool) -> ServiceDefinition {
        var characteristics: [CharacteristicDefinition] = []
        if plan.offers.contains(.serviceChanged) { characteristics.append(.init(.serviceChanged, .indicate)) }
        if plan.offers.contains(.databaseHash) {
            characteristics.append(.init(.databaseHash, .read, value: hash(isChanged: isChanged)))
        }
        return ServiceDefinition(.genericAttribute, characteristics)
    }

    private static func deviceInformation(_ plan: StrapPlan) -> ServiceDefinition {
        func text(_ uuid: BluetoothUUID, _ text: String) -> CharacteristicDefinition {
            .init(uuid, .read, value: Array(text.utf8))
        }
        let serial = plan.address.address.rawValue & 0xFF_FFFF
        return ServiceDefinition(
            .deviceInformation,
            [
                text(.manufacturerName, "hr-raw simulator"),
                text(.modelNumber, "Simulated H7"),
                text(.serialNumber, "SIM-" + UInt32(serial).paddedHexadecimal),
                text(.hardwareRevision, "none"),
                text(.firmwareRevision, "1.0.0"),
                text(.softwareRevision, "1.0.0"),
                .init(.systemID, .read, value: systemID(plan.address.address)),
            ])
    }

    private static func battery(_ plan: StrapPlan) -> ServiceDefinition {
        let access = plan.security?.battery?.access ?? .open
        return ServiceDefinition(
            .battery,
            [
                .init(
                    .batteryLevel, [.read, .notify], value: [plan.battery], read: access, configuration: .some(access))
            ])
    }

    /// As many makers do it: the address with FF FE in its middle.
    private static func systemID(_ address: Address) -> [UInt8] {
        let octets = address.littleEndian
        return Array(octets.prefix(3)) + [0xFE, 0xFF] + Array(octets.suffix(3))
    }
}

extension ServiceDefinition {
    /// The same, demanding protection for whatever is open in it.
    fileprivate func protected(by access: Access) -> ServiceDefinition {
        func closed(_ open: Access) -> Access { open == .open ? access : open }
        var service = self
        for index in service.characteristics.indices {
            var characteristic = service.characteristics[index]
            characteristic.read = closed(characteristic.read)
            characteristic.write = closed(characteristic.write)
            characteristic.configuration = characteristic.configuration.map(closed)
            for descriptor in characteristic.descriptors.indices {
                characteristic.descriptors[descriptor].read = closed(characteristic.descriptors[descriptor].read)
                characteristic.descriptors[descriptor].write = closed(characteristic.descriptors[descriptor].write)
            }
            service.characteristics[index] = characteristic
        }
        return service
    }
}
