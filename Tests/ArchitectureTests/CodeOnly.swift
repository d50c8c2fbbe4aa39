/// Blanks out comments and string literals, keeps line breaks and the code in interpolations.
///
/// Knows line and nested block comments and string literals of one or many lines, with any number of `#`. Regular expression
/// literals are left as they are.
enum CodeOnly {
    static func of(_ text: String) -> String {
        var scanner = Scanner(text)
        return scanner.codeOnly()
    }

    private struct Scanner {
        let text: [UInt8]
        var index = 0
        var output: [UInt8] = []

        init(_ text: String) { self.text = Array(text.utf8) }

        mutating func codeOnly() -> String {
            while index < text.count { code() }
            return String(decoding: output, as: UTF8.self)
        }

        func stands(_ part: [UInt8]) -> Bool { text[index...].starts(with: part) }

        mutating func keep() {
            output.append(text[index])
            index += 1
        }

        mutating func blank(_ count: Int = 1) {
            for octet in text[index..<min(index + count, text.count)] {
                output.append(octet == UInt8(ascii: "\n") ? octet : UInt8(ascii: " "))
            }
            index += count
        }

        mutating func code() {
            switch text[index] {
            case UInt8(ascii: "/") where stands(Array("//".utf8)):
                while index < text.count, text[index] != UInt8(ascii: "\n") { blank() }
            case UInt8(ascii: "/") where stands(Array("/*".utf8)):
                blockComment()
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                let hashes = text[index...].prefix { $0 == UInt8(ascii: "#") }.count
                let quote = index + hashes
                guard quote < text.count, text[quote] == UInt8(ascii: "\"") else { return keep() }
                blank(hashes)
                string(hashes: hashes)
            default:
                keep()
            }
        }

        mutating func blockComment() {
            var depth = 0
            repeat {
                if stands(Array("/*".utf8)) {
                    depth += 1
                    blank(2)
                } else if stands(Array("*/".utf8)) {
                    depth -= 1
                    blank(2)
                } else {
                    blank()
                }
            } while depth > 0 && index < text.count
        }

        mutating func string(hashes: Int) {
            let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
            let quote = Array((stands(Array("\"\"\"".utf8)) ? "\"\"\"" : "\"").utf8)
            let escape = [UInt8(ascii: "\\")] + marks
            let interpolated = escape + [UInt8(ascii: "(")]
            let end = quote + marks
            blank(quote.count)
            while index < text.count {
                if stands(end) {
                    return blank(end.count)
                } else if stands(interpolated) {
                    blank(escape.count)
                    interpolation()
                } else if stands(escape) {
                    blank(escape.count + 1)
                } else {
                    blank()
                }
            }
        }

        mutating func interpolation() {
            var depth = 0
            repeat {
                if text[index] == UInt8(ascii: "(") { depth += 1 }
                if text[index] == UInt8(ascii: ")") { depth -= 1 }
                code()
            } while depth > 0 && index < text.count
        }
    }
}
