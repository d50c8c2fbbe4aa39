import HCI
import Wire

// Controllers that are difficult, with a plain strap.
extension Scenario {
    static let controllers: [Scenario] = [
        controller("legacy", "a Bluetooth 4.0 controller without extended scanning, with four small buffers") {
            $0 = .oldest
        },
        controller("classic-buffers", "a controller whose LE data goes through the buffers of BR/EDR") {
            $0 = .oldest
            $0.lowEnergyBuffers = .init(count: 0, length: 0)
            $0.classicBuffers = .init(count: 6, length: 310)
        },
        controller("boasting", "a controller that claims commands and refuses them (0x01)") {
            for opcode in Opcode.dispensable { $0.refused[opcode] = .unknownCommand }
        },
        controller("stalling", "a controller that claims commands and never answers them") {
            $0.unanswered = Set(Opcode.dispensable)
        },
        controller("silent", "a controller that answers nothing") { $0.isSilent = true },
    ]

    private static func controller(
        _ name: String, _ summary: String, _ adjust: (inout ControllerPlan) -> Void
    ) -> Scenario {
        var plan = ControllerPlan()
        adjust(&plan)
        return Scenario(name: name, summary: summary, controller: plan, straps: [.simulated(1)])
    }
}

extension ControllerPlan {
    /// A Bluetooth 4.0 dongle: legacy commands alone, one radio activity at a time, and the old event mask taken at its word.
    public static var oldest: ControllerPlan {
        var plan = ControllerPlan()
        plan.version = SpecificationVersion(rawValue: 0x06)
        plan.features = .oldest
        plan.commands = .oldest
        plan.lowEnergyBuffers = Buffers(count: 4, length: 27)
        plan.classicBuffers = Buffers(count: 4, length: 310)
        plan.mostConnections = 4
        plan.filterAcceptListSize = 8
        plan.resolvingListSize = 0
        plan.duplicateFilterSize = 16
        plan.scansWhileInitiating = false
        plan.masksCompletedPackets = true
        return plan
    }
}

extension Opcode {
    /// Commands that a host can do without.
    static let dispensable: [Opcode] = [
        SetEventMaskPage2.opcode, WriteLEHostSupport.opcode, LEReadSupportedStates.opcode,
        LEReadSuggestedDefaultDataLength.opcode, LEWriteSuggestedDefaultDataLength.opcode,
        LEReadMaximumDataLength.opcode, LEReadResolvingListSize.opcode, LEClearResolvingList.opcode,
        LESetAddressResolutionEnable.opcode, LESetResolvablePrivateAddressTimeout.opcode, LESetDefaultPHY.opcode,
        LEReadFilterAcceptListSize.opcode, LEClearFilterAcceptList.opcode, LEReadBufferSizeV2.opcode, LERand.opcode,
        ReadRSSI.opcode,
    ]
}
