import Wire

/// Numbers that look random and depend on nothing but a seed and their place: what happens on air at some moment is the same whether
/// or not anybody listened before.
struct Noise: Hashable, Sendable {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// 64 bits for a place.
    func bits(_ place: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: seed ^ (place &* 0xD6E8_FEB8_6659_FD93))
        return generator.next()
    }

    /// 0 to 1, 1 excluded.
    func fraction(_ place: UInt64) -> Double { Double(bits(place) >> 11) / Double(1 << 53 as UInt64) }

    /// −1 to 1, most often near 0.
    func deviation(_ place: UInt64) -> Double { fraction(2 &* place) + fraction(2 &* place &+ 1) - 1 }

    /// Another source, independent of this one.
    func branch(_ number: UInt64) -> Noise { Noise(seed: bits(number ^ 0xB7E1_5162_8AED_2A6A)) }
}

/// A smooth wave of period 1 between −1 and 1: two parabolas, as near to a sine as a heart needs.
func wave(_ phase: Double) -> Double {
    let place = phase - phase.rounded(.down)
    return place < 0.5 ? 16 * place * (0.5 - place) : -16 * (place - 0.5) * (1 - place)
}
