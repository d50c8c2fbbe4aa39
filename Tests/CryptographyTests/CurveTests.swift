import Cryptography
import SMP
import TestSupport
import Testing

/// Diffie-Hellman on P-256: published keys first, hostile ones second.
@Suite struct CurveTests {
    private let toolbox = LibcryptoToolbox()
    /// The keys that everybody knows (Core Vol 3, Part H, 2.3.5.6.1).
    private let debugKey = octets("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd")
    private let debugPoint = PublicKey(
        x: octets("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6"),
        y: octets("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"))

    @Test func publicKeyOfAPrivateOne() throws {
        #expect(try toolbox.keyPair(privateKey: debugKey).publicKey == debugPoint)
    }

    /// google/bumble tests/smp_test.py.
    @Test func sharedSecret() throws {
        let own = try toolbox.keyPair(
            privateKey: octets("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd"))
        #expect(own.publicKey.x == octets("1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190"))
        #expect(own.publicKey.y == octets("4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a"))
        let secret = octets("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
        #expect(try toolbox.sharedSecret(of: own, with: debugPoint) == secret)
        #expect(try toolbox.sharedSecret(of: toolbox.keyPair(privateKey: debugKey), with: own.publicKey) == secret)
    }

    @Test func newKeysAreNewAndAgree() throws {
        let first = try toolbox.makeKeyPair()
        let second = try toolbox.makeKeyPair()
        #expect(first.privateKey != second.privateKey)
        #expect(try toolbox.keyPair(privateKey: first.privateKey) == first)
        let secret = try toolbox.sharedSecret(of: first, with: second.publicKey)
        #expect(try toolbox.sharedSecret(of: second, with: first.publicKey) == secret)
    }

    @Test func pointsElsewhereAreRefused() throws {
        let own = try toolbox.makeKeyPair()
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        var elsewhere = debugPoint
        elsewhere.y[31] ^= 1
        // y = 0: the attack of CVE-2018-5383, whose shared secret is the same in half of all cases.
        let points = [
            elsewhere, PublicKey(x: debugPoint.x, y: zero), PublicKey(x: zero, y: zero), PublicKey(x: ones, y: ones),
            PublicKey(x: debugPoint.y, y: debugPoint.x),
        ]
        for point in points {
            #expect(throws: ToolboxError.notOnCurve) { try toolbox.sharedSecret(of: own, with: point) }
        }
    }

    @Test func privateKeysOutsideTheOrderAreRefused() {
        let order = octets("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        for key in [[UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 0xFF, count: 32)] {
            #expect(throws: ToolboxError.self) { try toolbox.keyPair(privateKey: key) }
        }
    }

    /// What libcrypto would read beyond the end of.
    @Test func wrongLengthsAreRefused() throws {
        let own = try toolbox.makeKeyPair()
        let short = [UInt8](repeating: 1, count: 15)
        let key = [UInt8](repeating: 1, count: 16)
        #expect(throws: ToolboxError.self) { try toolbox.encrypt(short, key: key) }
        #expect(throws: ToolboxError.self) { try toolbox.encrypt(key, key: short) }
        #expect(throws: ToolboxError.self) { try toolbox.authenticate(key, key: short) }
        #expect(throws: ToolboxError.self) { try toolbox.keyPair(privateKey: key) }
        #expect(throws: ToolboxError.self) {
            try toolbox.sharedSecret(of: own, with: PublicKey(x: key, y: debugPoint.y))
        }
        #expect(throws: ToolboxError.self) {
            try toolbox.sharedSecret(of: own, with: PublicKey(x: debugPoint.x, y: key))
        }
    }
}
