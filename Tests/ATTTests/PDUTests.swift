import ATT
import TestSupport
import Testing
import Wire

/// One PDU of each kind, typed by hand from the specification or published with a test suite.
private let clientPDUs: [(hex: String, pdu: ClientPDU)] = [
    ("02 00 02", .exchangeMTU(ExchangeMTURequest(clientRxMTU: 512))),
    ("04 04 00 06 00", .findInformation(FindInformationRequest(HandleRange(4, 6)))),
    (
        "06 01 00 ff ff 00 28 0d 18",
        .findByTypeValue(FindByTypeValueRequest(.all, type: 0x2800, value: [0x0D, 0x18]))
    ),
    ("08 01 00 08 00 03 28", .readByType(ReadByTypeRequest(HandleRange(1, 8), type: 0x2803))),
    (
        "08 01 00 ff ff fb 34 9b 5f 80 00 00 80 00 10 00 00 00 00 00 f0",
        .readByType(ReadByTypeRequest(.all, type: BluetoothUUID(0xF000_0000 as UInt32)))
    ),
    ("0a 03 00", .read(ReadRequest(handle: 3))),
    ("0c 04 00 16 00", .readBlob(ReadBlobRequest(handle: 4, offset: 22))),
    ("0e 03 00 08 00", .readMultiple(ReadMultipleRequest(handles: [3, 8]))),
    ("20 03 00 08 00", .readMultipleVariable(ReadMultipleVariableRequest(handles: [3, 8]))),
    ("10 01 00 ff ff 00 28", .readByGroupType(ReadByGroupTypeRequest(.all, type: 0x2800))),
    ("12 04 00 01 00", .write(WriteRequest(handle: 4, value: [1, 0]))),
    ("16 82 00 03 00 04 05 06", .prepareWrite(PrepareWriteRequest(handle: 0x82, offset: 3, value: [4, 5, 6]))),
    ("18 01", .executeWrite(ExecuteWriteRequest(flags: 1))),
    ("1e", .confirmation(HandleValueConfirmation())),
    ("52 07 00 01 02 03", .writeCommand(WriteCommand(handle: 7, value: [1, 2, 3]))),
    (
        "d2 07 00 01 02 03 00 00 00 00 31 1f 0a cd 1c 3a 5b 0a",
        .signedWriteCommand(
            SignedWriteCommand(handle: 7, value: octets("01 02 03 00 00 00 00 31 1f 0a cd 1c 3a 5b 0a")))
    ),
    ("7e 01 02", .other(Opcode(0x7E), [1, 2])),
    ("0b 01", .other(.readResponse, [1])),
]

private let serverPDUs: [(hex: String, pdu: ServerPDU)] = [
    ("01 0a 03 00 02", .error(ErrorResponse(request: .readRequest, handle: 3, code: .readNotPermitted))),
    ("03 00 02", .exchangeMTU(ExchangeMTUResponse(serverRxMTU: 512))),
    (
        "05 01 04 00 01 29",
        .findInformation(FindInformationResponse(format: 1, informationData: octets("04 00 01 29")))
    ),
    ("07 05 00 08 00", .findByTypeValue(FindByTypeValueResponse(groups: [HandleRange(5, 8)]))),
    (
        "09 07 02 00 20 03 00 00 2a",
        .readByType(ReadByTypeResponse(length: 7, attributeData: octets("02 00 20 03 00 00 2a")))
    ),
    ("0b 01 02 03", .read(ReadResponse(value: [1, 2, 3]))),
    ("0d 01 02 03", .readBlob(ReadBlobResponse(value: [1, 2, 3]))),
    ("0f 01 02 03", .readMultiple(ReadMultipleResponse(values: [1, 2, 3]))),
    (
        "21 01 00 aa 02 00 bb cc",
        .readMultipleVariable(ReadMultipleVariableResponse(lengthValueTuples: octets("01 00 aa 02 00 bb cc")))
    ),
    (
        "11 06 05 00 08 00 0d 18",
        .readByGroupType(ReadByGroupTypeResponse(length: 6, attributeData: octets("05 00 08 00 0d 18")))
    ),
    ("13", .write(WriteResponse())),
    ("17 82 00 03 00 04 05 06", .prepareWrite(PrepareWriteResponse(handle: 0x82, offset: 3, value: [4, 5, 6]))),
    ("19", .executeWrite(ExecuteWriteResponse())),
    ("1b 4b 00 06 46", .notification(HandleValueNotification(handle: 0x4B, value: [0x06, 0x46]))),
    ("1d 03 00 01 02 03", .indication(HandleValueIndication(handle: 3, value: [1, 2, 3]))),
    (
        "23 03 00 01 00 aa 05 00 02 00 bb cc",
        .multipleNotification(
            MultipleHandleValueNotification(values: [
                HandleLengthValue(handle: 3, value: [0xAA]), HandleLengthValue(handle: 5, value: [0xBB, 0xCC]),
            ]))
    ),
    ("1c 01", .other(Opcode(0x1C), [1])),
    ("12 04 00", .other(.writeRequest, [4, 0])),
]

