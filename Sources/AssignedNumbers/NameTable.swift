/// Names by number, kept as one text that nothing reads before it is asked: no cost at start-up, none in memory beyond the binary.
///
/// Each line begins with hexadecimal digits, the key, in ascending order, and a space.
struct NameTable: Sendable {
    let keyDigits: Int
    let text: String

    init(keyDigits: Int, _ text: String) {
        self.keyDigits = keyDigits
        self.text = text
    }

    /// The name in a table with rows of 16: the key is the number without its last hexadecimal digit, the names stand between bars.
    func name(row number: UInt16) -> String? {
        let octets = text.utf8.span
        var key = number >> 4
        var digits: [UInt8] = []
        for _ in 0..<keyDigits {
            digits.insert(NameTable.digits[Int(key & 0xF)], at: 0)
            key >>= 4
        }
        guard let line = line(beginningWith: digits, in: octets) else { return nil }
        var column = Int(number & 0xF)
        var start = line.lowerBound
        for index in line where octets[index] == UInt8(ascii: "|") {
            if column == 0 { return name(in: start..<index, of: octets) }
            column -= 1
            start = index + 1
        }
        return column == 0 ? name(in: start..<line.upperBound, of: octets) : nil
    }

    /// The name in a table with one name a line, by the whole key in upper-case digits.
    func name(line key: String) -> String? {
        let octets = text.utf8.span
        let digits = [UInt8](key.utf8)
        guard digits.count == keyDigits, let line = line(beginningWith: digits, in: octets) else { return nil }
        return name(in: line, of: octets)
    }

    private static let digits = [UInt8]("0123456789ABCDEF".utf8)

    private func name(in range: Range<Int>, of octets: Span<UInt8>) -> String? {
        range.isEmpty ? nil : String(decoding: range.map { octets[$0] }, as: UTF8.self)
    }

    /// What follows the key and the space in the line that begins with `key`, found by halving.
    private func line(beginningWith key: [UInt8], in octets: Span<UInt8>) -> Range<Int>? {
        var low = 0
        var high = octets.count
        while low < high {
            var start = low + (high - low) / 2
            while start > low, octets[start - 1] != UInt8(ascii: "\n") { start -= 1 }
            var end = start
            while end < high, octets[end] != UInt8(ascii: "\n") { end += 1 }
            switch order(of: key, against: start..<end, in: octets) {
            case 0: return min(end, start + keyDigits + 1)..<end
            case ..<0: high = start
            default: low = end + 1
            }
        }
        return nil
    }

    /// Below, above or equal to 0 as the key stands before, behind or at the line's own.
    private func order(of key: [UInt8], against line: Range<Int>, in octets: Span<UInt8>) -> Int {
        for (offset, digit) in key.enumerated() {
            guard line.lowerBound + offset < line.upperBound else { return 1 }
            let own = octets[line.lowerBound + offset]
            if digit != own { return Int(digit) - Int(own) }
        }
        return 0
    }
}
