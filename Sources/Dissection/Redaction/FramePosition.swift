import L2CAP
import SMP

/// How far the fragments of one link and direction have got in a frame, and whether what comes is a key.
///
/// Unlike a reassembler it keeps no octets: each fragment is gone on before the next one comes.
struct FramePosition {
    /// Octets of the frame that have passed, its header counted.
    private var passed = 0
    private var length = 0
    private var channel: UInt16 = 0
    private var hides = false

    /// Takes the octets of a fragment, of which some may be missing at the end.
    ///
    /// - Parameters:
    ///   - declared: octets that the fragment had
    ///   - octets: the packet
    ///   - range: where in it the fragment stands
    mutating func pass(_ octets: inout [UInt8], _ range: Range<Int>, declared: Int) {
        let start = passed
        for index in range { pass(&octets[index], at: start + index - range.lowerBound) }
        passed = start + max(declared, range.count)
        // What the recorder cut away was the header, or part of it: nobody knows what comes.
        if range.count < declared, start + range.count < Self.headerCount + 1 { hides = true }
    }

    /// Its header, and the code behind it.
    private static let headerCount = BasicFrame.headerCount

    private mutating func pass(_ octet: inout UInt8, at place: Int) {
        switch place {
        case 0: length = Int(octet)
        case 1: length |= Int(octet) << 8
        case 2: channel = UInt16(octet)
        case 3: channel |= UInt16(octet) << 8
        case Self.headerCount where Self.pairingChannels.contains(channel):
            hides = Self.keyCodes.contains(PairingCode(rawValue: octet))
        default:
            // Behind its end a frame has nothing; what stands there all the same is nothing that is known.
            if hides || place >= Self.headerCount + length { octet = 0 }
        }
    }

    /// The Security Manager's, of LE and of BR/EDR (Core Vol 3, Part A, 2.1).
    private static let pairingChannels: Set<UInt16> = [ChannelID.securityManager.rawValue, 0x0007]

    /// What is nothing but a key. Central Identification tells which key is meant, as each start of encryption does on air.
    private static let keyCodes: Set<PairingCode> = [
        .encryptionInformation, .identityInformation, .signingInformation,
    ]
}
