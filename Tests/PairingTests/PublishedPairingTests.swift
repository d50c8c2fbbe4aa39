import Cryptography
import HCI
import TestSupport
import Testing
import Wire

@testable import SMP

/// The responder's part of a published pairing, octet for octet as on air: LE Secure Connections, Just Works
/// (apache/mynewt-nimble nimble/host/test/src/ble_sm_sc_test.c, peer_jw_iio3_rio3).
@Suite struct PublishedPairingTests {
    @Test func theResponderSaysWhatWasPublished() throws {
        var configuration = SecurityManager.Configuration(
            role: .peripheral, ownAddress: DeviceAddress(.public, Address(rawValue: 0x0A45_0011_2233)),
            peerAddress: DeviceAddress(.public, Address(rawValue: 0xE094_67A0_61CA)))
        configuration.policy.isBonding = true
        let privateKey = octets("548d20b8970bbc439aad106f6074d46a55c17a178b60e0b45ae658f1ea12d9fb")
        let random = octets("c091fbb377a2020bc6cd6c0451454539")
        let toolbox = ScriptedToolbox(privateKey: privateKey.reversed(), random: random.reversed())
        var manager = SecurityManager(configuration, bond: nil, toolbox: toolbox)

        func answers(_ payload: String) -> [[UInt8]] {
            var effects: [SecurityManager.Effect] = []
            manager.receive(octets(payload).span, at: .zero, into: &effects)
            return effects.compactMap { if case .transmit(let pdu) = $0 { pdu.encoded } else { nil } }
        }

        #expect(answers("01 03 00 09 10 0d 0f") == [octets("02 03 00 09 10 04 00")])
        #expect(
            answers(
                "0c bcf2d8a5dba3956c99f9110d4d2ef0bdee9b69b6cd8874be40e8e5ccdc884453"
                    + "bfa9820e187a14f877fd8e922af85d39d16d921f387499dc6c2c9423f97256ab") == [
                    octets(
                        "0c 728cd188d7be49b2c55c95b364e01232b6c9476337385b9c1e1b1a0609e23185"
                            + "193a296962d630e7e84863dc00730a707d2e29cc917771b175b8f7dcb0e29110"),
                    octets("03 82edd062913d967f13c50d022b5e4316"),
                ])
        #expect(answers("04 a4345fb3af734364cd191b5b87583166") == [octets("04 c091fbb377a2020bc6cd6c0451454539")])
        #expect(answers("0d 82651d02ed891344041a147c329a1e7d") == [octets("0d 063c284ae5484b51654e145e2fddfa22")])

        var effects: [SecurityManager.Effect] = []
        manager.handle(.keyRequested(random: 0, encryptedDiversifier: 0), at: .zero, into: &effects)
        #expect(effects == [.provide(SecretKey(octets("63598a14094b946effae5e538602a36c")))])
    }
}

/// libcrypto with the published keys and random values instead of new ones.
private struct ScriptedToolbox: SecurityToolbox {
    let privateKey: [UInt8]
    let random: [UInt8]
    private let base = LibcryptoToolbox()

    init(privateKey: [UInt8], random: [UInt8]) {
        self.privateKey = privateKey
        self.random = random
    }

    func makeKeyPair() throws(ToolboxError) -> KeyPair { try base.keyPair(privateKey: privateKey) }
    func random(_ count: Int) -> [UInt8] { random }
    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { try base.encrypt(block, key: key) }
    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.authenticate(message, key: key)
    }
    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair { try base.keyPair(privateKey: privateKey) }
    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try base.sharedSecret(of: own, with: peer)
    }
}
