import Capture
import CaptureFiles
import Dissection

/// One capture on its way into another format.
///
/// Where the format stays the same, and no keys are to be taken out, the octets go over as they are, as far as they can be read: also those that no record tells of, such
/// as blocks of a pcapng file that nobody here knows.
struct Conversion: ~Copyable {
    private let path: String
    private let target: ConversionTarget
    private var file: InputFile
    private var decoder = CaptureDecoder()
    private var manner = Manner.undecided(copy: [])
    private var result = Result()
    /// Takes keys out; `nil` where they may stay.
    private var redactor: Redactor?

    /// How records become octets.
    private enum Manner {
        /// Before it is known what the source is; should it be copied, this is what goes first.
        case undecided(copy: [UInt8])
        case copying
        case writing(CaptureWriter)
    }

    /// What became of it.
    struct Result {
        var records = 0
        /// What the source was; `nil` where it was no capture.
        var source: CaptureFormat?
        var format: CaptureFormat?
        var losses = CaptureLosses()
        /// Whether a signal came first.
        var isStopped = false
        /// What kept the rest from being read.
        var damage: Failure?
    }

    /// Opens the source, and makes sure that the target is another file.
    init(of path: String, to target: ConversionTarget, redacted: Bool) throws(Failure) {
        self.path = path
        self.target = target
        redactor = redacted ? Redactor() : nil
        if target.path != "-", let source = FileIdentity(path), source == FileIdentity(target.path) {
            throw Failure(
                .usage, "'\(path)' and '\(target.path)' are the same file", remedy: "Name another for the result.")
        }
        do throws(SystemError) {
            file = try InputFile(path: path)
        } catch {
            throw Failure(.badInput, "cannot read '\(path)': \(error.text)")
        }
    }

    // MARK: Where it goes

    /// Converts to standard output.
    mutating func run(into output: StandardOutput) throws -> Result {
        try convert { octets in try output.write { $0 += octets } }
        try output.flush()
        return result
    }

    /// Converts to the target's file, which is there once it is whole.
    mutating func runIntoFile() throws -> Result {
        var output = try ConversionFile(target, sourcePermissions: FileIdentity(path)?.permissions)
        try convert { octets in try output.write(octets) }
        // Of what is no capture there is nothing to write; what a signal has stopped is not whole.
        if result.source != nil, !result.isStopped { try output.commit() }
        return result
    }

    // MARK: Converting

    /// Reads the source to its end, to damage or to a signal.
    ///
    /// - Throws: what `write` throws
    private mutating func convert(_ write: ([UInt8]) throws -> Void) throws {
        do {
            var isAtEnd = false
            while !isAtEnd {
                let octets = try readSome()
                if result.isStopped { return }
                isAtEnd = octets.isEmpty
                if isAtEnd { decoder.finish() } else { decoder.feed(octets) }
                repeat { try convertPiece(write) } while try decoder.advance()
            }
        } catch let error as CaptureFileError {
            result.damage = Failure(.badInput, "'\(path)': \(error)")
        }
        var output: [UInt8] = []
        decideManner(&output)
        try write(output)
        if case .writing(let writer) = manner { result.losses = writer.losses }
    }

    private mutating func readSome() throws -> [UInt8] {
        do throws(SystemError) {
            let octets = try file.read(upTo: 1 << 18)
            result.isStopped = Interruption.isRequested
            return octets
        } catch {
            throw CaptureFileError.unreadable(errno: error.code)
        }
    }

    /// Converts the records that are whole by now.
    private mutating func convertPiece(_ write: ([UInt8]) throws -> Void) throws {
        var output: [UInt8] = []
        var damage: CaptureFileError?
        do throws(CaptureFileError) {
            while let record = try decoder.nextOfPiece() { convert(record, &output) }
        } catch {
            damage = error
        }
        copyOctets(&output)
        if !output.isEmpty { try write(output) }
        if let damage { throw damage }
    }

    private mutating func convert(_ record: Record, _ output: inout [UInt8]) {
        result.records += 1
        decideManner(&output)
        guard case .writing(var writer) = manner else { return }
        // One owner at a time, so that nothing is copied.
        manner = .copying
        writer.append(redactor?.redacted(record) ?? record, to: &output)
        manner = .writing(writer)
    }

    private mutating func copyOctets(_ output: inout [UInt8]) {
        let octets = decoder.takeOctets()
        switch manner {
        case .writing: break
        case .copying: output += octets
        case .undecided(let copy):
            manner = .undecided(copy: copy + octets)
            // Where so much stands before the first record, its kind will not become clearer.
            if copy.count > 1 << 22 { decideManner(&output) }
        }
    }

    /// Decides, where that has not been done and the source is known, whether to copy or to write anew; appends what goes first.
    private mutating func decideManner(_ output: inout [UInt8]) {
        guard case .undecided(let copy) = manner, let source = decoder.format else { return }
        let format = target.format(for: source)
        result.source = source
        result.format = format
        if format == source, redactor == nil {
            manner = .copying
            output += copy
        } else {
            let writer = CaptureWriter(format)
            manner = .writing(writer)
            output += writer.header
        }
    }
}
