import Cryptography
import SMP
import TestSupport
import Testing
import Wire

/// What pairing stands on, against published vectors.
@Suite struct PrimitiveVectors {
    private let toolbox = LibcryptoToolbox()

    /// The message of RFC 4493, 4.
    private static let message = octets(
        "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")

    /// FIPS 197, C.1.
    @Test func oneBlock() throws {
        let block = try toolbox.encrypt(
            octets("00112233445566778899aabbccddeeff"), key: octets("000102030405060708090a0b0c0d0e0f"))
        #expect(block == octets("69c4e0d86a7b0430d8cdb78070b4c55a"))
    }

    /// RFC 4493, 4 (google/bumble tests/smp_test.py).
    @Test(arguments: [
        (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
        (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ])
    func authentication(_ count: Int, _ expected: String) throws {
        let key = octets("2b7e151628aed2a6abf7158809cf4f3c")
        #expect(try toolbox.authenticate(Array(Self.message.prefix(count)), key: key) == octets(expected))
    }

    /// A signature goes over what is signed and the counter, all of it the other way round, and its first half is sent, the least
    /// significant octet first (Core Vol 3, Part H, 2.4.5; bluez unit/test-crypto.c sign_att_1 to 5).
    @Test(arguments: [
        ("3c4fcf098815f7aba6d2ae2816157e2b", "", 0, "b3a8594127ebc2c0"),
        ("3c4fcf098815f7aba6d2ae2816157e2b", "6bc1bee22e409f96e93d7e117393172a", 0, "273974f4392a232a"),
        (
            "3c4fcf098815f7aba6d2ae2816157e2b",
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411", 0, "b7ca94ab87c78218"
        ),
        ("3c4fcf098815f7aba6d2ae2816157e2b", Self.message.hexadecimal, 0, "44e1e6ce1df51368"),
        ("505e42df9691ec72d31fcdfbeb641b61", "d212001337", 1, "f1871e933c900ff2"),
    ])
    func signature(_ key: String, _ message: String, _ counter: UInt8, _ expected: String) throws {
        let signed = octets(message) + [counter, 0, 0, 0]
        let tag = try toolbox.authenticate(signed.reversed(), key: octets(key).reversed())
        #expect(tag.prefix(8).reversed() == octets(expected))
    }

    /// The hash over a server's attributes (Core Vol 3, Part G, App. B; bluez unit/test-crypto.c gatt_hash).
    @Test func databaseHash() throws {
        let attributes = octets(
            "010000280018020003280a0300002a04000328020500012a06000028011807000328200800052a090002290a0003280a"
                + "0b00292b0c000328020d002a2b0e00002808180f000228140016000f1810000328a21100182a12000229130000290000"
                + "140001280f1815000328021600192a")
        #expect(attributes.count == 111)
        let hash = try toolbox.authenticate(attributes, key: [UInt8](repeating: 0, count: 16))
        #expect(hash == octets("f1ca2d48ecf58bac8a8830bbb9fba990"))
    }
}
