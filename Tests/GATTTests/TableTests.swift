import ATT
import GATT
import TestSupport
import Testing
import Wire

@Suite struct TableTests {
    @Test func handlesFollowTheDefinitions() {
        let table = AttributeTable(strapDefinitions)
        #expect(table.attributes.map(\.handle.rawValue) == Array(1...0x15))
        #expect(table.valueHandle(of: .heartRateMeasurement) == 0x0C)
        #expect(table.configurationHandle(of: 0x0C) == 0x0D)
        #expect(table.configurationHandle(of: 0x0F) == nil)
        #expect(table.valueHandle(of: .pnpID) == nil)
        #expect(table[0x0C]?.type == .heartRateMeasurement)
        #expect(table[0x16] == nil)
        #expect(table[0x0A]?.groupEnd == 0x11)
    }

    @Test func gapsAndTheEndOfHandles() {
        let value = CharacteristicDefinition(.batteryLevel, .read)
        let table = AttributeTable([
            ServiceDefinition(.battery, at: 0x10, [value]), ServiceDefinition(.battery, at: 0x05, [value]),
            ServiceDefinition(.battery, at: 0xFFFD, [value]), ServiceDefinition(.battery, [value]),
        ])
        #expect(table.attributes.map(\.handle) == [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0xFFFD, 0xFFFE, 0xFFFF])
        let halved = AttributeTable([ServiceDefinition(.battery, at: 0xFFFE, [value])])
        #expect(halved.attributes.map(\.handle) == [0xFFFE])
    }

    /// Discovery finds just what the server was built from, whatever that is.
    @Test(arguments: 0..<25) func discoveryFindsWhatWasDefined(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let definitions = Self.definitions(using: &generator)
        var peer = ServerPeer(definitions)
        peer.server.mtu = [23, 23, 48, 247].randomElement(using: &generator) ?? 23
        // The bench's bearer keeps its MTU of 23 and only notes what is longer.
        let database = try #require(run(DiscoverAll(), with: &peer).result?.value)
        #expect(database.refusals.isEmpty)
        #expect(database.services.map(\.uuid) == definitions.map(\.uuid))
        #expect(database.services.map(\.isPrimary) == definitions.map(\.isPrimary))
        for (found, defined) in zip(database.services, definitions) {
            #expect(found.includes.map(\.uuid) == defined.includes.map { definitions[$0].uuid })
            #expect(found.characteristics.map(\.uuid) == defined.characteristics.map(\.uuid))
            #expect(found.characteristics.map(\.properties) == defined.characteristics.map(\.properties))
            for (characteristic, definition) in zip(found.characteristics, defined.characteristics) {
                let configuration =
                    definition.properties.isDisjoint(with: [.notify, .indicate])
                    ? [] : [BluetoothUUID.clientCharacteristicConfiguration]
                #expect(characteristic.descriptors.map(\.uuid) == configuration + definition.descriptors.map(\.uuid))
            }
        }
    }

    private static func definitions(using generator: inout SeededGenerator) -> [ServiceDefinition] {
        func uuid() -> BluetoothUUID {
            Bool.random(using: &generator)
                ? BluetoothUUID(UInt16.random(in: 0x3000...0xFFFF, using: &generator))
                : BluetoothUUID(high: generator.next(), low: generator.next())
        }
        let count = Int.random(in: 1...6, using: &generator)
        return (0..<count).map { _ in
            let characteristics = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                let descriptors = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    DescriptorDefinition(uuid(), value: [])
                }
                let properties = CharacteristicProperties(rawValue: UInt8.random(in: 0...255, using: &generator))
                return CharacteristicDefinition(uuid(), properties, descriptors: descriptors)
            }
            let includes = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                Int.random(in: 0..<count, using: &generator)
            }
            return ServiceDefinition(
                uuid(), isPrimary: Bool.random(using: &generator), includes: includes,
                at: Handle(UInt16.random(in: 1...200, using: &generator)), characteristics)
        }
    }
}

@Suite struct PropertiesTests {
    @Test func everyValueNamesItsBits() {
        for raw in UInt8.min...UInt8.max {
            #expect(CharacteristicProperties(rawValue: raw).names.count == raw.nonzeroBitCount)
        }
        #expect(CharacteristicProperties([.read, .notify]).names == ["read", "notify"])
        #expect(
            CharacteristicProperties(rawValue: 0xCC).names == [
                "write-without-response", "write", "authenticated-signed-writes", "extended-properties",
            ])
    }
}
