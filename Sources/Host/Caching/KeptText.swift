/// The form of the texts in which the program keeps something: a line that names what it is and its version, the lines that say it,
/// and a last line with their number and a sum over all octets before, by which damage is known.
///
/// ```
/// hr-raw-known-handles 1
/// …
/// end 1 7d5f0c1a2b3c4d5e
/// ```
struct KeptText {
    /// What the first line calls it.
    let name: String
    /// The version that this program writes, and the only one that it reads.
    let version: Int

    /// The whole text around lines that have no line end in them.
    func octets(around lines: [String]) -> [UInt8] {
        let body = Array("\(name) \(version)\n".utf8) + lines.flatMap { Array(($0 + "\n").utf8) }
        return body + Array("end \(lines.count) \(String(Self.sum(body), radix: 16))\n".utf8)
    }

    /// The lines between the first and the last; the first of them is the text's second.
    ///
    /// - Parameter limit: of how many lines there may be
    func lines(of text: [UInt8], atMost limit: Int) throws(KeptTextDamage) -> [String] {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let heading = lines.first else { throw .unknownForm }
        try check(String(decoding: heading, as: UTF8.self))
        guard lines.popLast()?.isEmpty == true, let end = lines.popLast(), !lines.isEmpty, lines.count <= limit + 1,
            String(decoding: end, as: UTF8.self)
                == "end \(lines.count - 1) \(String(Self.sum(text.prefix(end.startIndex)), radix: 16))"
        else { throw .checksum }
        return lines.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    private func check(_ heading: String) throws(KeptTextDamage) {
        if heading == "\(name) \(version)" { return }
        guard heading.hasPrefix(name + " "), let other = Int(heading.dropFirst(name.utf8.count + 1)), other > version
        else { throw .unknownForm }
        throw .newerVersion(other)
    }

    /// Fowler, Noll and Vo's 64-bit sum (FNV-1a): it tells damage, not forgery.
    static func sum(_ octets: some Sequence<UInt8>) -> UInt64 {
        octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Why a text in which the program had kept something is not used. It says where, and nothing of what stands there.
public enum KeptTextDamage: Error, Hashable, Sendable {
    /// It does not begin as such a text does.
    case unknownForm
    /// A newer version of the program has written it: no damage, but nothing that this one understands.
    case newerVersion(Int)
    /// The sum at its end is missing, or another.
    case checksum
    /// A line means nothing; counted from 1.
    case line(Int)
}
