import Testing
import Wire

@testable import AssignedNumbers

@Suite struct NamesTests {
    @Test func companies() {
        #expect(Names.company(0x0000) == "Ericsson AB")
        #expect(Names.company(0x0006) == "Microsoft")
        #expect(Names.company(0x004C) == "Apple, Inc.")
        #expect(Names.company(0x006B) == "Polar Electro OY")
        #expect(Names.company(0x0157) == "Anhui Huami Information Technology Co., Ltd.")
        #expect(Names.company(0xFFFE) == nil)
    }

    @Test func uuids() {
        #expect(Names.service(0x180D) == "Heart Rate")
        #expect(Names.service(0x1800) == "GAP")
        #expect(Names.service(0x180F) == "Battery")
        #expect(Names.service(0x180B) == nil)
        #expect(Names.characteristic(0x2A37) == "Heart Rate Measurement")
        #expect(Names.characteristic(0x2A38) == "Body Sensor Location")
        #expect(Names.characteristic(0x2A00) == "Device Name")
        #expect(Names.characteristic(0x180D) == nil)
        #expect(Names.descriptor(0x2902) == "Client Characteristic Configuration")
        #expect(Names.uuid(0x2803) == "Characteristic")
        #expect(Names.uuid(0x2A37) == "Heart Rate Measurement")
        #expect(Names.uuid(0xFD6F)?.isEmpty == false)
        #expect(Names.uuid(0x0000) == nil)
    }

    @Test func vendorsUUIDs() throws {
        let notificationCentre = try #require(BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0"))
        #expect(Names.service(notificationCentre) == "Apple Notification Center Service")
        #expect(Names.uuid(try #require(BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D1"))) == nil)
        #expect(Names.uuid(try #require(BluetoothUUID("12345678"))) == nil)
    }

    @Test func appearances() {
        #expect(Names.appearance(0) == "Unknown")
        #expect(Names.appearance(832) == "Heart Rate Sensor")
        #expect(Names.appearance(833) == "Heart Rate Belt")
        // A sub-category without a name is at least of its category.
        #expect(Names.appearance(834) == "Heart Rate Sensor")
        #expect(Names.appearance(0xFFFF) == nil)
    }

    @Test func advertisingDataTypes() {
        #expect(Names.advertisingDataType(0x01) == "Flags")
        #expect(Names.advertisingDataType(0x09) == "Complete Local Name")
        #expect(Names.advertisingDataType(0xFF) == "Manufacturer Specific Data")
        #expect(Names.advertisingDataType(0x00) == nil)
        #expect(Names.advertisingDataType(0x0B) == nil)
    }

    private static let rowTables: [(name: String, table: NameTable)] = [
        ("companies", .companies), ("services", .services), ("characteristics", .characteristics),
        ("descriptors", .descriptors), ("declarations", .declarations), ("members", .members),
        ("standards", .standards),
        ("appearances", .appearances), ("advertisingDataTypes", .advertisingDataTypes),
    ]

    /// The halving finds each name that is there, and no other: compared with reading the table from its start.
    @Test func everyNumberHasTheNameOfTheTable() {
        for (name, table) in Self.rowTables {
            var expected: [UInt16: String] = [:]
            for line in table.text.split(separator: "\n") {
                guard let row = UInt16(line.prefix(3), radix: 16) else {
                    Issue.record("\(name): \(line)")
                    continue
                }
                for (column, cell) in line.dropFirst(4).split(separator: "|", omittingEmptySubsequences: false)
                    .enumerated()
                where !cell.isEmpty {
                    expected[row << 4 | UInt16(column)] = String(cell)
                }
            }
            #expect(!expected.isEmpty)
            // The rows of the table and those beside them; the others have nothing to be found.
            let rows = Set(expected.keys.flatMap { [$0 >> 4, max(0x001, $0 >> 4) - 1, min(0xFFE, $0 >> 4) + 1] })
            let numbers = rows.flatMap { row in (0...0xF).map { row << 4 | $0 } }
            let found = numbers.reduce(into: [UInt16: String]()) { $0[$1] = table.name(row: $1) }
            #expect(found == expected, "\(name)")
        }
    }

    @Test func everyVendorUUIDIsFound() {
        let lines = NameTable.vendorUUIDs.text.split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            #expect(NameTable.vendorUUIDs.name(line: String(line.prefix(32))) == String(line.dropFirst(33)))
        }
        #expect(NameTable.vendorUUIDs.name(line: "") == nil)
        #expect(NameTable.vendorUUIDs.name(line: String(repeating: "0", count: 32)) == nil)
        #expect(NameTable.vendorUUIDs.name(line: String(repeating: "F", count: 32)) == nil)
    }

    @Test func aTableOfOddShapesIsNoTrap() {
        for text in ["", "\n", "\n\n", "00", "001", "001 ", "001 a|", "001 a||b\n\n002 c", "|||", "zzz"] {
            let table = NameTable(keyDigits: 3, text)
            for number in UInt16.min...0x3F { _ = table.name(row: number) }
        }
        #expect(NameTable(keyDigits: 3, "001 a||b\n002 c").name(row: 0x12) == "b")
        #expect(NameTable(keyDigits: 3, "001 a||b\n002 c").name(row: 0x11) == nil)
        #expect(NameTable(keyDigits: 3, "001 a||b\n002 c").name(row: 0x13) == nil)
        #expect(NameTable(keyDigits: 3, "001 a||b\n002 c").name(row: 0x20) == "c")
    }
}
