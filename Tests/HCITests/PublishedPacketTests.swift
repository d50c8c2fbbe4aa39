import HCI
import TestSupport
import Testing
import Wire

/// Packets that other projects publish with their meaning: secdev/scapy (test/scapy/layers/bluetooth.uts) and PureSwift/Bluetooth
/// (HCITests.swift). Device addresses, names and identifiers in them are made up.
@Suite struct PublishedPacketTests {
    private func event(_ text: String) throws -> Event {
        let packet = try Packet(decoding: octets(text))
        guard case .event(let code, let parameters) = packet else { throw NotAnEvent() }
        // What is written again is what was read.
        #expect(packet.encoded == octets(text))
        return try Event(code, parameters: parameters)
    }

    private func advertisements(_ text: String) throws -> [LEAdvertisingReport.Report] {
        guard case .le(.advertisingReport(let event)) = try event(text) else { throw NotAnEvent() }
        #expect(event.malformed == nil)
        #expect(event.packet == octets(text))
        return event.reports
    }

    struct NotAnEvent: Error {}

    // MARK: Advertising

    @Test func twoReportsInOneEventAreRowByRow() throws {
        let reports = try advertisements(
            """
            043e3e02020000f6e5d4c3b2a10a02010406097363617079000400f6e5d4c3b2a11e08ffffff7970616373020a0a1107fecdab896745
            2310efcdab896745230100
            """)
        #expect(reports.map(\.kind) == [.connectable, .scanResponse])
        #expect(reports.map(\.advertiser.description) == Array(repeating: "A1:B2:C3:D4:E5:F6 (public)", count: 2))
        #expect(reports.map(\.rssi.dBm) == [0, 0])
        #expect(reports[0].data == octets("02010406097363617079"))
        #expect(reports[1].data == octets("08ffffff7970616373020a0a1107fecdab8967452310efcdab8967452301"))
    }

    @Test(arguments: [
        (
            "043e2b020100010100000000601f0201020303d9fe1409506562626c652054696d65204c452030303030020a0cde", "ADV_IND",
            -34, 31
        ),
        ("043e23020104010200000000601716ff5401005f4130303030303030303030fc00030c0000de", "SCAN_RSP", -34, 23),
        (
            "043e29020100010300000000c01d0319000002010603140d181115d0002d121e4b0fa4994eceb531f40579aa", "ADV_IND", -86,
            29
        ),
        ("043e1b020103010400000000020f02011b0bff4c000906031ac0a80102c9", "ADV_NONCONN_IND", -55, 15),
        ("043e22020100000500000000021602011a07030318041802180a0950726f78696d697479d3", "ADV_IND", -45, 22),
        ("043e1a020100000600000000020e02011a0aff4c0010050110c314ddca", "ADV_IND", -54, 14),
        ("043e0c0201040005000000000200d4", "SCAN_RSP", -44, 0),
    ])
    func oneReport(text: String, kind: String, rssi: Int8, count: Int) throws {
        let reports = try advertisements(text)
        #expect(reports.count == 1)
        #expect(reports.first?.kind.description == kind)
        #expect(reports.first?.rssi.dBm == rssi)
        #expect(reports.first?.data.count == count)
    }

    @Test func anExtendedReportOfALegacyAdvertisement() throws {
        guard
            case .le(.extendedAdvertisingReport(let event)) = try event(
                """
                043e390d0113a6000700000000028100ff7fdb0000000000000000001f0d09475648353037325f30303030030388ec02010509ff88ec
                000394906400
                """), let report = event.reports.first
        else { throw NotAnEvent() }
        #expect(event.reports.count == 1)
        #expect(event.malformed == nil)
        #expect(report.kind.rawValue == 0xA613)
        #expect(report.kind.isSuperset(of: [.connectable, .scannable, .legacy]))
        #expect(report.kind.legacyKind == .connectable)
        #expect(report.advertiser == DeviceAddress(.public, Address(rawValue: 0x02_0000_0000_07)))
        #expect(report.primaryPHY.rawValue == 0x81)
        #expect(report.secondaryPHY == .none)
        #expect(report.setID == 0xFF)
        #expect(report.txPower.dBm == nil)
        #expect(report.rssi.dBm == -37)
        #expect(report.data.count == 31)
    }

    // MARK: Connections

