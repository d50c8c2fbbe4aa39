import ATT
import Wire

// MARK: - Write Request, Write Command

extension Server {
    mutating func write(_ request: WriteRequest, into effects: inout [Effect]) throws(Refusal) {
        let write = Write(handle: request.handle, value: request.value)
        try check(write)
        begin([write], answering: WriteRequest.opcode, into: &effects)
    }

    mutating func write(_ command: WriteCommand, into effects: inout [Effect]) {
        do throws(Refusal) {
            let write = Write(handle: command.handle, value: command.value)
            try check(write)
            guard undecided == nil else { throw Refusal(.procedureAlreadyInProgress) }
            begin([write], answering: nil, into: &effects)
        } catch {
            effects.append(.noted(.commandIgnored(WriteCommand.opcode, command.handle, error.code)))
        }
    }

    /// Whether this client may write this value there.
    private func check(_ write: Write) throws(Refusal) {
        let attribute = try writable(write.handle)
        guard write.value.count <= attribute.longestValue else {
            throw Refusal(.invalidAttributeValueLength, write.handle)
        }
        guard attribute.configures != nil else { return }
        guard let bits = ClientConfiguration(octets: write.value) else {
            throw Refusal(.invalidAttributeValueLength, write.handle)
        }
        guard bits.isSubset(of: attribute.configurable) else {
            throw Refusal(.clientConfigurationImproper, write.handle)
        }
    }

    private func writable(_ handle: Handle) throws(Refusal) -> Attribute {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle, handle) }
        if let code = attribute.write.refusal(on: link, never: .writeNotPermitted) { throw Refusal(code, handle) }
        return attribute
    }
}

// MARK: - Prepare Write Request, Execute Write Request

extension Server {
    mutating func prepare(_ request: PrepareWriteRequest) throws(Refusal) -> ServerPDU {
        _ = try writable(request.handle)
        // The response repeats the request, so one that is longer than agreed has no response.
        guard request.encodedCount + 1 <= mtu else { throw Refusal(.invalidPDU, request.handle) }
        guard prepared.count < Self.preparedLimit else { throw Refusal(.prepareQueueFull, request.handle) }
        prepared.append(request)
        return .prepareWrite(
            PrepareWriteResponse(handle: request.handle, offset: request.offset, value: request.value))
    }

    mutating func execute(_ request: ExecuteWriteRequest, into effects: inout [Effect]) throws(Refusal) {
        guard request.flags <= 0x01 else { throw Refusal(.invalidPDU) }
        let parts = prepared
        prepared = []
        let writes = request.flags == 0x01 ? try Self.assemble(parts, over: table) : []
        for write in writes { try check(write) }
        begin(writes, answering: ExecuteWriteRequest.opcode, into: &effects)
    }

    /// The whole values that queued parts make: in the order queued, each part set over what stands behind its offset.
    private static func assemble(
        _ parts: [PrepareWriteRequest], over table: AttributeTable
    ) throws(Refusal) -> [Write] {
        var writes: [Write] = []
        for part in parts {
            let index = writes.firstIndex { $0.handle == part.handle } ?? writes.endIndex
            if index == writes.endIndex {
                writes.append(Write(handle: part.handle, value: table[part.handle]?.value ?? []))
            }
            guard part.offset <= writes[index].value.count else { throw Refusal(.invalidOffset, part.handle) }
            writes[index].value = writes[index].value.prefix(Int(part.offset)) + part.value
        }
        return writes
    }
}

// MARK: - Carrying out

extension Server {
    private mutating func begin(_ writes: [Write], answering request: Opcode?, into effects: inout [Effect]) {
        undecided = UndecidedWrite(request: request, writes: writes[...])
        proceed(into: &effects)
    }

    /// Stores one value after the other, up to one on which the owner decides; answers after the last.
    private mutating func proceed(into effects: inout [Effect]) {
        while let write = undecided?.writes.first {
            if table[write.handle]?.asksOwner == true {
                return effects.append(.askedToWrite(write.handle, write.value))
            }
            store(write, into: &effects)
        }
        if let request = undecided?.request, let response = request.response {
            effects.append(.transmit([response.rawValue]))
        }
        undecided = nil
    }

    mutating func decide(_ refusal: ErrorCode?, into effects: inout [Effect]) {
        guard let pending = undecided, let write = pending.writes.first else { return }
        guard let refusal else {
            store(write, into: &effects)
            return proceed(into: &effects)
        }
        undecided = nil
        if let request = pending.request {
            refuse(request, Refusal(refusal, write.handle), into: &effects)
        } else {
            effects.append(.noted(.commandIgnored(WriteCommand.opcode, write.handle, refusal)))
        }
    }

    private mutating func store(_ write: Write, into effects: inout [Effect]) {
        undecided?.writes.removeFirst()
        table[write.handle]?.value = write.value
        guard let valueHandle = table[write.handle]?.configures, let bits = ClientConfiguration(octets: write.value)
        else {
            return effects.append(.written(write.handle, write.value))
        }
        effects.append(.configured(valueHandle, bits))
    }
}
