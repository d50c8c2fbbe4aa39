import TestSupport
import Testing
import Wire

private struct Part: Fielded, Hashable {
    var id: UInt8 = 0
    var value: UInt16 = 0

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("ID", &id)
        try pass.uint16("Value", &value)
    }
}

private struct Whole: Fielded, Hashable {
    var number: UInt8 = 0
    var signed: Int8 = 0
    var short: UInt16 = 0
    var period: UInt32 = 0
    var word: UInt32 = 0
    var long: UInt64 = 0
    var address = Address.zero
    var uuid: BluetoothUUID = 0
    var counted: [UInt8] = []
    var parts: [Part] = []
    var rest: [Part] = []

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Number", &number)
        try pass.int8("Signed", &signed)
        try pass.uint16("Short", &short)
        try pass.uint24("Period", &period)
        try pass.uint32("Word", &word)
        try pass.uint64("Long", &long)
        try pass.address("Address", &address)
        try pass.uuid("UUID", &uuid, octets: 16)
        try pass.countedBytes("Counted", &counted)
        try pass.countedList("Part", &parts)
        try pass.restList("Rest", &rest)
    }
}

@Suite struct FieldPassTests {
    @Test func everyPassFollowsTheOneList() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let packet = Whole.random(using: &generator)
            let octets = packet.encoded
            #expect(octets.count == packet.encodedCount)
            #expect(try Whole(decoding: octets) == packet)
            #expect(packet.described.count == 11 + packet.parts.count + packet.rest.count)
        }
    }

    @Test func aShortPacketNamesFieldAndOffset() {
        #expect(throws: WireError.truncated(field: "Value", at: 1, needed: 2, remaining: 1)) {
            try Part(decoding: [7, 1])
        }
    }

    @Test func trailingOctetsAreCounted() throws {
        var trailing = 0
        let part = try Part(decoding: octets("07 0100 ff ff").span, trailing: &trailing)
        #expect(part == Part(id: 7, value: 1))
        #expect(trailing == 2)
    }
}
