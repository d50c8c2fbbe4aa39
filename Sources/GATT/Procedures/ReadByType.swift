public import ATT
public import Wire

/// Reads the values of all attributes of one type, without any discovery, and whole: what a response could only hold the
/// beginning of is read further by its handle (Core Vol 3, Part G, 4.8.2 and 4.8.3).
public struct ReadByType: Procedure {
    /// Long values that are read further; of others the beginning is what there is.
    public static let longValueLimit = 64

    private let mtu: Int
    private var walk: ReadByUUID
    private var entries: [ReadByTypeResponse.Entry] = []
    /// The places of values that may be longer; the first is being read.
    private var long: ArraySlice<Int> = []
    private var reading: ReadValue?

    /// - Parameter mtu: the bearer's, in octets
    public init(_ type: BluetoothUUID, in range: HandleRange = .all, mtu: Int) {
        self.mtu = max(Bearer.defaultMTU, mtu)
        walk = ReadByUUID(type, in: range)
    }

    public mutating func start() -> Step<[ReadByTypeResponse.Entry]> { follow(walk.start()) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[ReadByTypeResponse.Entry]> {
        guard let step = reading?.receive(outcome) else { return follow(walk.receive(outcome)) }
        return follow(step)
    }

    private mutating func follow(_ step: Step<[ReadByTypeResponse.Entry]>) -> Step<[ReadByTypeResponse.Entry]> {
        guard case .finished(.success(let found)) = step else { return step }
        entries = found
        // An entry has four octets before its value, and one for its length.
        let room = min(mtu - 4, 253)
        long = found.indices.filter { found[$0].value.count >= room }.prefix(Self.longValueLimit)
        return readNext()
    }

    private mutating func follow(_ step: Step<[UInt8]>) -> Step<[ReadByTypeResponse.Entry]> {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let value)):
            if let index = long.first { entries[index].value = value }
        case .finished(.failure(.refused)): break
        case .finished(.failure(let error)): return .failed(error)
        }
        long = long.dropFirst()
        return readNext()
    }

    private mutating func readNext() -> Step<[ReadByTypeResponse.Entry]> {
        guard let index = long.first else { return .finished(.success(entries)) }
        var procedure = ReadValue(entries[index].handle, mtu: mtu)
        let step = procedure.start()
        reading = procedure
        return follow(step)
    }
}
