import ATT
import Testing
import Wire

@Suite struct NumberTests {
    @Test func handlesStopAtTheEnds() {
        #expect(Handle(0x0001).next == 0x0002)
        #expect(Handle.last.next == nil)
        #expect(Handle.none.previous == nil)
        #expect(Handle(0x0001).previous == Handle.none)
        #expect(Handle(0x0012).description == "0x0012")
    }

    @Test func rangesGoOnBehindAHandle() {
        #expect(HandleRange.all.after(0x0004) == HandleRange(0x0005, 0xFFFF))
        #expect(HandleRange.all.after(.last) == nil)
        #expect(HandleRange(0x0005, 0x0008).after(0x0008) == nil)
        #expect(HandleRange(0x0005, 0x0008).after(0x0001) == HandleRange(0x0005, 0x0008))
        #expect(HandleRange(0x0005, 0x0004).isEmpty)
        #expect(HandleRange(0x0005, 0x0004).after(0x0001) == nil)
        #expect(HandleRange(0x0005, 0x0005).contains(0x0005))
        #expect(!HandleRange(0x0005, 0x0005).contains(0x0006))
        #expect(HandleRange(0x0005, 0x0008).description == "0x0005–0x0008")
    }

    @Test func everyOpcodeDescribesItselfAndHasAKind() {
        for raw in UInt8.min...UInt8.max {
            let opcode = Opcode(raw)
            #expect(!opcode.description.isEmpty)
            #expect(Opcode(rawValue: opcode.rawValue) == opcode)
            if opcode.name == nil { #expect(opcode.kind == (raw & 0x40 == 0 ? .request : .command)) }
            if let response = opcode.response, opcode.name != nil {
                #expect(response.kind == .response)
                #expect(response.name == opcode.name?.replacing("Request", with: "Response"))
            }
        }
        #expect(Opcode.errorResponse.name == "Error Response")
        #expect(Opcode(0x7E).description == "0x7E")
    }

    @Test(
        arguments: [
            (0x01, PDUKind.response), (0x02, .request), (0x03, .response), (0x12, .request), (0x13, .response),
            (0x1B, .notification),
            (0x1D, .indication), (0x1E, .confirmation), (0x20, .request), (0x21, .response), (0x23, .notification),
            (0x52, .command), (0xD2, .command),
        ] as [(UInt8, PDUKind)])
    func kinds(raw: UInt8, kind: PDUKind) {
        #expect(Opcode(raw).kind == kind)
    }

    @Test func directions() {
        let fromServer = (UInt8.min...UInt8.max).filter { !Opcode($0).isFromClient }
        #expect(
            fromServer == [
                0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x21, 0x23,
            ])
        #expect(Opcode.signedWriteCommand.isSigned)
        #expect(!Opcode.writeCommand.isSigned)
    }

    @Test func everyErrorCodeDescribesItself() {
        for raw in UInt8.min...UInt8.max {
            let code = ErrorCode(raw)
            #expect(!code.description.isEmpty)
            #expect(ErrorCode(rawValue: code.rawValue) == code)
            let isNamed = (0x01...0x13).contains(raw) || (0x80...0x9F).contains(raw) || raw >= 0xE0
            #expect((code.name != nil) == isNamed, "\(code.hexadecimal)")
        }
        #expect(ErrorCode(0x0A).description == "Attribute Not Found")
        #expect(ErrorCode(0x80).description == "Application Error 0x80")
        #expect(ErrorCode(0xE1).description == "Common Profile and Service Error 0xE1")
        #expect(ErrorCode(0xFC).description == "Write Request Rejected")
        #expect(ErrorCode(0xFF).description == "Out of Range")
        #expect(ErrorCode(0x14).description == "0x14")
    }
}
