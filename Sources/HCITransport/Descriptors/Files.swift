import Glibc

/// The few things this module does with files: small texts, whole folders' names.
enum Files {
    /// The file's text; `nil` when there is none that may be read. Reads no more than a page: what is read here is small.
    static func text(_ path: String) -> String? {
        guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file.number, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The first line without white space around it.
    static func line(_ path: String) -> String? {
        text(path).map { text in
            let line = text.prefix { $0 != "\n" }
            return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        }
    }

    /// The names in a folder, sorted, without `.` and `..`, the first so many that are found; empty when there is none.
    static func names(in folder: String, atMost limit: Int = .max) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Makes a folder and those above it, each for its owner alone unless `mode` says otherwise. Answers whether it is there.
    @discardableResult
    static func makeFolder(_ path: String, mode: mode_t = 0o700) -> Bool {
        guard !path.isEmpty, !exists(path) else { return !path.isEmpty }
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        let above = path.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
        if path.hasPrefix("/"), !parent.isEmpty { makeFolder(above, mode: mode) }
        guard unsafe mkdir(path, mode) == 0 else { return errno == EEXIST }
        // A file in it is on disk only when it is itself.
        try? flush(above)
        return true
    }

    /// Has the names in a folder reach the disk. Some file systems keep no such promise and say so, which is no failure.
    static func flush(_ folder: String) throws(TransportError) {
        let folderFile = OwnedDescriptor.opened(folder, O_RDONLY | O_DIRECTORY, mode: 0)
        // A folder that may be changed and not read.
        guard folderFile != -EACCES else { return }
        guard folderFile >= 0 else { throw .cannotWrite(path: folder, errno: -folderFile) }
        let owned = OwnedDescriptor(folderFile)
        guard fsync(owned.number) == 0 || errno == EINVAL || errno == EROFS else {
            throw .cannotWrite(path: folder, errno: errno)
        }
    }

    /// Writes all octets at the end of an open file; answers the error number.
    static func append(_ octets: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = octets[...]
        while !rest.isEmpty {
            let result = unsafe rest.withUnsafeBytes { unsafe chciWrite(descriptor, $0) }
            if result == -EINTR { continue }
            guard result > 0 else { return result == 0 ? EIO : -result }
            rest = rest.dropFirst(Int(result))
        }
        return 0
    }

    private static func chciWrite(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Int32 {
        let count = unsafe write(descriptor, octets.baseAddress, octets.count)
        return count < 0 ? -errno : Int32(clamping: count)
    }
}
