import AssignedNumbers
import Dissection
import Testing
import Wire

@Suite struct NameMemoryTests {
    /// More numbers than it remembers, each asked for twice.
    @Test func itSaysWhatTheTablesSay() {
        let names = NameMemory()
        for number in stride(from: UInt16.min, through: .max, by: 15) {
            let uuid = BluetoothUUID(number)
            for _ in 0..<2 {
                #expect(names.service(uuid) == Names.service(uuid))
                #expect(names.attributeType(uuid) == Names.attributeType(uuid))
                #expect(names.company(number) == Names.company(number))
            }
        }
    }

    @Test func aMemberCompanysNumberIsNoAttributeType() {
        let names = NameMemory()
        #expect(names.service(0xFFF3) == "FiRa Consortium")
        #expect(names.attributeType(0xFFF3) == nil)
        #expect(names.service(0x180D) == "Heart Rate")
        #expect(names.attributeType(0x2A37) == "Heart Rate Measurement")
        #expect(names.attributeType(0x2902) == "Client Characteristic Configuration")
        #expect(names.attributeType(0x2803) == "Characteristic")
        #expect(names.company(0x006B) == "Polar Electro OY")
    }
}
