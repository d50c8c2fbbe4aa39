/// One field of a packet, for people.
public struct DescribedField: Hashable, Sendable {
    /// The field's name in the specification.
    public var name: String
    /// The value as text; empty for a list, whose elements are the children.
    public var text: String
    /// The elements of a list, or what the value is made of; empty for most fields.
    public var children: [DescribedField]

    public init(name: String, text: String, children: [DescribedField] = []) {
        self.name = name
        self.text = text
        self.children = children
    }
}

/// What could be read of a packet, for people: the fields before an error stay.
public struct DissectedFields: Hashable, Sendable {
    public var fields: [DescribedField]
    /// How the reading ended.
    public var end: DissectionEnd

    public init(fields: [DescribedField] = [], error: WireError? = nil, trailing: Int = 0) {
        self.fields = fields
        end = DissectionEnd(error: error, trailing: trailing)
    }

    /// Where the packet was cut short or made no sense.
    public var error: WireError? { end.error }

    /// Octets behind the last field; 0 after an error.
    public var trailing: Int { end.trailing }
}

/// How the reading of a packet's fields ended.
public struct DissectionEnd: Hashable, Sendable {
    /// Where the packet was cut short or made no sense.
    public var error: WireError?
    /// Octets behind the last field; 0 after an error.
    public var trailing: Int

    @inlinable
    public init(error: WireError? = nil, trailing: Int = 0) {
        self.error = error
        self.trailing = trailing
    }
}
