import CZlib

/// Compresses octets into a gzip file (RFC 1952) of one member. It tells no time and no name, so that the same octets always
/// give the same file.
public struct GzipWriter: ~Copyable {
    private var stream: ZlibStream

    /// - Throws: `GzipError.outOfMemory`
    public init() throws(GzipError) { stream = try ZlibStream(.deflating) }

    /// Adds octets, and appends to `output` what of the file can be written by now.
    public mutating func write(_ octets: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var rest = octets
        while !rest.isEmpty {
            let step = stream.step(rest, room: 1 << 16)
            output += step.output
            rest = rest.dropFirst(step.taken)
            // Not possible as long as there is room; an end without a loop all the same.
            if step.taken == 0, step.output.isEmpty { return }
        }
    }

    /// Appends the end of the file to `output`. Nothing can be written afterwards.
    public mutating func finish(to output: inout [UInt8]) {
        while true {
            let step = stream.step([], isLast: true, room: 1 << 16)
            output += step.output
            if step.result != Z_OK { return }
        }
    }
}
