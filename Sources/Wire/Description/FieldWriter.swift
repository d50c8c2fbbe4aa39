/// Writes the fields of packets for people, each as it comes: as indented lines, as JSON, or as values to look into.
///
/// What is written goes to `octets` at once and piece by piece: no text is made of a name or a value that nobody keeps.
///
/// ```swift
/// var writer = FieldWriter(.lines(depth: 0))
/// writer.field("Handle") { $0.octets.append(upperHexadecimal: handle) }
/// writer.group("Report", index: 0) { writer in … }
/// ```
public struct FieldWriter: ~Copyable {
    /// What the fields are written as.
    public enum Form: Hashable, Sendable {
        /// A line each, `name: value`, with two spaces before it for each level, counted from `depth`.
        case lines(depth: Int)
        /// Objects one after the other with commas between, as they stand in an array: `{"name":…,"value":…,"fields":[…]}`.
        case json
        /// Values; `tree` has them.
        case tree
    }

    /// Says what octets mean that a layer above this one reads.
    public typealias Reader = (FieldContent, Span<UInt8>, inout FieldWriter) -> Void

    /// What was written; where values are made, what is about to become one.
    public var octets: [UInt8] = []
    let form: Form
    private let reader: Reader?
    private var depth: Int
    /// Where the value begins that is being written.
    private var start = 0
    /// The fields begun and not ended, the outermost first; below them all, one that holds the finished ones.
    private var open = [DescribedField(name: "", text: "")]

    public init(_ form: Form, reader: Reader? = nil) {
        self.form = form
        self.reader = reader
        depth = if case .lines(let depth) = form { depth } else { 0 }
    }

    /// The fields written, where they are made into values.
    public var tree: [DescribedField] { open[0].children }

    // MARK: Fields

    /// A field with a value.
    @inlinable
    public mutating func field(_ name: StaticString, _ value: (inout FieldWriter) -> Void) {
        begin(name)
        beginValue()
        value(&self)
        endValue()
        end()
    }

    /// A field with a value, under a name that is made up here.
    @inlinable
    public mutating func field(_ name: (inout FieldWriter) -> Void, _ value: (inout FieldWriter) -> Void) {
        begin(name)
        beginValue()
        value(&self)
        endValue()
        end()
    }

    /// A field that is a name alone, such as that of a bit.
    public mutating func field(_ name: String) {
        begin { $0.octets.append(name) }
        end()
    }

    /// A field with fields of its own.
    @inlinable
    public mutating func group<Failure: Error>(
        _ name: StaticString, index: Int? = nil, _ fields: (inout FieldWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name, index: index)
        openFields()
        defer {
            closeFields()
            end()
        }
        try fields(&self)
    }

    // MARK: Their parts

    /// Begins a field; with an index, of a list.
    public mutating func begin(_ name: StaticString, index: Int? = nil) {
        begin { writer in
            writer.octets.append(name)
            guard let index else { return }
            writer.octets.append(UInt8(ascii: " "))
            writer.octets.append(decimal: index)
        }
    }

    /// Begins a field under a name that `name` appends, in words of this program.
    @inlinable
    public mutating func begin(_ name: (inout FieldWriter) -> Void) {
        beginName()
        name(&self)
        endName()
    }

    @usableFromInline
    mutating func beginName() {
        switch form {
        case .lines: octets.append(spaces: 2 * depth)
        case .json:
            if octets.last == UInt8(ascii: "}") { octets.append(UInt8(ascii: ",")) }
            octets.append(#"{"name":""# as StaticString)
        case .tree: start = octets.count
        }
    }

    @usableFromInline
    mutating func endName() {
        switch form {
        case .lines: break
        case .json: octets.append(UInt8(ascii: "\""))
        case .tree: open.append(DescribedField(name: takeText(), text: ""))
        }
    }

    /// Begins the value of the field; what is appended from here on is its text.
    public mutating func beginValue() {
        switch form {
        case .lines: octets.append(": " as StaticString)
        case .json: octets.append(#","value":""# as StaticString)
        case .tree: break
        }
        start = octets.count
    }

    /// Ends the value; an empty one is left out.
    public mutating func endValue() {
        switch form {
        case .lines: if octets.count == start { octets.removeLast(2) }
        case .json:
            if octets.count == start { octets.removeLast(10) } else { octets.append(UInt8(ascii: "\"")) }
        case .tree: open[open.count - 1].text = takeText()
        }
    }

    /// Begins the fields that the field has of its own.
    public mutating func openFields() {
        switch form {
        case .lines:
            octets.append(UInt8(ascii: "\n"))
            depth += 1
        case .json: octets.append(#","fields":["# as StaticString)
        case .tree: break
        }
    }

    /// Ends the fields that the field has of its own.
    public mutating func closeFields() {
        switch form {
        case .lines: depth -= 1
        case .json: octets.append(UInt8(ascii: "]"))
        case .tree: break
        }
    }

    /// Ends the field.
    public mutating func end() {
        switch form {
        case .lines: if octets.last != UInt8(ascii: "\n") { octets.append(UInt8(ascii: "\n")) }
        case .json: octets.append(UInt8(ascii: "}"))
        case .tree: if open.count > 1 { open[open.count - 2].children.append(open.removeLast()) }
        }
    }

    private mutating func takeText() -> String {
        defer { octets.removeLast(octets.count - start) }
        return String(decoding: octets[start...], as: UTF8.self)
    }

    // MARK: Values

    /// Appends text that came from elsewhere, made harmless for where it is to be shown.
    public mutating func append(_ text: String) {
        switch form {
        case .lines: octets.append(printable: text)
        case .json: octets.append(escaped: text)
        case .tree: octets.append(text)
        }
    }

    /// Appends what `octets` mean to a layer above.
    ///
    /// - Returns: whether it says more than the octets do
    @discardableResult
    public mutating func appendFields(of content: FieldContent, _ octets: Span<UInt8>) -> Bool {
        guard let reader, !octets.isEmpty else { return false }
        openFields()
        reader(content, octets, &self)
        closeFields()
        return true
    }
}

/// What octets in a packet hold that a layer above reads.
public enum FieldContent: Hashable, Sendable {
    /// AD structures; also those of an Extended Inquiry Response (Core Vol 3, Part C, 8 and 11).
    case advertisingData
}
