public import Wire

/// An event that is a list of rows. One cut short does not cost the whole ones before it.
public protocol RowEvent: Fielded {
    /// Where the event was cut short; the rows before it are whole. No field: `nil` when sent.
    var malformed: WireError? { get set }
}

extension RowEvent {
    /// Reads the event; what is whole before a cut stays.
    ///
    /// - Parameter trailing: set to the number of octets behind the last row.
    public init(parameters: Span<UInt8>, trailing: inout Int) {
        self.init()
        var pass = DecodePass(parameters)
        do { try fields(&pass) } catch { malformed = error }
        trailing = malformed == nil ? pass.remaining : 0
    }
}
