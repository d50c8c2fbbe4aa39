import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct SignalingPacketTests {
    /// An Echo Request as published in secdev/scapy test/scapy/layers/bluetooth.uts.
    @Test func echoRequest() throws {
        let packet = try SignalingPacket(decoding: octets("08000800 4141414141414141"))
        #expect(packet.code.description == "Echo Request")
        #expect(packet.data == Array(repeating: 0x41, count: 8))
    }

    @Test func fieldsByName() throws {
        let packet = try SignalingPacket(decoding: octets("12 01 0800 fa00 9001 0000 5802"))
        let command = try SignalingCommand(code: packet.code, data: packet.data.span)
        #expect(
            command.content?.described.map(\.name)
                == ["Connection_Interval_Min", "Connection_Interval_Max", "Max_Latency", "Supervision_Timeout"])
        #expect(command.content?.described.first?.text == "312.5 ms (0x00FA)")
        #expect(command.packet(identifier: 1) == packet)
        #expect(packet.frame.encoded == octets("0c000500 12010800fa00900100005802"))
    }

    /// Every code comes back from decoding and encoding, with whatever data its format allows.
    @Test func everyCode() {
        var generator = SeededGenerator(seed: 12)
        for raw in UInt8.min...UInt8.max {
            let code = SignalingCode(rawValue: raw)
            #expect(!code.description.isEmpty)
            for count in 0...24 {
                let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                guard let command = try? SignalingCommand(code: code, data: data.span) else { continue }
                #expect(command.code == code)
                let encoded = command.packet(identifier: 1).data
                #expect(encoded == Array(data.prefix(encoded.count)))
            }
        }
        #expect(SignalingCode(rawValue: 0x1B).description == "0x1B")
        #expect(SignalingCode(rawValue: 0x1A).description == "Credit Based Reconfigure Response")
    }

    @Test func resultsDescribeThemselves() {
        for raw in UInt16.min...300 {
            #expect(!CommandRejectReason(rawValue: raw).description.isEmpty)
            #expect(!ParameterUpdateResult(rawValue: raw).description.isEmpty)
            #expect(!CreditBasedConnectionResult(rawValue: raw).description.isEmpty)
            #expect(!ReconfigureResult(rawValue: raw).description.isEmpty)
        }
        #expect(CommandRejectReason(rawValue: 9).description == "0x0009")
    }
}
