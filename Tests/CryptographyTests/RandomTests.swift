import Cryptography
import SMP
import Testing

@Suite struct RandomTests {
    @Test func asManyAsWanted() throws {
        let toolbox = LibcryptoToolbox()
        #expect(try toolbox.random(0) == [])
        #expect(try toolbox.random(-1) == [])
        #expect(try toolbox.random(16).count == 16)
        #expect(try Set((0..<100).map { _ in try toolbox.random(16) }).count == 100)
    }

    @Test func theSameSeedTheSameNumbers() throws {
        let (first, again, other) = (SeededToolbox(seed: 1), SeededToolbox(seed: 1), SeededToolbox(seed: 2))
        let numbers = first.random(40)
        #expect(numbers.count == 40)
        #expect(first.random(0) == [])
        #expect(again.random(40) == numbers)
        #expect(other.random(40) != numbers)
        let pair = try first.makeKeyPair()
        #expect(try again.makeKeyPair() == pair)
        #expect(try other.makeKeyPair() != pair)
        #expect(try first.makeKeyPair() != pair)
    }

    /// All that is not random is the other toolbox's.
    @Test func theRestIsLibcryptos() throws {
        let (seeded, plain) = (SeededToolbox(seed: 3), LibcryptoToolbox())
        let key = seeded.random(16)
        #expect(try seeded.encrypt(key, key: key) == plain.encrypt(key, key: key))
        #expect(try seeded.authenticate([1, 2, 3], key: key) == plain.authenticate([1, 2, 3], key: key))
        let own = try seeded.makeKeyPair()
        #expect(try plain.keyPair(privateKey: own.privateKey) == own)
        #expect(try seeded.keyPair(privateKey: own.privateKey) == own)
        let peer = try plain.makeKeyPair()
        let secret = try plain.sharedSecret(of: own, with: peer.publicKey)
        #expect(try seeded.sharedSecret(of: own, with: peer.publicKey) == secret)
    }
}
