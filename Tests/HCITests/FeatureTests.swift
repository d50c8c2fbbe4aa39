import HCI
import TestSupport
import Testing
import Wire

@Suite struct FeatureTests {
    @Test func masksKeepWhatAHostCannotDoWithout() {
        for code in [
            EventCode.disconnectionComplete, .numberOfCompletedPackets, .commandComplete, .commandStatus,
            .hardwareError,
            .leMeta, .encryptionChange, .encryptionKeyRefreshComplete,
        ] { #expect(EventMask.central.contains(code)) }
        #expect(!EventMask.central.contains(EventCode(rawValue: 0x02)))
        // Disconnection 4, Encryption Change 7, Remote Version 11, Command Complete 13 and Status 14, Hardware Error 15, Number Of
        // Completed Packets 18, Data Buffer Overflow 25, Key Refresh 47, LE Meta 61.
        let command = SetEventMask { $0.mask = .central }
        #expect(command.packet == octets("01 010c 08 90e8 0402 0080 0020"))
    }

    @Test func maskBitsAreOneBelowTheCode() {
        #expect(EventMask([EventCode(rawValue: 1)]).rawValue == 1)
        #expect(EventMask([.leMeta]).rawValue == 1 << 61)
        #expect(EventMask([EventCode(rawValue: 0), .vendorSpecific]).rawValue == 0)
        #expect(!EventMask(rawValue: .max).contains(.vendorSpecific))
        #expect(!EventMask(rawValue: .max).contains(EventCode(rawValue: 0)))
        #expect(LEEventMask([.enhancedConnectionCompleteV2]).rawValue == 1 << 40)
        #expect(!LEEventMask(rawValue: .max).contains(LESubevent(rawValue: 0xFF)))
    }

    @Test func leEventsAreAskedForAsTheControllerHasThem() {
        #expect(LEEventMask.central([]).rawValue == 0x1F)
        #expect(LEEventMask.central(.connectionParametersRequest).rawValue == 0x3F)
        let modern = LEEventMask.central([.extendedAdvertising, .le2M, .dataPacketLengthExtension])
        #expect(
            modern.isSuperset(
                of: LEEventMask([
                    .advertisingReport, .extendedAdvertisingReport, .connectionComplete, .enhancedConnectionComplete,
                    .phyUpdateComplete, .dataLengthChange, .scanTimeout,
                ])))
        #expect(!modern.contains(LESubevent.readLocalP256PublicKeyComplete))
    }

    @Test func supportedCommandsAreFoundByOpcode() {
        var commands = SupportedCommands()
        #expect(commands.octets.count == 64)
        #expect(commands.opcodes.isEmpty)
        // Bits as the specification numbers them (octet, bit): Disconnect 0.5, LE Set Extended Scan Enable 37.6.
        commands.octets[0] = 1 << 5
        commands.octets[37] = 1 << 6
        #expect(commands.contains(Disconnect.self))
        #expect(commands.contains(LESetExtendedScanEnable.self))
        #expect(!commands.contains(LESetExtendedScanParameters.self))
        #expect(commands.opcodes == [Disconnect.opcode, LESetExtendedScanEnable.opcode])
        #expect(!SupportedCommands().contains(Opcode(rawValue: 0xFFFF)))
        commands.octets = []
        #expect(!commands.contains(Disconnect.self))
    }

    @Test func everyCommandHereHasABit() {
        for command in KnownPackets.commands {
            let commands = SupportedCommands([command.opcode])
            #expect(commands.contains(command.opcode), "\(command)")
            #expect(commands.opcodes == [command.opcode], "\(command)")
            #expect(commands.octets.reduce(0) { $0 + $1.nonzeroBitCount } == 1)
        }
    }

    @Test func bitsStandWhereTheSpecificationPutsThem() {
        for (opcode, octet, bit) in [
            (Reset.opcode, 5, 7), (SetEventMask.opcode, 5, 6), (ReadLocalVersionInformation.opcode, 14, 3),
            (ReadBufferSize.opcode, 14, 7), (ReadBDADDR.opcode, 15, 1), (ReadRSSI.opcode, 15, 5),
            (SetEventMaskPage2.opcode, 22, 2), (WriteLEHostSupport.opcode, 24, 6), (LESetEventMask.opcode, 25, 0),
            (LESetRandomAddress.opcode, 25, 4), (LESetScanEnable.opcode, 26, 3), (LECreateConnection.opcode, 26, 4),
            (LEConnectionUpdate.opcode, 27, 2), (LEReadSupportedStates.opcode, 28, 3),
            (LERemoteConnectionParameterRequestReply.opcode, 33, 4), (LESetDataLength.opcode, 33, 6),
            (LEReadLocalP256PublicKey.opcode, 34, 1), (LESetAddressResolutionEnable.opcode, 35, 1),
            (LESetPHY.opcode, 35, 6), (LEExtendedCreateConnection.opcode, 37, 7), (LEReadBufferSizeV2.opcode, 41, 5),
        ] { #expect(SupportedCommands([opcode]).octets[octet] == 1 << bit, "\(opcode)") }
    }

    @Test func connectionParametersFollowTheRules() {
        func valid(_ min: UInt16, _ max: UInt16, _ latency: UInt16, _ timeout: UInt16) -> Bool {
            ConnectionParameters {
                $0.intervalMin = ConnectionInterval(rawValue: min)
                $0.intervalMax = ConnectionInterval(rawValue: max)
                $0.latency = latency
                $0.supervisionTimeout = SupervisionTimeout(rawValue: timeout)
            }.isValid
        }
        #expect(valid(6, 3200, 0, 3200))
        #expect(valid(40, 56, 0, 500))
        #expect(!valid(5, 6, 0, 500))
        #expect(!valid(6, 3201, 0, 3200))
        #expect(!valid(20, 10, 0, 500))
        #expect(!valid(6, 6, 500, 3200))
        #expect(!valid(6, 6, 0, 9))
        #expect(!valid(6, 6, 0, 3201))
        // 1 s of supervision against 2 · 1 · 500 ms; one unit more is enough.
        #expect(!valid(400, 400, 0, 100))
        #expect(valid(400, 400, 0, 101))
        #expect(!valid(.max, .max, .max, .max))
    }
}
