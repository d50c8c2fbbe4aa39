import HCI
import SMP
import Wire

extension HostController {
    mutating func performInformation(_ opcode: Opcode, _ parameters: [UInt8]) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case ReadLocalVersionInformation.opcode: version.encoded
        case ReadLocalSupportedCommands.opcode: supportedCommands.encoded
        case ReadLocalSupportedFeatures.opcode: localFeatures.encoded
        case ReadBufferSize.opcode: bufferSize.encoded
        case ReadBDADDR.opcode: publicAddress.encoded
        case LEReadBufferSize.opcode: lowEnergyBufferSize.encoded
        case LEReadBufferSizeV2.opcode: lowEnergyBufferSizeV2.encoded
        case LEReadLocalSupportedFeatures.opcode: lowEnergyFeatures.encoded
        case LEReadSupportedStates.opcode: states.encoded
        case LEReadSuggestedDefaultDataLength.opcode: suggestedDataLength.encoded
        case LEReadMaximumDataLength.opcode: maximumDataLength.encoded
        case LERand.opcode: nextRandom().encoded
        case LEEncrypt.opcode: try encrypted(read(parameters)).encoded
        case .readMaximumAdvertisingDataLength: Self.success + [0x1F, 0x00]
        case .readNumberOfSupportedAdvertisingSets: Self.success + [0x01]
        case .clearAdvertisingSets: Self.success
        default: nil
        }
    }

    /// 0xFFFF is no company: nobody makes this controller.
    private var version: ReadLocalVersionInformation.ReturnParameters {
        .init {
            $0.hciVersion = plan.version
            $0.linkVersion = plan.version
            $0.manufacturer = 0xFFFF
            $0.hciSubversion = 1
            $0.linkSubversion = 1
        }
    }

    private var supportedCommands: ReadLocalSupportedCommands.ReturnParameters {
        .init { $0.commands = SupportedCommands(plan.commands) }
    }

    private var localFeatures: ReadLocalSupportedFeatures.ReturnParameters {
        .init { $0.features = plan.classicBuffers.count == 0 ? [.lowEnergy, .classicNotSupported] : [.lowEnergy] }
    }

    private var bufferSize: ReadBufferSize.ReturnParameters {
        .init {
            $0.aclLength = UInt16(clamping: plan.classicBuffers.length)
            $0.aclCount = UInt16(clamping: plan.classicBuffers.count)
        }
    }

    private var publicAddress: ReadBDADDR.ReturnParameters {
        .init { $0.address = plan.address }
    }

    private var lowEnergyBufferSize: LEReadBufferSize.ReturnParameters {
        .init {
            $0.aclLength = UInt16(clamping: plan.lowEnergyBuffers.length)
            $0.aclCount = UInt8(clamping: plan.lowEnergyBuffers.count)
        }
    }

    private var lowEnergyBufferSizeV2: LEReadBufferSizeV2.ReturnParameters {
        .init {
            $0.aclLength = UInt16(clamping: plan.lowEnergyBuffers.length)
            $0.aclCount = UInt8(clamping: plan.lowEnergyBuffers.count)
        }
    }

    private var lowEnergyFeatures: LEReadLocalSupportedFeatures.ReturnParameters {
        .init { $0.features = plan.features }
    }

    private var states: LEReadSupportedStates.ReturnParameters {
        var returned = LEReadSupportedStates.ReturnParameters()
        returned.states = [
            .passiveScanning, .activeScanning, .initiating, .passiveScanningAsCentral, .activeScanningAsCentral,
            .initiatingAsCentral,
        ]
        if plan.scansWhileInitiating {
            returned.states.formUnion([.initiatingWhilePassivelyScanning, .initiatingWhileActivelyScanning])
        }
        return returned
    }

    private var suggestedDataLength: LEReadSuggestedDefaultDataLength.ReturnParameters {
        .init {
            $0.txOctets = settings.suggestedOctets
            $0.txTime = settings.suggestedTime
        }
    }

    private var maximumDataLength: LEReadMaximumDataLength.ReturnParameters {
        .init {
            $0.txOctets = 251
            $0.txTime = 2120
            $0.rxOctets = 251
            $0.rxTime = 2120
        }
    }

    /// Blocks and keys come with their least significant octet first, the toolbox takes them the other way round.
    private func encrypted(_ command: LEEncrypt) throws(Refusal) -> LEEncrypt.ReturnParameters {
        let block = try? toolbox?.encrypt(command.plaintext.reversed(), key: command.key.reversed())
        guard let block else { throw Refusal(.hardwareFailure) }
        return .init { $0.encrypted = block.reversed() }
    }

    private mutating func nextRandom() -> LERand.ReturnParameters {
        randomCount &+= 1
        return .init { $0.random = noise.branch(1).bits(randomCount) }
    }
}
