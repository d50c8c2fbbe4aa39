public import Wire

/// Why a request was not carried out (Core Vol 3, Part F, 3.4.1.1).
public struct ErrorResponse: PDU {
    public static let opcode = Opcode.errorResponse

    /// The opcode of the request that this answers.
    public var request = Opcode(0)
    /// The attribute that gave rise to the error; 0x0000 where there is none.
    public var handle = Handle.none
    public var code = ErrorCode(0)

    public init() {}

    public init(request: Opcode, handle: Handle, code: ErrorCode) {
        self.request = request
        self.handle = handle
        self.code = code
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Request Opcode In Error", &request)
        try pass.number("Attribute Handle In Error", &handle)
        try pass.number("Error Code", &code)
    }
}
