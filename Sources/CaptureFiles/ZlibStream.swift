import CZlib

/// zlib's state. It holds its own address, so that it must not move.
@safe struct ZlibStream: ~Copyable {
    enum Direction { case inflating, deflating }

    private let stream: UnsafeMutablePointer<z_stream>
    private let direction: Direction

    /// - Throws: `GzipError.outOfMemory`
    init(_ direction: Direction) throws(GzipError) {
        self.direction = direction
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // 15 is the largest window, which every file can be read with; 16 more ask for gzip's header and trailer.
        let result =
            switch direction {
            case .inflating: unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size)
            case .deflating:
                unsafe deflateInit2_(
                    stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            }
        guard result == Z_OK else { throw .outOfMemory }
    }

    deinit {
        switch direction {
        case .inflating: unsafe inflateEnd(stream)
        case .deflating: unsafe deflateEnd(stream)
        }
        unsafe stream.deallocate()
    }

    /// What one step did.
    struct Step {
        /// zlib's code.
        var result: Int32
        /// Octets of the input that it took.
        var taken: Int
        /// What it gave, at most as many octets as there was room for.
        var output: [UInt8]
    }

    /// Takes from `input` and gives at most `room` octets.
    ///
    /// - Parameter isLast: whether nothing follows `input`
    mutating func step(_ input: ArraySlice<UInt8>, isLast: Bool = false, room: Int) -> Step {
        // The counts are of 32 bits; what does not fit is left for the next step.
        let input = input.prefix(1 << 30)
        var result = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe input.withUnsafeBufferPointer { source in
                // zlib reads what it is given and writes nothing there; its type does not say so.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                switch direction {
                case .inflating: result = unsafe inflate(stream, Z_NO_FLUSH)
                case .deflating: result = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                }
            }
            count = unsafe room - Int(stream.pointee.avail_out)
        }
        return unsafe Step(result: result, taken: input.count - Int(stream.pointee.avail_in), output: output)
    }

    /// Begins anew, with the next member of a file.
    mutating func reset() { unsafe _ = inflateReset(stream) }

    /// zlib's words for what went wrong.
    var message: String { unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "no reason given" }
}
