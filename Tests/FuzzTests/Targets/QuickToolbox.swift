import SMP
import Synchronization
import Wire

/// A toolbox that protects nothing and is quick: a pairing by it takes microseconds, and is the same each time.
///
/// It keeps to what pairing relies on: Diffie-Hellman (in a group of 61 bits) agrees, points elsewhere are refused, and whatever is
/// changed changes the result.
final class QuickToolbox: SecurityToolbox {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func random(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }

    func encrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8] { Self.digest(block + key, count: 16) }

    func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] { Self.digest(key + message, count: 16) }

    func makeKeyPair() throws(ToolboxError) -> KeyPair { try keyPair(privateKey: random(32)) }

    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair {
        KeyPair(privateKey: privateKey, publicKey: Self.point(Self.power(37, Self.exponent(privateKey))))
    }

    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        let value = peer.x.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard Self.point(value) == peer, value > 1, value < Self.prime else { throw .notOnCurve }
        let secret = Self.power(value, Self.exponent(own.privateKey))
        return Self.digest(Self.octets(secret), count: 32)
    }

    private static let prime: UInt64 = (1 << 61) - 1

    /// A number that is a power, as what looks like a point.
    private static func point(_ value: UInt64) -> PublicKey {
        let x = [UInt8](repeating: 0, count: 24) + octets(value)
        return PublicKey(x: x, y: digest(x, count: 32))
    }

    private static func exponent(_ privateKey: [UInt8]) -> UInt64 { privateKey.reduce(7) { $0 &* 31 &+ UInt64($1) } }

    private static func octets(_ value: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
        var (result, factor, rest) = (UInt64(1), base % prime, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, factor) }
            factor = product(factor, factor)
            rest >>= 1
        }
        return result
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        prime.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }

    private static func digest(_ octets: [UInt8], count: Int) -> [UInt8] {
        let seed = octets.reduce(UInt64(octets.count)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 ^ $0 >> 29 }
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
