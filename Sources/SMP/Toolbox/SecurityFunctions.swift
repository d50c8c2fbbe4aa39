public import HCI
import Wire

/// The functions of pairing (Core Vol 3, Part H, 2.2), with the specification's names for them and what they take.
///
/// Octets are in the order of its text, the most significant first.
extension SecurityToolbox {
    /// The confirm value of legacy pairing (2.2.3).
    ///
    /// - Parameters:
    ///   - k: the temporary key
    ///   - r: the random value that is committed to
    ///   - request: the Pairing Request, 7 octets as on the wire
    ///   - response: the Pairing Response, 7 octets as on the wire
    public func c1(
        k: [UInt8], r: [UInt8], request: [UInt8], response: [UInt8], initiator: DeviceAddress, responder: DeviceAddress
    ) throws(ToolboxError) -> [UInt8] {
        let (initiator, responder) = (initiator.forPairing, responder.forPairing)
        let p1 = response.reversed() + request.reversed() + [responder[0], initiator[0]]
        let p2 = [0, 0, 0, 0] + initiator.dropFirst() + responder.dropFirst()
        return try encrypt(exclusiveOr(encrypt(exclusiveOr(r, p1), key: k), p2), key: k)
    }

    /// The short term key of legacy pairing (2.2.4).
    ///
    /// - Parameters:
    ///   - k: the temporary key
    ///   - r1: the responder's random value
    ///   - r2: the initiator's random value
    public func s1(k: [UInt8], r1: [UInt8], r2: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try encrypt(Array(r1.suffix(8) + r2.suffix(8)), key: k)
    }

    /// The confirm value of Secure Connections (2.2.6).
    ///
    /// - Parameters:
    ///   - u: the x coordinate of the committing side's public key
    ///   - v: that of the other side
    ///   - x: the random value that is committed to
    ///   - z: 0, or a bit of the passkey with 0x80
    public func f4(u: [UInt8], v: [UInt8], x: [UInt8], z: UInt8) throws(ToolboxError) -> [UInt8] {
        try authenticate(u + v + [z], key: x)
    }

    /// The keys of Secure Connections (2.2.7): MacKey, which proves the pairing, and the long term key.
    ///
    /// - Parameters:
    ///   - w: the shared secret, DHKey
    ///   - n1: the initiator's random value
    ///   - n2: the responder's random value
    ///   - a1: the initiator's address
    ///   - a2: the responder's address
    public func f5(
        w: [UInt8], n1: [UInt8], n2: [UInt8], a1: DeviceAddress, a2: DeviceAddress
    ) throws(ToolboxError) -> (macKey: [UInt8], longTermKey: [UInt8]) {
        let salt: [UInt8] = [
            0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
        ]
        let key = try authenticate(w, key: salt)
        // "btle" before what goes in, and the length of what comes out, 256 bits, behind it.
        let message = Array("btle".utf8) + n1 + n2 + a1.forPairing + a2.forPairing + [0x01, 0x00]
        return (try authenticate([0] + message, key: key), try authenticate([1] + message, key: key))
    }

    /// The check value of Secure Connections (2.2.8).
    ///
    /// - Parameters:
    ///   - w: MacKey
    ///   - n1: the random value of the side whose check it is
    ///   - n2: that of the other side
    ///   - r: what came by another way or from the user, or zeros
    ///   - ioCapabilities: AuthReq, OOB data flag and IO Capability of the side whose check it is
    ///   - a1: the address of the side whose check it is
    ///   - a2: that of the other side
    public func f6(
        w: [UInt8], n1: [UInt8], n2: [UInt8], r: [UInt8], ioCapabilities: [UInt8], a1: DeviceAddress, a2: DeviceAddress
    ) throws(ToolboxError) -> [UInt8] {
        try authenticate(n1 + n2 + r + ioCapabilities + a1.forPairing + a2.forPairing, key: w)
    }

    /// The number that both sides show for numeric comparison (2.2.9).
    ///
    /// - Parameters:
    ///   - u: the x coordinate of the initiator's public key
    ///   - v: that of the responder's
    ///   - x: the initiator's random value
    ///   - y: the responder's random value
    public func g2(u: [UInt8], v: [UInt8], x: [UInt8], y: [UInt8]) throws(ToolboxError) -> Passkey {
        let number = try authenticate(u + v + y, key: x).suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        return Passkey(remainder: number)
    }

    /// A key made from another, for a purpose of four octets (2.2.10).
    public func h6(w: [UInt8], keyID: [UInt8]) throws(ToolboxError) -> [UInt8] { try authenticate(keyID, key: w) }

    /// A key made from another, with a salt (2.2.11).
    public func h7(salt: [UInt8], w: [UInt8]) throws(ToolboxError) -> [UInt8] { try authenticate(w, key: salt) }
}

/// The exclusive or of octets, as far as both go.
private func exclusiveOr(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }

extension DeviceAddress {
    /// The address as the functions take it (Core Vol 3, Part H, 2.2.3 and 2.2.7): 0 for public or 1 for random, then six octets,
    /// the most significant first.
    fileprivate var forPairing: [UInt8] {
        [kind.withoutIdentity == .public ? 0 : 1] + address.littleEndian.reversed()
    }
}