    @Test func createConnection() throws {
        let command = LECreateConnection {
            $0.scanInterval = ScanTime(.milliseconds(60))
            $0.scanWindow = ScanTime(.milliseconds(60))
            $0.peer = DeviceAddress(.random, Address(rawValue: 0x9078_6756_3412))
            $0.parameters.intervalMin = ConnectionInterval(.milliseconds(30))
            $0.parameters.intervalMax = ConnectionInterval(.milliseconds(50))
            $0.parameters.supervisionTimeout = SupervisionTimeout(.milliseconds(420))
        }
        #expect(command.packet == octets("010d2019600060000001123456677890001800280000002a0000000000"))
        #expect(
            try event("040f0400020d20")
                == .commandStatus(CommandStatus(LECreateConnection.opcode, .success, credits: 2)))
    }

    @Test func aFailedAttemptIsNoConnection() throws {
        guard case .le(.connectionComplete(let event)) = try event("043e1301020000000112345667789000000000000000")
        else { throw NotAnEvent() }
        #expect(event.status == .unknownConnectionIdentifier)
        #expect(event.peer == DeviceAddress(.random, Address(rawValue: 0x9078_6756_3412)))
        #expect(event.established == nil)
    }

    @Test func aConnection() throws {
        guard
            case .le(.connectionComplete(let event)) = try event("043e1301004100000005000000000209000000c80005"),
            let established = event.established
        else { throw NotAnEvent() }
        #expect(established.handle == ConnectionHandle(rawValue: 0x41))
        #expect(established.role == .central)
        #expect(established.interval.milliseconds == 11.25)
        #expect(established.latency == 0)
        #expect(established.supervisionTimeout.duration == .seconds(2))
        #expect(event.centralClockAccuracy == 5)
    }

    @Test func connectionUpdate() throws {
        guard case .le(.connectionUpdateComplete(let event)) = try event("043e0a03004800140001003c00")
        else { throw NotAnEvent() }
        #expect(event.handle.rawValue == 0x48)
        #expect(event.interval.rawValue == 20)
        #expect(event.latency == 1)
        #expect(event.supervisionTimeout.rawValue == 60)

        let command = LEConnectionUpdate {
            $0.handle = ConnectionHandle(rawValue: 0x47)
            $0.parameters.intervalMin = ConnectionInterval(rawValue: 10)
            $0.parameters.intervalMax = ConnectionInterval(rawValue: 20)
            $0.parameters.latency = 1
            $0.parameters.supervisionTimeout = SupervisionTimeout(rawValue: 60)
            $0.minCELength = 1
            $0.maxCELength = 0xFFFF
        }
        #expect(command.packet == octets("0113200e47000a00140001003c000100ffff"))
    }

    @Test func disconnection() throws {
        let command = Disconnect {
            $0.handle = ConnectionHandle(rawValue: 0x234)
            $0.reason = .remoteUserTerminated
        }
        // The published packet has a bit set above the 12 of a handle: 0x1234.
        #expect(command.packet == octets("01060403340213"))
        #expect(try Disconnect(decoding: octets("341213")) == command)

        guard case .disconnectionComplete(let event) = try event("04050400400016") else { throw NotAnEvent() }
        #expect(event.status == .success)
        #expect(event.handle.rawValue == 0x40)
        #expect(event.reason == .terminatedByLocalHost)
    }

    @Test func remoteFeatures() throws {
        guard case .le(.readRemoteFeaturesComplete(let event)) = try event("043e0c040041001d00000000000000")
        else { throw NotAnEvent() }
        #expect(event.handle.rawValue == 0x41)
        #expect(event.features == [.encryption, .extendedReject, .peripheralInitiatedFeaturesExchange, .ping])
    }

    // MARK: Others

    @Test func localVersion() throws {
        guard case .commandComplete(let event) = try event("040e0c010110000900100931010c22") else { throw NotAnEvent() }
        #expect(event.credits == 1)
        #expect(event.opcode == ReadLocalVersionInformation.opcode)
        let version = try ReadLocalVersionInformation.result(event.returnParameters)
        #expect(version.hciVersion.description == "Bluetooth 5.0")
        #expect(version.hciSubversion == 0x1000)
        #expect(version.linkVersion.rawValue == 9)
        #expect(version.manufacturer == 0x0131)
        #expect(version.linkSubversion == 0x220C)
        #expect(
            CommandComplete(ReadLocalVersionInformation.self, version).packet
                == octets("040e0c010110000900100931010c22"))
    }

    @Test func completedPackets() throws {
        guard case .numberOfCompletedPackets(let event) = try event("0413050103000300") else { throw NotAnEvent() }
        #expect(event.completions == [.init(ConnectionHandle(rawValue: 3), count: 3)])
    }

    @Test func data() throws {
        let text = "024caf14001000050008000c00414141414141414141414141"
        let packet = try Packet(decoding: octets(text))
        #expect(
            packet
                == .acl(
                    ACLPacket(
                        handle: ConnectionHandle(rawValue: 0xF4C), boundary: .firstFlushable, broadcast: 2,
                        payload: octets("1000050008000c00414141414141414141414141"))))
        #expect(packet.encoded == octets(text))
        let response = "0248201b001700040009070200020300002a0400020500012a0600020700042a"
        #expect(try Packet(decoding: octets(response)).encoded == octets(response))
    }

    @Test func anAddressIsWrittenBackwards() throws {
        let command = LEAddDeviceToFilterAcceptList {
            $0.device = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
        }
        #expect(command.packet == octets("0111200701 01f4f3f2f1f0"))
    }
}
