/// One entry for octets from outside. Takes any input; throws where a promise about its handling is broken.
///
/// The fuzzer (package `Fuzz`) and the replay of what it once found (`ReplayTests`) run the same code.
struct FuzzTarget: Sendable {
    /// Also the name of its folders below `Fuzz/Corpus` and `Fuzz/Failures`.
    let name: String
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = [
        stream, packets, commands, advertisingData, frames, signaling, attributePDUs, bearer, discovery, subscribing,
        values, knownHandles, handleCache, bonds, foreignBonds, server, securityManager, pairing, pairingBetween, host,
        captures, conversion,
        compression, recordings, dissection, redaction, heartRate, texts,
        simulator,
    ]
}

/// A promise that an input broke.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Says that `condition` must hold, whatever the input.
func promise(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw BrokenPromise(description: text()) }
}

/// Reads decisions and pieces of content out of a fuzzer's input. At its end everything is zero and empty.
struct Choices {
    private var octets: ArraySlice<UInt8>

    init(_ octets: [UInt8]) { self.octets = octets[...] }

    var isEmpty: Bool { octets.isEmpty }

    mutating func octet() -> UInt8 { octets.popFirst() ?? 0 }

    /// Up to `count` octets.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { octets = octets.dropFirst(count) }
        return Array(octets.prefix(count))
    }

    /// A piece as long as the next octet says.
    mutating func piece() -> [UInt8] { take(Int(octet())) }
}
