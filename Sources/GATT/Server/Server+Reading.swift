import ATT
import Wire

extension Server {
    func read(_ request: ReadRequest) throws(Refusal) -> ServerPDU {
        .read(ReadResponse(value: [UInt8](try value(of: request.handle).prefix(mtu - 1))))
    }

    func readBlob(_ request: ReadBlobRequest) throws(Refusal) -> ServerPDU {
        let value = try value(of: request.handle)
        guard request.offset <= value.count else { throw Refusal(.invalidOffset, request.handle) }
        return .readBlob(ReadBlobResponse(value: [UInt8](value.dropFirst(Int(request.offset)).prefix(mtu - 1))))
    }

    func readMultiple(_ request: ReadMultipleRequest) throws(Refusal) -> ServerPDU {
        let values = try values(of: request.handles).joined()
        return .readMultiple(ReadMultipleResponse(values: [UInt8](values.prefix(mtu - 1))))
    }

    func readMultipleVariable(_ request: ReadMultipleVariableRequest) throws(Refusal) -> ServerPDU {
        var tuples: [UInt8] = []
        for value in try values(of: request.handles) where tuples.count + 2 <= mtu - 1 {
            tuples.append(littleEndian: UInt16(clamping: value.count))
            tuples += value
        }
        return .readMultipleVariable(ReadMultipleVariableResponse(lengthValueTuples: [UInt8](tuples.prefix(mtu - 1))))
    }

    private func values(of handles: [Handle]) throws(Refusal) -> [[UInt8]] {
        guard handles.count >= 2 else { throw Refusal(.invalidPDU) }
        var values: [[UInt8]] = []
        for handle in handles { values.append(try value(of: handle)) }
        return values
    }

    private func value(of handle: Handle) throws(Refusal) -> [UInt8] {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle, handle) }
        if let code = attribute.read.refusal(on: link, never: .readNotPermitted) { throw Refusal(code, handle) }
        return attribute.value
    }
}
