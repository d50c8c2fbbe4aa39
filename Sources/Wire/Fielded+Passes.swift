extension Fielded {
    /// Reads the packet from the start of `octets`. Octets behind the last field are left alone.
    @inlinable
    public init(decoding octets: Span<UInt8>) throws(WireError) {
        var trailing = 0
        try self.init(decoding: octets, trailing: &trailing)
    }

    /// Reads the packet from the start of `octets` and tells how many octets stand behind its last field.
    @inlinable
    public init(decoding octets: Span<UInt8>, trailing: inout Int) throws(WireError) {
        self.init()
        var pass = DecodePass(octets)
        try fields(&pass)
        trailing = pass.remaining
    }

    /// Reads the packet from the start of `octets`. Octets behind the last field are left alone.
    @inlinable
    public init(decoding octets: [UInt8]) throws(WireError) {
        try self.init(decoding: octets.span)
    }

    /// The packet as on the wire.
    public var encoded: [UInt8] {
        var pass = EncodePass()
        run(&pass)
        return pass.octets
    }

    /// How many octets the packet takes on the wire.
    public var encodedCount: Int {
        var pass = MeasurePass()
        run(&pass)
        return pass.count
    }

    /// The packet's fields by name, for people.
    public var described: [DescribedField] {
        var writer = FieldWriter(.tree)
        describe(to: &writer)
        return writer.tree
    }

    /// Writes the packet's fields.
    public func describe(to writer: inout FieldWriter) {
        var pass = DescribePass(writer)
        run(&pass)
        writer = pass.finish()
    }

    /// A packet with random content, for property tests.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        var packet = Self()
        var pass = RandomisePass(seed: generator.next())
        try? packet.fields(&pass)
        return packet
    }

    /// Runs a pass that has no reason to fail: only decoding can find that octets are missing.
    private func run(_ pass: inout some FieldPass & ~Copyable) {
        var packet = self
        try? packet.fields(&pass)
    }
}
