/// Reads a capture as its octets come: feed what there is, take the records that are whole, feed on.
///
/// The container is told from its content, never from a name. What is kept never exceeds what was fed at once and one record.
///
/// ```swift
/// var reader = CaptureReader()
/// while let chunk = read() {
///     reader.feed(chunk)
///     while let record = try reader.next() { … }
/// }
/// reader.finish()
/// while let record = try reader.next() { … }
/// ```
public struct CaptureReader: Sendable {
    private var window = CaptureWindow()
    private var container: (any Container)?
    /// Whether `container` is known: asked for every record, where a look at it would copy it.
    private var isRecognised = false
    /// Whether damage was reported: what follows has no meaning.
    private var isEnded = false

    public init() {}

    /// What the file is; `nil` before that is known.
    public var format: CaptureFormat? { container?.format }

    /// The btsnoop data link; `nil` before it is known and in other containers.
    public var dataLink: Btsnoop.DataLink? {
        if case .btsnoop(let dataLink) = format { dataLink } else { nil }
    }

    /// How much of the file has been taken, in octets from its start: everything that belongs to the records handed out.
    public var offset: Int { window.offset }

    /// The octets that were taken since this was asked last: records, the file's header, and what stands between the records. To
    /// be asked before each feeding, which lets go of them; together they are the file as far as it could be read.
    public mutating func takeOctets() -> ArraySlice<UInt8> { window.takeOctets() }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: ArraySlice<UInt8>) {
        if !isEnded { window.feed(octets) }
    }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: [UInt8]) { feed(octets[...]) }

    /// Tells that nothing follows: a record that is not whole by now is damage.
    public mutating func finish() { window.finish() }

    /// The next record; `nil` where more octets are needed, and after `finish()` at the end.
    ///
    /// - Throws: once, at the damage that ends the reading; afterwards there are no more records.
    public mutating func next() throws(CaptureError) -> Record? {
        guard !isEnded else { return nil }
        do throws(CaptureError) {
            if !isRecognised { try recognise() }
            return try container?.next(&window)
        } catch {
            isEnded = true
            window.drop()
            throw error
        }
    }

    private mutating func recognise() throws(CaptureError) {
        if case .yes(let container, let header) = try Containers.recognise(window) {
            self.container = container
            isRecognised = true
            window.skip(header)
        }
    }
}
