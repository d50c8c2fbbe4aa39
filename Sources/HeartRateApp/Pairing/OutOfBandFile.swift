import SMP
import Wire

/// Pairing data that came another way than the air: lines of `NAME=HEX`, 32 hexadecimal digits each, the most significant first.
///
/// `confirm` and `random` are what the peer gives for LE Secure Connections, `temporary-key` is what both sides know for legacy pairing.
/// Empty lines and those that begin with `#` mean nothing.
struct OutOfBandFile {
    let content: OutOfBand

    /// - Throws: `Failure` with status 65, naming file and line; never what the line holds
    init(path: String) throws(Failure) {
        let text = try Self.read(path)
        var values: [String: SecretKey] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "'\(path)', line \(index + 1)"
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimmed }
            guard let name = parts.first, !name.isEmpty, !name.hasPrefix("#") else { continue }
            guard Self.names.contains(name) else {
                // A bare key would be the name here.
                throw Failure(.badInput, "\(place): it begins with none of \(Self.names.joined(separator: ", "))")
            }
            guard parts.count == 2, let octets = [UInt8](hexadecimal: parts[1]),
                let value = SecretKey(octets.reversed())
            else { throw Failure(.badInput, "\(place): \(name) takes 32 hexadecimal digits") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Failure(.badInput, "\(place): \(name) is given twice")
            }
        }
        content = try Self.content(values, path)
    }

    private static let names = ["confirm", "random", "temporary-key"]
    /// More than this is no such file.
    private static let longest = 65_536

    private static func content(_ values: [String: SecretKey], _ path: String) throws(Failure) -> OutOfBand {
        var content = OutOfBand()
        content.temporaryKey = values["temporary-key"]
        switch (values["confirm"], values["random"]) {
        case (let confirm?, let random?): content.peer = .init(confirm: confirm, random: random)
        case (nil, nil): break
        default: throw Failure(.badInput, "'\(path)': confirm and random belong together")
        }
        guard content != OutOfBand() else { throw Failure(.badInput, "'\(path)' holds no pairing data") }
        return content
    }

    private static func read(_ path: String) throws(Failure) -> String {
        let octets: [UInt8]
        do throws(SystemError) {
            octets = try content(of: path)
        } catch {
            throw Failure(.badInput, "'\(path)' cannot be read: \(error.text)")
        }
        guard octets.count <= longest, let text = String(validating: octets, as: UTF8.self) else {
            throw Failure(.badInput, "'\(path)' is no file of pairing data")
        }
        return text
    }

    /// The file's content, or a little more of it than is taken.
    private static func content(of path: String) throws(SystemError) -> [UInt8] {
        var file = try InputFile(path: path)
        var octets: [UInt8] = []
        while octets.count <= longest {
            let more = try file.read(upTo: 4096)
            if more.isEmpty { break }
            octets += more
        }
        return octets
    }
}

extension Substring {
    /// Without the white space around it.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex))
    }
}