@Suite struct PDUTests {
    @Test func everyClientPDUOnTheWire() throws {
        for (hex, pdu) in clientPDUs {
            #expect(try ClientPDU(decoding: octets(hex)) == pdu, "\(hex)")
            #expect(pdu.encoded == octets(hex), "\(hex)")
            #expect(pdu.opcode.rawValue == octets(hex).first)
            #expect(pdu.described.isEmpty == (octets(hex).count == 1))
        }
    }

    @Test func everyServerPDUOnTheWire() throws {
        for (hex, pdu) in serverPDUs {
            #expect(try ServerPDU(decoding: octets(hex)) == pdu, "\(hex)")
            #expect(pdu.encoded == octets(hex), "\(hex)")
            #expect(pdu.opcode.rawValue == octets(hex).first)
            #expect(pdu.described.isEmpty == (octets(hex).count == 1))
        }
    }

    /// Cut at any length, a PDU is either refused with the place where it ends, or it ends in a field of any length.
    @Test func truncationAtEveryLength() throws {
        for (hex, _) in clientPDUs {
            let whole = octets(hex)
            for length in 0..<whole.count {
                let part = [UInt8](whole.prefix(length))
                check(part) { () throws(WireError) in try ClientPDU(decoding: part).encoded }
            }
        }
        for (hex, _) in serverPDUs {
            let whole = octets(hex)
            for length in 0..<whole.count {
                let part = [UInt8](whole.prefix(length))
                check(part) { () throws(WireError) in try ServerPDU(decoding: part).encoded }
            }
        }
    }

    private func check(_ part: [UInt8], _ recode: () throws(WireError) -> [UInt8]) {
        do {
            let again = try recode()
            // A UUID of four octets, which ATT does not know, is read all the same and written in sixteen.
            let hasUUIDOfFour = part.first == 0x08 && part.count == 9
            #expect(again == part || hasUUIDOfFour)
        } catch {
            switch error {
            case .truncated(_, let at, let needed, let remaining):
                #expect(at + remaining == part.count)
                #expect(needed > remaining)
            case .invalid(let field, _, _):
                #expect(field == "Attribute Type" || field == "Attribute Group Type")
            }
        }
    }

    @Test func offsetsCountFromTheOpcode() {
        #expect(throws: WireError.truncated(field: "Attribute Opcode", at: 0, needed: 1, remaining: 0)) {
            try ServerPDU(decoding: [])
        }
        #expect(throws: WireError.truncated(field: "Error Code", at: 4, needed: 1, remaining: 0)) {
            try ServerPDU(decoding: octets("01 0a 03 00"))
        }
        #expect(throws: WireError.truncated(field: "Attribute Handle", at: 1, needed: 2, remaining: 1)) {
            try ServerPDU(decoding: octets("1b 03"))
        }
        #expect(
            throws: WireError.invalid(
                field: "Attribute Group Type", at: 5, reason: "a UUID has 2, 4 or 16 octets, not 3")
        ) {
            try ClientPDU(decoding: octets("10 01 00 ff ff 00 28 00"))
        }
    }

    @Test func octetsBehindTheLastFieldAreCounted() throws {
        var trailing = 0
        let pdu = try ServerPDU(decoding: octets("03 17 00 aa bb").span, trailing: &trailing)
        #expect(pdu == .exchangeMTU(ExchangeMTUResponse(serverRxMTU: 23)))
        #expect(trailing == 2)
    }

    @Test func randomPacketsComeBack() throws {
        var generator = SeededGenerator(seed: 0x2A37)
        for _ in 0..<100 {
            try checkRandom(FindByTypeValueRequest.self, &generator)
            try checkRandom(ReadByTypeRequest.self, &generator)
            try checkRandom(ReadByGroupTypeRequest.self, &generator)
            try checkRandom(ReadMultipleRequest.self, &generator)
            try checkRandom(PrepareWriteRequest.self, &generator)
            try checkRandom(WriteRequest.self, &generator)
            try checkRandom(ErrorResponse.self, &generator)
            try checkRandom(FindInformationResponse.self, &generator)
            try checkRandom(ReadByTypeResponse.self, &generator)
            try checkRandom(HandleValueNotification.self, &generator)
        }
        // Random lengths in two octets make this one big.
        try checkRandom(MultipleHandleValueNotification.self, &generator)
    }

    private func checkRandom<Packet: PDU>(_ type: Packet.Type, _ generator: inout SeededGenerator) throws {
        let packet = Packet.random(using: &generator)
        #expect(try Packet(decoding: packet.encoded).encoded == packet.encoded)
        #expect(packet.encodedCount == packet.encoded.count)
        let whole = packet.octets
        let again =
            Packet.opcode.isFromClient ? try ClientPDU(decoding: whole).encoded : try ServerPDU(decoding: whole).encoded
        #expect(again == whole)
    }

    @Test func anyOctetsAreReadWithoutATrap() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = AnyPDU(bytes.span)
            if let pdu = try? ClientPDU(decoding: bytes) { _ = pdu.described }
            guard let pdu = try? ServerPDU(decoding: bytes) else { continue }
            switch pdu {
            case .findInformation(let list): _ = try? list.entries()
            case .findByTypeValue(let list): _ = try? list.groups()
            case .readByType(let list): _ = try? list.entries()
            case .readByGroupType(let list): _ = try? list.entries()
            case .readMultipleVariable(let list): _ = list.values
            default: _ = pdu.described
            }
        }
    }
}
