import HCI

/// Where in HCI commands and events keys stand, and what keys are made of: octets of their parameters.
///
/// It lists also what the parts of the host do not use, as captures come from other hosts, too.
enum KeyPlaces {
    private static let all = 0..<255

    /// In the parameters of a command (Core Vol 4, Part E, 7.1, 7.3 and 7.8).
    static func ofCommand(_ opcode: Opcode) -> Range<Int>? {
        if opcode.isVendorSpecific { return all }
        return commands[opcode.rawValue]
    }

    /// In what a command returns, its status counted.
    static func ofReturn(_ opcode: Opcode) -> Range<Int>? {
        if opcode.isVendorSpecific { return all }
        return returns[opcode.rawValue]
    }

    /// In the parameters of an event (Core Vol 4, Part E, 7.7).
    static func ofEvent(_ code: EventCode) -> Range<Int>? {
        switch code.rawValue {
        case 0x15: 1..<255  // Return Link Keys
        case 0x18: 6..<22  // Link Key Notification
        case EventCode.vendorSpecific.rawValue: all
        default: nil
        }
    }

    /// In the parameters of an LE event, behind its subevent code.
    static func ofLEEvent(_ subevent: LESubevent) -> Range<Int>? {
        subevent == .generateDHKeyComplete ? 1..<33 : nil
    }

    private static let commands: [UInt16: Range<Int>] = [
        0x040B: 6..<22,  // Link Key Request Reply
        0x040D: 7..<23,  // PIN Code Request Reply
        0x0430: 6..<38,  // Remote OOB Data Request Reply
        0x0435: 3..<255,  // Create Physical Link
        0x0436: 3..<255,  // Accept Physical Link
        0x0445: 6..<70,  // Remote OOB Extended Data Request Reply
        0x0C11: 1..<255,  // Write Stored Link Key
        LEEncrypt.opcode.rawValue: 0..<32,
        LEEnableEncryption.opcode.rawValue: 12..<28,
        LELongTermKeyRequestReply.opcode.rawValue: 2..<18,
        LEAddDeviceToResolvingList.opcode.rawValue: 7..<39,
        0x2068: 15..<31,  // LE Create BIG
        0x2069: 20..<36,  // LE Create BIG Test
        0x206B: 4..<20,  // LE BIG Create Sync
    ]

    private static let returns: [UInt16: Range<Int>] = [
        0x0C57: 1..<33,  // Read Local OOB Data
        0x0C7D: 1..<65,  // Read Local OOB Extended Data
        LEEncrypt.opcode.rawValue: 1..<17,
        // Hosts make keys of it.
        LERand.opcode.rawValue: 1..<9,
    ]
}
