import Capture

/// A capture given on the command line, read record by record.
struct CaptureInput: ~Copyable {
    /// As the user wrote it.
    let path: String
    private let file: InputFile
    private var reader = CaptureReader()
    private var isAtEnd = false

    init(path: String) throws(Failure) {
        self.path = path
        do throws(SystemError) {
            file = try InputFile(path: path)
        } catch {
            throw Failure(.badInput, "cannot read '\(path)': \(error.text)")
        }
    }

    /// Hands each record to `body`, then throws for what could not be read.
    ///
    /// - Parameter pause: called where the next records may be long in coming
    mutating func forEachRecord<E: Error>(
        _ body: (Record) throws(E) -> Void, pause: () throws(E) -> Void
    ) throws(CaptureFailure<E>) {
        while !isAtEnd, !Interruption.isRequested {
            let octets: [UInt8]
            do throws(SystemError) {
                octets = try file.read(upTo: 1 << 18)
            } catch {
                throw .input(Failure(.badInput, "cannot read '\(path)': \(error.text)"))
            }
            if octets.isEmpty {
                if Interruption.isRequested { return }
                reader.finish()
                isAtEnd = true
            }
            reader.feed(octets)
            try drain(body)
            if !file.isRegular {
                do throws(E) { try pause() } catch { throw .consumer(error) }
            }
        }
    }

    private mutating func drain<E: Error>(_ body: (Record) throws(E) -> Void) throws(CaptureFailure<E>) {
        while true {
            let next: Record?
            do throws(CaptureError) { next = try reader.next() } catch { throw .input(failure(error)) }
            guard let record = next else { return }
            do throws(E) { try body(record) } catch { throw .consumer(error) }
        }
    }

    private func failure(_ error: CaptureError) -> Failure {
        Failure(.badInput, "'\(path)': \(error)")
    }
}

/// Why going through a capture ended early.
enum CaptureFailure<Consumer: Error>: Error {
    /// The capture is damaged, or none.
    case input(Failure)
    /// Whoever took the records can take no more.
    case consumer(Consumer)
}
