import CaptureFiles
import Glibc

/// The file that a conversion makes, compressed where its name says so.
struct ConversionFile: ~Copyable {
    private let path: String
    private var file: OutputFile
    private var gzip: GzipWriter?

    /// - Parameter sourcePermissions: what the users may do with the source they may do with a new file, too
    init(_ target: ConversionTarget, sourcePermissions: mode_t?) throws(Failure) {
        path = target.path
        let before = FileIdentity(target.path)
        if let before, !before.isRegular {
            throw Failure(
                .failure, "'\(target.path)' is \(before.kind), and stays what it is",
                remedy: "'-' writes to standard output.")
        }
        do throws(GzipError) {
            gzip = target.isCompressed ? try GzipWriter() : nil
        } catch {
            throw Failure(.failure, "cannot write '\(path)': \(error)")
        }
        do throws(SystemError) {
            // A capture may hold keys: without an example to follow it is for its owner alone.
            file = try OutputFile(
                replacing: target.path, permissions: before?.permissions ?? sourcePermissions ?? 0o600)
        } catch {
            throw Self.failure(path, error)
        }
    }

    mutating func write(_ octets: [UInt8]) throws(Failure) {
        var compressed: [UInt8] = []
        if gzip?.write(octets[...], to: &compressed) == nil {
            try put(octets)
        } else {
            try put(compressed)
        }
    }

    /// Puts the file in its place.
    mutating func commit() throws(Failure) {
        var rest: [UInt8] = []
        if gzip?.finish(to: &rest) != nil { try put(rest) }
        do throws(SystemError) {
            try file.commit()
        } catch {
            throw Self.failure(path, error)
        }
    }

    private mutating func put(_ octets: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try file.write(octets)
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> Failure {
        Failure(.failure, "cannot write '\(path)': \(error.text)")
    }
}
