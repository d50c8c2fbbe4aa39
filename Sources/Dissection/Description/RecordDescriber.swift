public import Wire

/// Writes what each record of a capture says in full, one record after the other, to the octets of an output.
public struct RecordDescriber: ~Copyable {
    private var writer: FieldWriter
    private let names: NameMemory

    /// - Parameter names: one for the whole capture
    public init(_ form: FieldWriter.Form, _ names: NameMemory) {
        writer = FieldWriter(form) { content, octets, writer in
            switch content {
            case .advertisingData: octets.describeAdvertisingData(to: &writer, names)
            }
        }
        self.names = names
    }

    /// Appends the fields of a packet, and of the PDU that it completes, layer in layer.
    public mutating func append(_ dissected: Dissected, to octets: inout [UInt8]) {
        swap(&octets, &writer.octets)
        dissected.describe(to: &writer, names)
        swap(&octets, &writer.octets)
    }

    /// Appends what is to be said beside the packet's own fields.
    public mutating func appendRemarks(on dissected: Dissected, to octets: inout [UInt8]) {
        swap(&octets, &writer.octets)
        if let security = dissected.security {
            writer.field("Security") { $0.octets.append(printable: security.description) }
        }
        if dissected.isEncrypted {
            writer.field("Encrypted") { writer in
                writer.octets.append("on air; here as host and controller pass it" as StaticString)
            }
        }
        if !dissected.assumptions.isEmpty { writer.field("Assumed") { $0.append(dissected.assumptions.description) } }
        swap(&octets, &writer.octets)
    }

    /// The fields so far, where they are made into values.
    public var tree: [DescribedField] { writer.tree }
}

extension Dissected {
    /// All fields of the packet and of the PDU that it completes, layer in layer, for people.
    ///
    /// - Parameter names: one for the whole capture
    public func described(_ names: NameMemory) -> [DescribedField] {
        var describer = RecordDescriber(.tree, names)
        var octets: [UInt8] = []
        describer.append(self, to: &octets)
        return describer.tree
    }
}
