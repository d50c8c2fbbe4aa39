import HCI
import TestSupport
import Testing
import Wire

@Suite struct PacketTests {
    @Test func twoReportsInOneEvent() throws {
        let packet = try Packet(
            decoding: octets(
                """
                043e3e02020000f6e5d4c3b2a10a02010406097363617079000400f6e5d4c3b2a11e08ffffff7970616373020a0a1107fecdab896745
                2310efcdab896745230100
                """))
        guard case .event(let code, let parameters) = packet else {
            Issue.record("no event")
            return
        }
        guard case .le(.advertisingReport(let event)) = try Event(code, parameters: parameters) else {
            Issue.record("no advertising report")
            return
        }
        #expect(event.malformed == nil)
        #expect(event.reports.map(\.kind) == [.connectable, .scanResponse])
        #expect(event.reports.allSatisfy { $0.advertiser.address.description == "A1:B2:C3:D4:E5:F6" })
        #expect(event.reports.map(\.rssi.dBm) == [0, 0])
        #expect(event.reports[0].data == octets("02010406097363617079"))
        #expect(
            event.reports[1].data == octets("08ffffff7970616373020a0a1107fecdab8967452310efcdab8967452301"))
    }
}
