/// The system's random generator, getrandom(2). libcrypto's is fed by it, and would have the whole library made ready long before the
/// first pairing.
enum Entropy {
    static func octets(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<max(0, count)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
