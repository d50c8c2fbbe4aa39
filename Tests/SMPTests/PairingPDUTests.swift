import SMP
import TestSupport
import Testing
import Wire

@Suite struct PairingPDUTests {
    /// The features of a published pairing (apache/mynewt-nimble ble_sm_sc_test.c, peer_jw_iio3_rio3).
    @Test func pairingRequest() throws {
        let pdu = try PairingPDU(decoding: octets("01 03 00 09 10 0d 0f"))
        guard case .pairingRequest(let features) = pdu else {
            Issue.record("\(pdu)")
            return
        }
        #expect(features.ioCapability == .noInputNoOutput)
        #expect(features.authentication == [.bonding, .secureConnections])
        #expect(features.maximumKeySize == 16)
        #expect(features.initiatorKeys == [.encryption, .signing, .link])
        #expect(pdu.encoded == octets("010300 09100d0f"))
        #expect(
            features.described.map(\.text) == [
                "NoInputNoOutput (0x03)", "0", "Bonding, SC (0x09)", "16", "EncKey, SignKey, LinkKey (0x0D)",
                "EncKey, IdKey, SignKey, LinkKey (0x0F)",
            ])
    }

    @Test func everyCode() throws {
        let lengths = [7, 7, 17, 17, 2, 17, 11, 17, 8, 17, 2, 65, 17, 2]
        var generator = SeededGenerator(seed: 6)
        for raw in UInt8.min...UInt8.max {
            let code = PairingCode(rawValue: raw)
            let index = Int(raw) - 1
            guard lengths.indices.contains(index) else {
                #expect(code.name == nil)
                #expect(try PairingPDU(decoding: [raw, 1, 2]) == .other(code, [1, 2]))
                continue
            }
            let whole = [raw] + (1..<lengths[index]).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let pdu = try PairingPDU(decoding: whole)
            #expect(pdu.code == code)
            #expect(pdu.encoded == whole)
            #expect(pdu.content?.described.isEmpty == false)
            for count in 0..<whole.count {
                #expect(throws: WireError.self) { try PairingPDU(decoding: Array(whole.prefix(count))) }
            }
        }
        #expect(PairingCode(rawValue: 0x0E).description == "Pairing Keypress Notification")
    }

    @Test func fieldsInTheirPlaces() throws {
        #expect(try PairingPDU(decoding: octets("05 05")) == .pairingFailed(PairingFailed(.pairingNotSupported)))
        guard case .centralIdentification(let key) = try PairingPDU(decoding: octets("07 3412 0807060504030201")),
            case .identityAddressInformation(let identity) = try PairingPDU(decoding: octets("09 01 0104f3f2f1f0"))
        else {
            Issue.record("wrong kinds")
            return
        }
        #expect(key.encryptedDiversifier == 0x1234)
        #expect(key.random == 0x0102_0304_0506_0708)
        #expect(identity.kind == 1)
        #expect(identity.address.description == "F0:F1:F2:F3:04:01")
    }

    @Test func reasons() {
        #expect(PairingFailure.pairingNotSupported.description == "Pairing Not Supported")
        #expect(PairingFailure.commandNotSupported.description == "Command Not Supported")
        #expect(PairingFailure(rawValue: 0x0B).description == "DHKey Check Failed")
        #expect(PairingFailure(rawValue: 0x10).description == "Busy")
        #expect(PairingFailure(rawValue: 0x11).description == "0x11")
        for raw in UInt8.min...UInt8.max {
            #expect(!PairingFailure(rawValue: raw).description.isEmpty)
            #expect(!IOCapability(rawValue: raw).description.isEmpty)
            #expect(!KeypressNotification(rawValue: raw).description.isEmpty)
            #expect(!AuthenticationRequirements(rawValue: raw).description.isEmpty)
            #expect(!KeyDistribution(rawValue: raw).description.isEmpty)
        }
    }
}
