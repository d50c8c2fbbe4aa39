import Cryptography
import HCI
import SMP
import TestSupport
import Testing
import Wire

/// Pairing's functions against the examples of the specification (Core Vol 3, Part H, 2.2 and App. D; google/bumble
/// tests/smp_test.py and bluez unit/test-crypto.c have them too).
@Suite struct FunctionVectors {
    private let toolbox = LibcryptoToolbox()
    private let u = octets("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    private let v = octets("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    private let n1 = octets("d5cb8454d177733effffb2ec712baeab")
    private let n2 = octets("a6e8e7cc25a75f6e216583f7ff3dc4cf")
    private let a1 = DeviceAddress(.public, Address(rawValue: 0x5612_3737_BFCE))
    private let a2 = DeviceAddress(.public, Address(rawValue: 0xA713_702D_CFC1))
    private let macKey = octets("2965f176a1084a02fd3f6a20ce636e20")

    @Test func c1() throws {
        let confirm = try toolbox.c1(
            k: [UInt8](repeating: 0, count: 16), r: octets("5783D52156AD6F0E6388274EC6702EE0"),
            request: octets("07071000000101").reversed(), response: octets("05000800000302").reversed(),
            initiator: DeviceAddress(.random, Address(rawValue: 0xA1A2_A3A4_A5A6)),
            responder: DeviceAddress(.public, Address(rawValue: 0xB1B2_B3B4_B5B6)))
        #expect(confirm == octets("1e1e3fef878988ead2a74dc5bef13b86"))
    }

    @Test func s1() throws {
        let key = try toolbox.s1(
            k: [UInt8](repeating: 0, count: 16), r1: octets("000F0E0D0C0B0A091122334455667788"),
            r2: octets("010203040506070899AABBCCDDEEFF00"))
        #expect(key == octets("9a1fe1f0e8b0f49b5b4216ae796da062"))
    }

    @Test func f4() throws {
        #expect(try toolbox.f4(u: u, v: v, x: n1, z: 0) == octets("f2c916f107a9bd1cf1eda1bea974872d"))
    }

    @Test func f5() throws {
        let w = octets("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
        let keys = try toolbox.f5(w: w, n1: n1, n2: n2, a1: a1, a2: a2)
        #expect(keys.macKey == macKey)
        #expect(keys.longTermKey == octets("6986791169d7cd23980522b594750a38"))
    }

    @Test func f6() throws {
        let check = try toolbox.f6(
            w: macKey, n1: n1, n2: n2, r: octets("12a3343bb453bb5408da42d20c2d0fc8"),
            ioCapabilities: octets("010102"), a1: a1, a2: a2)
        #expect(check == octets("e3c473989cd0e8c5d26c0b09da958f61"))
    }

    @Test func g2() throws {
        #expect(try toolbox.g2(u: u, v: v, x: n1, y: n2).description == "938554")
    }

    @Test func h6() throws {
        let key = try toolbox.h6(w: octets("ec0234a357c8ad05341010a60a397d9b"), keyID: octets("6c656272"))
        #expect(key == octets("2d9ae102e76dc91ce8d3a9e280b16399"))
    }

    @Test func h7() throws {
        let key = try toolbox.h7(
            salt: octets("000000000000000000000000746D7031"), w: octets("ec0234a357c8ad05341010a60a397d9b"))
        #expect(key == octets("fb173597c6a3c0ecd2998c2a75a57011"))
    }

    /// A BR/EDR link key from the long term key (App. D.9 and D.10), which this host never makes: h6 and h7 one behind the other.
    @Test func linkKey() throws {
        let ltk = octets("368df9bce3264b58bd066c33334fbf64")
        let lebr = Array("lebr".utf8)
        let before = try toolbox.h6(w: ltk, keyID: Array("tmp1".utf8))
        #expect(try toolbox.h6(w: before, keyID: lebr) == octets("bc1ca4ef633fc1bd0d8230afee388fb0"))
        let salt = [UInt8](repeating: 0, count: 12) + Array("tmp1".utf8)
        let withSalt = try toolbox.h7(salt: salt, w: ltk)
        #expect(try toolbox.h6(w: withSalt, keyID: lebr) == octets("287ad379dca402530a39f1f43047b835"))
    }

    @Test func ah() throws {
        let irk = octets("ec0234a357c8ad05341010a60a397d9b")
        #expect(try toolbox.ah(k: irk, r: 0x708194) == 0x0DFBAA)
        let key = try #require(SecretKey(irk.reversed()))
        #expect(try toolbox.resolves(#require(Address("70:81:94:0D:FB:AA")), with: key))
        #expect(try !toolbox.resolves(#require(Address("70:81:94:0D:FB:AB")), with: key))
        #expect(try !toolbox.resolves(#require(Address("70:81:95:0D:FB:AA")), with: key))
        let other = try #require(SecretKey(irk))
        #expect(try !toolbox.resolves(#require(Address("70:81:94:0D:FB:AA")), with: other))
    }

    /// Only the two top bits tell a resolvable address; a hash that fits by chance is none.
    @Test(arguments: [UInt64(0x00), 0x80, 0xC0]) func otherKindsDoNotResolve(_ top: UInt64) throws {
        let irk = octets("ec0234a357c8ad05341010a60a397d9b")
        let prand = UInt32(top << 16 | 0x308194)
        let hash = try toolbox.ah(k: irk, r: prand)
        let key = try #require(SecretKey(irk.reversed()))
        #expect(try !toolbox.resolves(Address(rawValue: UInt64(prand) << 24 | UInt64(hash)), with: key))
    }

    @Test func addressesOfOnesOwn() throws {
        let key = try #require(SecretKey(octets("ec0234a357c8ad05341010a60a397d9b")))
        let other = try #require(SecretKey(octets("00000000000000000000000000000001")))
        var seen: Set<Address> = []
        for _ in 0..<50 {
            let resolvable = try toolbox.makeResolvableAddress(with: key)
            #expect(resolvable.randomness == .resolvable)
            #expect(try toolbox.resolves(resolvable, with: key))
            #expect(try !toolbox.resolves(resolvable, with: other))
            let unknown = try toolbox.makeNonResolvableAddress()
            #expect(unknown.randomness == .nonResolvable)
            seen.formUnion([resolvable, unknown])
        }
        #expect(seen.count == 100)
    }

    /// A generator that always gives the same bits makes no address, and no endless loop.
    @Test(arguments: [UInt8(0x00), 0xFF]) func bitsThatAreAllAlikeAreRefused(_ octet: UInt8) throws {
        let toolbox = StuckToolbox(octet: octet)
        let key = try #require(SecretKey([UInt8](repeating: 7, count: 16)))
        #expect(throws: ToolboxError.self) { try toolbox.makeResolvableAddress(with: key) }
        #expect(throws: ToolboxError.self) { try toolbox.makeNonResolvableAddress() }
    }
}

/// A toolbox whose random generator is broken.
private struct StuckToolbox: SecurityToolbox {
    let octet: UInt8
    private let base = LibcryptoToolbox()

    init(octet: UInt8) { self.octet = octet }

    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { try base.encrypt(block, key: key) }
    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.authenticate(message, key: key)
    }
    func makeKeyPair() throws(ToolboxError) -> KeyPair { try base.makeKeyPair() }
    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair { try base.keyPair(privateKey: privateKey) }
    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try base.sharedSecret(of: own, with: peer)
    }
    func random(_ count: Int) -> [UInt8] { [UInt8](repeating: octet, count: count) }
}
