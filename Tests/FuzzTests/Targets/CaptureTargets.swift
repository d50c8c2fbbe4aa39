import Capture

extension FuzzTarget {
    /// A capture file, fed at once and in pieces: the same records, and none with octets that the file has not.
    static let captures = FuzzTarget(name: "captures") { octets in
        let whole = read(octets, pieces: octets.count)
        let size = 1 + octets.count % 37
        try promise(read(octets, pieces: size) == whole, "pieces of \(size) octets give the same records")
        try promise(whole.octets <= octets.count, "octets are not invented")
    }

    private struct Reading: Equatable {
        var records: [Record] = []
        var error: CaptureError?

        var octets: Int { records.reduce(0) { $0 + $1.octets.count } }
    }

    private static func read(_ octets: [UInt8], pieces size: Int) -> Reading {
        var reading = Reading()
        var reader = CaptureReader()

        func take() {
            do throws(CaptureError) {
                while let record = try reader.next() { reading.records.append(record) }
            } catch {
                reading.error = error
            }
        }

        var rest = octets[...]
        while !rest.isEmpty {
            reader.feed(rest.prefix(size))
            rest = rest.dropFirst(size)
            take()
        }
        reader.finish()
        take()
        return reading
    }
}
