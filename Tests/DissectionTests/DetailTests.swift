import Capture
import Dissection
import HCI
import TestSupport
import Testing
import Wire

/// What `decode -v` says of one record of each kind in the captures. The facts were read off btmon 5.66's output for the same
/// records, so that nothing that it breaks out is shown here as octets alone.
@Suite struct DetailTests {
    private static let phone = "wangdalian__btsnooper.btsnoop"
    private static let tablet = "csacca__horizon-74-at-ble.btsnoop"
    private static let lamp = "corbanvilla__BLETools.btsnoop"
    private static let strap = "SYNTHETIC_bumble_hr_mtu23.btsnoop"

    private func check(_ capture: String, _ expectations: [(frame: Int, lines: [String])]) throws {
        let records = dissect(try fixture("captures/" + capture))
        var describer = RecordDescriber(.lines(depth: 0), NameMemory())
        for (frame, lines) in expectations {
            var octets: [UInt8] = []
            describer.append(try #require(records.first { $0.record.frame == frame }), to: &octets)
            let shown = String(decoding: octets, as: UTF8.self).split(separator: "\n").map {
                String($0.drop { $0 == " " })
            }
            for line in lines { #expect(shown.contains(line), "\(capture) frame \(frame): \(line)") }
        }
    }

    @Test func whatAControllerIs() throws {
        try check(
            Self.phone,
            [
                (
                    4,
                    [
                        "Parameter_Total_Length: 11", "ACL_Data_Packet_Length: 1024", "Total_Num_ACL_Data_Packets: 7",
                        "Synchronous_Data_Packet_Length: 60", "Total_Num_Synchronous_Data_Packets: 8",
                    ]
                ),
                (
                    10,
                    [
                        "HCI_Version: Bluetooth 5.0 (0x09)", "LMP_Subversion: 702",
                        "Company_Identifier: Qualcomm (0x001D)",
                    ]
                ),
                (12, ["BD_ADDR: EA:6E:3D:6B:DB:FF"]),
                (
                    14,
                    [
                        "Inquiry", "Create Connection", "Role Discovery", "Read Local Supported Codecs",
                        "LE Set Extended Scan Enable",
                    ]
                ),
                (30, ["Filter_Accept_List_Size: 128"]),
                (32, ["LE_ACL_Data_Packet_Length: 251", "Total_Num_LE_ACL_Data_Packets: 16"]),
                (34, ["LE_States: 0x000003FFFFFFFFFF", "Passive Scanning", "Initiating + Connection as Peripheral"]),
                (
                    36,
                    [
                        "LE Encryption", "LE 2M PHY", "Stable Modulation Index - Receiver",
                        "Channel Selection Algorithm #2",
                    ]
                ),
                (38, ["Resolving_List_Size: 32"]),
                (40, ["Suggested_Max_TX_Octets: 27", "Suggested_Max_TX_Time: 328"]),
                (42, ["Max_Advertising_Data_Length: 1650"]),
                (44, ["Num_Supported_Advertising_Sets: 16"]),
                (50, ["Num_Supported_Standard_Codecs: 6", "Codec: CVSD (0x02)", "Codec: mSBC (0x05)"]),
            ])
        try check(Self.strap, [(20, ["ISO_Data_Packet_Length: 960", "Total_Num_ISO_Data_Packets: 64"])])
    }

    /// As many commands as btmon counts.
    @Test func supportedCommandsAreAllNamed() throws {
        let record = try #require(dissect(try fixture("captures/" + Self.phone)).first { $0.record.frame == 14 })
        let commands = try #require(record.described(NameMemory()).first { $0.name == "Supported_Commands" })
        #expect(commands.children.count == 234)
    }

    @Test func featuresPageByPage() throws {
        try check(
            Self.phone,
            [
                (15, ["Page_Number: 0"]),
                (
                    16,
                    [
                        "Maximum_Page_Number: 2", "3 slot packets", "EDR ACL 2 Mb/s mode", "LE Supported (Controller)",
                        "Extended features",
                    ]
                ),
                (22, ["Page_Number: 1", "Secure Simple Pairing (Host Support)", "LE Supported (Host)"]),
                (24, ["Page_Number: 2", "Synchronization Train", "Ping", "Secure Connections (Controller Support)"]),
            ])
    }

    @Test func whatAHostWants() throws {
        try check(
            Self.phone,
            [
                (5, ["Host_ACL_Data_Packet_Length: 1691", "Host_Total_Num_Synchronous_Data_Packets: 10"]),
                (17, ["Simple_Pairing_Mode: Enabled (0x01)"]),
                (19, ["LE_Supported_Host: Enabled (0x01)", "Unused: 1"]),
                (27, ["Secure_Connections_Host_Support: Enabled (0x01)"]),
                (
                    45,
                    [
                        "LE_Event_Mask: 0x00000000000BFE7F", "LE Advertising Report", "LE PHY Update Complete",
                        "LE Channel Selection Algorithm",
                    ]
                ),
                (
                    47,
                    [
                        "Event_Mask: 0x3DBFFFFFFFFFFFFF", "Inquiry Complete", "QoS Setup Complete", "LE Meta",
                        "Keypress Notification",
                    ]
                ),
                (55, ["RPA_Timeout: 900.0 s (0x0384)"]),
                (57, ["Inquiry_Mode: Inquiry result with RSSI or extended inquiry result (0x02)"]),
                (59, ["Page_Scan_Type: Interlaced scan (0x01)"]),
                (61, ["Scan_Type: Interlaced scan (0x01)"]),
                (
                    63,
                    [
                        "Class_Of_Device: 0x5A020C", "Major Device Class: Phone", "Minor Device Class: Smartphone",
                        "Networking", "Capturing", "Object Transfer", "Telephony",
                    ]
                ),
                (65, ["Page_Timeout: 5120.0 ms (0x2000)"]),
                (67, ["Default_Link_Policy_Settings: 0x0007", "Role switch", "Hold mode", "Sniff mode"]),
                (73, ["Local_Name: N001-abc"]),
                (75, ["FEC_Required: Enabled (0x01)", "Complete Local Name: N001-abc"]),
                (
                    89,
                    [
                        "Voice_Setting: 0x0060", "Input Coding: Linear", "Input Data Format: 2's complement",
                        "Input Sample Size: 16 bits", "Linear PCM Bit Position: 0", "Air Coding Format: CVSD",
                    ]
                ),
                (99, ["Num_Current_IAC: 1", "IAC_LAP: General Inquiry (0x9E8B33)"]),
                (101, ["Inquiry_Scan_Interval: 1280.0 ms (0x0800)", "Inquiry_Scan_Window: 11.25 ms (0x0012)"]),
                (103, ["Scan_Enable: Inquiry scan (0x01)"]),
            ])
    }

    @Test func privacy() throws {
        try check(
            Self.phone,
            [
                (78, ["Random_Number: 0x44C65B50051B0EB3"]),
                (
                    79,
                    [
                        "Peer_Identity_Address: FE:BD:04:6F:BA:76", "Peer_IRK: a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
                        "Local_IRK: a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
                    ]
                ),
                (81, ["Peer_Identity_Address_Type: Public (0x00)", "Privacy_Mode: Device Privacy (0x01)"]),
                (83, ["Address_Resolution_Enable: Enabled (0x01)"]),
                (85, ["Random_Address: 7C:0E:DD:22:9F:7B (resolvable)"]),
            ])
    }

    @Test func scanning() throws {
        try check(
            Self.phone,
            [
                (
                    148,
                    [
                        "Own_Address_Type: Random (0x01)", "Scanning_Filter_Policy: Basic unfiltered (0x00)",
                        "Scanning_PHYs: 0x01", "LE 1M", "Scan_Type: Active (0x01)", "Scan_Interval: 11.25 ms (0x0012)",
                        "Scan_Window: 11.25 ms (0x0012)",
                    ]
                ),
                (
                    150,
                    [
                        "Enable: Enabled (0x01)", "Filter_Duplicates: Off (0x00)", "Duration: 0.0 ms (0x0000)",
                        "Period: 0.0 s (0x0000)",
                    ]
                ),
            ])
        try check(
            Self.strap,
            [
                (29, ["LE_Scan_Type: Active (0x01)", "LE_Scan_Interval: 60.0 ms (0x0060)"]),
                (31, ["LE_Scan_Enable: Enabled (0x01)", "Filter_Duplicates: Disabled (0x00)"]),
            ])
    }

    @Test func advertisements() throws {
        try check(
            Self.strap,
            [
                (
                    33,
                    [
                        "Event_Type: connectable, data complete (0x0001)", "Address_Type: Random (0x01)",
                        "Address: F1:F1:F2:F3:F4:F5 (static)", "Primary_PHY: LE 1M (0x01)",
                        "Secondary_PHY: LE 1M (0x01)", "Advertising_SID: 0", "TX_Power: 0 dBm (0x00)",
                        "RSSI: -50 dBm (0xCE)", "Periodic_Advertising_Interval: 0.0 ms (0x0000)",
                        "Direct_Address_Type: Public (0x00)", "Data_Length: 15",
                        "Data: 02010607030d180a180f1803194103", "Flags: 0x06", "LE General Discoverable Mode",
                        "BR/EDR Not Supported",
                        "Complete List of 16-bit Service Class UUIDs: 180D Heart Rate, 180A Device Information, 180F Battery",
                        "Appearance: Heart Rate Belt (0x0341)",
                    ]
                ),
                (34, ["Event_Type: scan response, data complete (0x0008)"]),
            ])
        try check(
            Self.phone,
            [
                (
                    234,
                    ["Event_Type: ADV_IND, connectable, scannable, legacy, data complete (0x0013)"]
                )
            ])
        try check(
            Self.tablet,
            [
                (133, ["Num_Reports: 1"]),
                (
                    134,
                    [
                        "Event_Type: SCAN_RSP (0x04)", "Address: 82:D1:01:52:9E:6D", "Type: iBeacon (0x02)",
                        "Measured Power: -62 dBm", "RSSI: -49 dBm (0xCF)",
                    ]
                ),
            ])
    }

    @Test func connections() throws {
        try check(
            Self.phone,
            [
                (
                    142,
                    [
                        "BD_ADDR: 12:E3:91:AE:08:E2", "Packet_Type: 0xCC18", "DM1 may be used", "DH5 may be used",
                        "Page_Scan_Repetition_Mode: R1 (0x01)", "Clock_Offset: 0", "Allow_Role_Switch: Allowed (0x01)",
                    ]
                ),
                (
                    143, ["Status: Success (0x00)", "Command_Opcode: Create Connection (0x0405)"]
                ),
                (
                    184,
                    [
                        "Status: Page Timeout (0x04)", "Connection_Handle: 0x0002", "BD_ADDR: 12:E3:91:AE:08:E2",
                        "Link_Type: ACL (0x01)", "Encryption_Enabled: Disabled (0x00)",
                    ]
                ),
                (
                    469,
                    [
                        "Connection_Interval_Min: 7.5 ms (0x0006)", "Max_Latency: 0",
                        "Supervision_Timeout: 5000.0 ms (0x01F4)", "Min_CE_Length: 0.0 ms (0x0000)",
                    ]
                ),
                (471, ["Num_Handles: 1", "Connection_Handle: 0x0002", "Num_Completed_Packets: 1"]),
                (472, ["Max_TX_Octets: 27", "Max_TX_Time: 328", "Max_RX_Octets: 200", "Max_RX_Time: 1712"]),
                (475, ["TX_Octets: 251", "TX_Time: 2120"]),
                (480, ["Version: Bluetooth 4.2 (0x08)", "Company_Identifier: Telink Semiconductor Co. Ltd (0x0211)"]),
                (6709, ["Connection_Handle: 0x0002", "Reason: Connection Timeout (0x08)"]),
            ])
        try check(
            Self.tablet,
            [
                (
                    509,
                    [
                        "Initiator_Filter_Policy: Filter accept list not used (0x00)",
                        "Peer_Address: F9:AA:FC:3A:A3:20 (static)", "Scan_Interval: 60.0 ms (0x0060)",
                        "Connection_Interval_Max: 50.0 ms (0x0028)",
                    ]
                ),
                (
                    537,
                    [
                        "Role: Central (0x00)", "Connection_Interval: 30.0 ms (0x0018)", "Peripheral_Latency: 0",
                        "Central_Clock_Accuracy: 500 ppm (0x00)",
                    ]
                ),
                (544, ["LE_Features: 0x0000000000000001", "LE Encryption"]),
            ])
        try check(
            Self.lamp,
            [
                (314, ["LE_Scan_Window: 30.0 ms (0x0030)", "Peer_Address: DE:2C:50:4A:E9:58"]),
                (318, ["Status: Unknown Connection Identifier (0x02)", "Connection_Interval: 48.75 ms (0x0027)"]),
                (446, ["Reason: Remote User Terminated Connection (0x13)"]),
            ])
    }

    /// Vendors' own packets are octets to everybody; but for what all packets have.
    @Test func vendorsPackets() throws {
        try check(
            Self.phone,
            [
                (7, ["Parameters: 1401"]), (8, ["Status: Success (0x00)", "Return_Parameters: 14"]),
                (6707, ["Event_Parameters: 8d02000aebde8414c7de02001000000008dc"]),
            ])
    }

    /// No command or event of the captures is shown as octets alone, vendors' own apart.
    @Test(arguments: TruthRow.captures) func nothingIsOctetsAlone(_ capture: String) throws {
        for dissected in dissect(try fixture("captures/" + capture)) {
            guard dissected.record.kind == .command || dissected.record.kind == .event else { continue }
            guard dissected.opcode?.isVendorSpecific != true, dissected.eventCode != .vendorSpecific else { continue }
            let names = Set(dissected.described(NameMemory()).map(\.name))
            let blobs: Set = ["Octets", "Parameters", "Event_Parameters", "Return_Parameters"]
            #expect(names.isDisjoint(with: blobs), "\(capture) frame \(dissected.record.frame)")
        }
    }
}
