import HCI
import Wire

/// What a phone asks and tells a controller when Bluetooth is switched on.
enum StartUp {
    static func record(on tape: inout Tape) {
        tape.run(Reset())
        tape.run(
            ReadLocalVersionInformation(),
            .init {
                ($0.hciVersion, $0.linkVersion) = (SpecificationVersion(rawValue: 9), SpecificationVersion(rawValue: 9))
                $0.manufacturer = 0x001D
            })
        tape.run(ReadLocalSupportedCommands(), .init { $0.commands.octets = Array(repeating: 0xFF, count: 30) })
        tape.run(ReadLocalExtendedFeatures(), .init { ($0.lastPage, $0.features) = (2, 0x875B_3FD8_FE8F_FEFF) })
        tape.run(ReadBufferSize(), .init { ($0.aclLength, $0.aclCount) = (1024, 7) })
        tape.run(HostBufferSize { ($0.aclLength, $0.aclCount) = (1691, 20) })
        tape.run(ReadBDADDR(), .init { $0.address = Address(rawValue: 0xEA6E_3D6B_DBFF) })
        tape.run(LEReadBufferSize(), .init { ($0.aclLength, $0.aclCount) = (251, 16) })
        tape.run(LEReadLocalSupportedFeatures(), .init { $0.features = LEFeatures(rawValue: 0x75FF) })
        tape.run(LEReadSupportedStates(), .init { $0.states = LEStates(rawValue: 0x03FF_FFFF_FFFF) })
        tape.run(LEReadFilterAcceptListSize(), .init { $0.size = 128 })
        tape.run(LEReadResolvingListSize(), .init { $0.size = 32 })
        tape.run(LEReadMaximumAdvertisingDataLength(), .init { $0.length = 1650 })
        tape.run(LEReadNumberOfSupportedAdvertisingSets(), .init { $0.count = 16 })
        tape.run(LEReadSuggestedDefaultDataLength(), .init { ($0.txOctets, $0.txTime) = (27, 328) })
        tape.run(LESetEventMask { $0.mask = LEEventMask(rawValue: 0x000B_FE7F) })
        tape.run(SetEventMask { $0.mask = EventMask(rawValue: 0x3DBF_F807_FFFF_FFFF) })
        tape.run(WriteLEHostSupport { $0.isSupported = true })
        tape.run(WriteSimplePairingMode { $0.isEnabled = true })
        tape.run(WriteSecureConnectionsHostSupport { $0.isSupported = true })
        tape.run(WriteClassOfDevice { $0.classOfDevice = ClassOfDevice(rawValue: 0x5A020C) })
        tape.run(WriteLocalName { $0.localName = Array("A phone".utf8) })
        tape.run(WriteVoiceSetting { $0.setting = VoiceSetting(rawValue: 0x0060) })
        tape.run(WritePageTimeout { $0.timeout = 0x2000 })
        tape.run(WriteScanEnable { $0.scans = ScanEnable(rawValue: 2) })
        tape.run(LESetRandomAddress { $0.address = Address(rawValue: 0x7C0E_DD22_9F7B) })
    }
}
