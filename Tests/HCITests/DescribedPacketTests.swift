import HCI
import TestSupport
import Testing
import Wire

@Suite struct DescribedPacketTests {
    private func described(_ text: String) throws -> DescribedPacket { try Packet(decoding: octets(text)).described }

    /// `Name=text` of each field, of lists too.
    private func lines(_ fields: [DescribedField]) -> [String] {
        fields.flatMap { ["\($0.name)=\($0.text)"] + lines($0.children).map { "  " + $0 } }
    }

    @Test func aCommand() throws {
        let packet = try described("010c20020100")
        #expect(packet.name == "LE Set Scan Enable")
        #expect(lines(packet.fields) == ["LE_Scan_Enable=Enabled (0x01)", "Filter_Duplicates=Disabled (0x00)"])
        #expect(packet.error == nil)
        #expect(packet.trailing == 0)
    }

    @Test func anEventWithAListOfReports() throws {
        let packet = try described("043e0c0201040005000000000200d4")
        #expect(packet.name == "LE Advertising Report")
        #expect(
            lines(packet.fields) == [
                "Subevent_Code=LE Advertising Report (0x02)", "Num_Reports=1", "Report 0=",
                "  Event_Type=SCAN_RSP (0x04)", "  Address_Type=Public (0x00)", "  Address=02:00:00:00:00:05",
                "  Data_Length=0", "  Data=", "  RSSI=-44 dBm (0xD4)",
            ])
    }

    @Test func returnParametersAreThoseOfTheCommand() throws {
        let packet = try described("040e0c010110000900100931010c22")
        #expect(packet.name == "Command Complete")
        #expect(
            lines(packet.fields) == [
                "Num_HCI_Command_Packets=1", "Command_Opcode=Read Local Version Information (0x1001)",
                "Status=Success (0x00)", "HCI_Version=Bluetooth 5.0 (0x09)", "HCI_Subversion=4096",
                "LMP_Version=Bluetooth 5.0 (0x09)",
                "Company_Identifier=Cypress Semiconductor (0x0131)", "LMP_Subversion=8716",
            ])
    }

    @Test func aRefusalNeedsNoMoreThanItsStatus() throws {
        let packet = try described("040e0401011001")
        #expect(packet.fields.last == DescribedField(name: "Status", text: "Unknown HCI Command (0x01)"))
        #expect(packet.error == nil)
    }

    @Test func returnParametersOfUnknownCommandsStayOctets() throws {
        let packet = try described("040e0701 57fd 00aabbcc")
        #expect(
            lines(packet.fields) == [
                "Num_HCI_Command_Packets=1", "Command_Opcode=Vendor Specific 0xFD57 (0xFD57)",
                "Status=Success (0x00)", "Return_Parameters=aabbcc",
            ])
    }

    @Test func whatCouldBeReadBeforeACutStays() throws {
        let packet = try described("043e0f 02 02 00 00 0500000000c0 02 0102 d4 04")
        #expect(packet.fields.map(\.name) == ["Subevent_Code", "Num_Reports", "Report 0", "Report 1"])
        #expect(packet.fields.last?.children.map(\.name) == ["Event_Type"])
        #expect(packet.error == .truncated(field: "Address_Type", at: 15, needed: 1, remaining: 0))
    }

    @Test func shortReturnParametersSayWhere() throws {
        let packet = try described("040e06 01 0220 00 1b00")
        #expect(packet.error == .truncated(field: "Total_Num_LE_ACL_Data_Packets", at: 6, needed: 1, remaining: 0))
        #expect(packet.fields.last == DescribedField(name: "LE_ACL_Data_Packet_Length", text: "27"))
    }

    @Test func octetsBehindTheLastFieldAreCounted() throws {
        #expect(try described("04050600400016aabb").trailing == 2)
        #expect(try described("010c2004010099aa").trailing == 2)
    }

    @Test func unknownPacketsAreNamedByNumber() throws {
        #expect(try described("04570100").name == "Authenticated Payload Timeout Expired")
        #expect(try described("045a00").name == "0x5A")
        let subevent = try described("043e03f00102")
        #expect(subevent.name == "LE Meta sub-event 0xF0")
        #expect(lines(subevent.fields) == ["Subevent_Code=0xF0", "Parameters=0102"])
        #expect(try described("043e0111").error == nil)
        #expect(try described("043e00").error == .truncated(field: "Subevent_Code", at: 0, needed: 1, remaining: 0))
        #expect(try described("770102").name == "Unknown packet type 0x77")
        #expect(lines(try described("0157fd03010203").fields) == ["Parameters=010203"])
    }

    @Test func data() throws {
        let packet = try described("0241 20 0200 aabb")
        #expect(packet.name == "ACL Data")
        #expect(
            lines(packet.fields) == [
                "Connection_Handle=0x0041, first, flushable (0x2041)", "Data_Total_Length=2", "Data=aabb",
            ])
    }
}
