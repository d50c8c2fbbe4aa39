import Wire

/// A text of groups and `key=value` lines, as BlueZ keeps what it knows in (Desktop Entry Specification, "Basic format of the file").
///
/// ```
/// [General]
/// Name=HRM 7
/// ```
struct KeyFile {
    /// What a key stands for, and where.
    struct Entry: Hashable {
        var value: Substring
        /// From 1.
        var line: Int
    }

    /// Something that cannot be read. It says where and what, and nothing of a value.
    struct Fault: Error, Hashable {
        /// From 1; `nil` where it is about something that is not there.
        var line: Int?
        var reason: String
    }

    private var groups: [Substring: [Substring: Entry]] = [:]

    /// More lines than any of these files has.
    private static let mostLines = 20_000

    init(_ octets: [UInt8]) throws(Fault) {
        guard let text = String(validating: octets, as: UTF8.self) else { throw Fault(reason: "it is no text") }
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        guard lines.count <= Self.mostLines else { throw Fault(reason: "it is too long") }
        var group: Substring?
        for (index, line) in lines.enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = line.dropFirst().dropLast()
                continue
            }
            guard let equals = line.firstIndex(of: "=") else {
                throw Fault(line: index + 1, reason: "it is neither a group nor a key with its value")
            }
            guard let group else { throw Fault(line: index + 1, reason: "no group has begun") }
            // Of a key that stands there twice the later one counts, as for the library that BlueZ uses.
            groups[group, default: [:]][line[..<equals].trimmed] = Entry(
                value: line[line.index(after: equals)...].trimmed, line: index + 1)
        }
    }

    /// Whether there is such a group with anything in it.
    func has(_ group: Substring) -> Bool { groups[group] != nil }

    func entry(_ group: Substring, _ key: Substring) -> Entry? { groups[group]?[key] }

    /// Text, with the escapes of the format undone.
    func text(_ group: Substring, _ key: Substring) -> String? {
        guard let value = entry(group, key)?.value else { return nil }
        var text = ""
        var rest = value
        while let character = rest.popFirst() {
            guard character == "\\" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "s": text.append(" ")
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case let other?: text.append(other)
            case nil: break
            }
        }
        return text
    }

    /// A number within a range; `nil` where there is no such key.
    func number<Number: FixedWidthInteger>(
        _ group: Substring, _ key: Substring, in range: ClosedRange<Number>
    ) throws(Fault) -> Number? {
        guard let entry = entry(group, key) else { return nil }
        guard let number = Number(entry.value), range.contains(number) else {
            throw Fault(line: entry.line, reason: "\(key) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// 16 octets in hexadecimal; `nil` where there is no such key.
    func octets16(_ group: Substring, _ key: Substring) throws(Fault) -> [UInt8]? {
        guard let entry = entry(group, key) else { return nil }
        let digits = entry.value.hasPrefix("0x") ? entry.value.dropFirst(2) : entry.value
        guard let octets = [UInt8](hexadecimal: digits), octets.count == 16 else {
            throw Fault(line: entry.line, reason: "\(key) is no key of 32 hexadecimal digits")
        }
        return octets
    }
}

extension Substring {
    /// Without white space around it.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex
        return start[..<end]
    }
}
