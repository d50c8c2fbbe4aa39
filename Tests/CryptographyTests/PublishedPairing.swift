import Cryptography
import HCI
import SMP
import TestSupport
import Testing
import Wire

/// The functions in their places in a whole pairing: LE Secure Connections, Just Works (apache/mynewt-nimble
/// nimble/host/test/src/ble_sm_sc_test.c, peer_jw_iio3_rio3). Octets as on air.
@Suite struct PublishedPairing {
    private let toolbox = LibcryptoToolbox()
    private let initiator = DeviceAddress(.public, Address(rawValue: 0xE094_67A0_61CA))
    private let responder = DeviceAddress(.public, Address(rawValue: 0x0A45_0011_2233))
    private let peer = PublicKey(
        x: reversed("bcf2d8a5dba3956c99f9110d4d2ef0bdee9b69b6cd8874be40e8e5ccdc884453"),
        y: reversed("bfa9820e187a14f877fd8e922af85d39d16d921f387499dc6c2c9423f97256ab"))
    private let own = KeyPair(
        privateKey: reversed("548d20b8970bbc439aad106f6074d46a55c17a178b60e0b45ae658f1ea12d9fb"),
        publicKey: PublicKey(
            x: reversed("728cd188d7be49b2c55c95b364e01232b6c9476337385b9c1e1b1a0609e23185"),
            y: reversed("193a296962d630e7e84863dc00730a707d2e29cc917771b175b8f7dcb0e29110")))
    private let na = reversed("a4345fb3af734364cd191b5b87583166")
    private let nb = reversed("c091fbb377a2020bc6cd6c0451454539")

    @Test func theKeysBelongTogether() throws {
        #expect(try toolbox.keyPair(privateKey: own.privateKey) == own)
    }

    @Test func confirm() throws {
        let cb = try toolbox.f4(u: own.publicKey.x, v: peer.x, x: nb, z: 0)
        #expect(cb == reversed("82edd062913d967f13c50d022b5e4316"))
    }

    @Test func number() throws {
        #expect(try toolbox.g2(u: peer.x, v: own.publicKey.x, x: na, y: nb).description == "171410")
    }

    @Test func keysAndChecks() throws {
        let secret = try toolbox.sharedSecret(of: own, with: peer)
        #expect(secret == octets("5d6ba83a2a8f82375ababe350a7872645e64431ca15cd59eedb83828fd9ef575"))
        let (macKey, ltk) = try toolbox.f5(w: secret, n1: na, n2: nb, a1: initiator, a2: responder)
        #expect(ltk == reversed("63598a14094b946effae5e538602a36c"))
        let zeros = [UInt8](repeating: 0, count: 16)
        let capabilities = octets("090003")
        let ea = try toolbox.f6(
            w: macKey, n1: na, n2: nb, r: zeros, ioCapabilities: capabilities, a1: initiator, a2: responder)
        #expect(ea == reversed("82651d02ed891344041a147c329a1e7d"))
        let eb = try toolbox.f6(
            w: macKey, n1: nb, n2: na, r: zeros, ioCapabilities: capabilities, a1: responder, a2: initiator)
        #expect(eb == reversed("063c284ae5484b51654e145e2fddfa22"))
    }
}

/// Octets of a PDU in the order of the toolbox.
private func reversed(_ text: String) -> [UInt8] { octets(text).reversed() }
