import HeartRate
import TestSupport
import Testing
import Wire

@Suite struct SensorValueTests {
    @Test func bodySensorLocations() throws {
        #expect(try BodySensorLocation(decoding: octets("01").span) == .chest)
        #expect(BodySensorLocation.chest.description == "chest")
        #expect(BodySensorLocation.earLobe.description == "ear lobe")
        #expect(BodySensorLocation(rawValue: 7).description == "0x07")
        #expect(throws: WireError.truncated(field: "Body Sensor Location", at: 0, needed: 1, remaining: 0)) {
            try BodySensorLocation(decoding: octets("").span)
        }
        for raw in UInt8.min...UInt8.max { #expect(!BodySensorLocation(rawValue: raw).description.isEmpty) }
    }

    @Test func controlPoint() {
        #expect(HeartRateControlPoint.resetEnergyExpended.encoded == octets("01"))
        #expect(HeartRateControlPoint(rawValue: 2).description == "0x02")
        #expect(HeartRateServiceError(rawValue: 0x80).description == "Control Point Not Supported")
        #expect(HeartRateServiceError(rawValue: 0x81).name == nil)
    }

    @Test func batteryLevel() throws {
        #expect(try BatteryLevel(decoding: octets("57").span).percent == 87)
        #expect(try BatteryLevel(decoding: octets("00").span).percent == 0)
        #expect(try BatteryLevel(decoding: octets("64").span).encoded == octets("64"))
        #expect(throws: WireError.invalid(field: "Battery Level", at: 0, reason: "101 is more than 100 percent")) {
            try BatteryLevel(decoding: octets("65").span)
        }
        #expect(throws: WireError.self) { try BatteryLevel(decoding: octets("").span) }
        #expect(BatteryLevel(percent: 255) == nil)
    }

    @Test func deviceInformationTexts() throws {
        var information = DeviceInformation()
        try information.record([UInt8]("Polar Electro Oy".utf8).span, of: 0x2A29)
        try information.record([UInt8]("H7\0\0".utf8).span, of: 0x2A24)
        try information.record(octets("31 ff 32").span, of: 0x2A25)
        try information.record(octets("").span, of: 0x2A26)
        try information.record(octets("01").span, of: 0x2A19)
        #expect(information.manufacturer == "Polar Electro Oy")
        #expect(information.model == "H7")
        #expect(information.serial == "1\u{FFFD}2")
        #expect(information.firmware == "")
        #expect(information.hardware == nil)
        #expect(DeviceInformation.characteristics.count == 8)
    }

    @Test func identifiers() throws {
        var information = DeviceInformation()
        try information.record(octets("b6 a5 fe ff 12 d0 22 00").span, of: 0x2A23)
        try information.record(octets("01 6b00 0a00 1302").span, of: 0x2A50)
        #expect(information.systemID?.manufacturer == 0x12_FFFE_A5B6)
        #expect(information.systemID?.organization == 0x0022D0)
        #expect(information.systemID?.encoded == octets("b6a5feff12d02200"))
        #expect(information.pnpID?.vendorSource == .bluetooth)
        #expect(information.pnpID?.vendor == 0x006B)
        #expect(information.pnpID?.version == 0x0213)
        #expect(throws: WireError.truncated(field: "Product Version", at: 5, needed: 2, remaining: 1)) {
            try information.record(octets("016b000a0013").span, of: 0x2A50)
        }
        #expect(information.pnpID?.product == 0x000A)
    }
}
