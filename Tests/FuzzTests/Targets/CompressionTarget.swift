import CaptureFiles

extension FuzzTarget {
    /// Octets as a gzip file, fed at once and in pieces: the same comes out, in pieces of a bounded size. And octets compressed come back.
    static let compression = FuzzTarget(name: "compression") { octets in
        let whole = try decompress(octets, pieces: octets.count)
        let size = 1 + octets.count % 37
        try promise(decompress(octets, pieces: size) == whole, "pieces of \(size) octets give the same")
        var writer = try GzipWriter()
        var file: [UInt8] = []
        writer.write(octets[...], to: &file)
        writer.finish(to: &file)
        let back = try decompress(file, pieces: 4096)
        try promise(back.octets == octets && back.error == nil, "what was compressed comes back")
    }

    private struct Decompressed: Equatable {
        var octets: [UInt8] = []
        var error: GzipError?
    }

    private static func decompress(_ octets: [UInt8], pieces size: Int) throws -> Decompressed {
        var result = Decompressed()
        // As files come: plain ones, too.
        var decompressor = Decompressor()

        func take(_ decompressor: inout Decompressor) throws {
            do throws(GzipError) {
                while let more = try decompressor.next() {
                    result.octets += more
                    // No octets stand for so many: that is an end without an end.
                    if result.octets.count > 1 << 24 { throw .outOfMemory }
                }
            } catch {
                result.error = error
            }
        }

        var rest = octets[...]
        while !rest.isEmpty {
            decompressor.feed([UInt8](rest.prefix(size)))
            rest = rest.dropFirst(size)
            try take(&decompressor)
        }
        decompressor.finish()
        try take(&decompressor)
        try promise(result.octets.count <= 1100 * octets.count + 4096, "no octet stands for more than deflate allows")
        return result
    }
}
