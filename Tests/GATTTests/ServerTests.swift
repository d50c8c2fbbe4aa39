import ATT
import GATT
import TestSupport
import Testing
import Wire

/// A server, a clock, and what came of the last input.
private struct ServerBench {
    var server: Server
    var now = Moment.zero

    init(_ definitions: [ServiceDefinition] = strapDefinitions) { server = Server(AttributeTable(definitions)) }

    @discardableResult
    mutating func handle(_ input: Server.Input, after delay: Duration = .zero) -> [Server.Effect] {
        now = now + delay
        var effects: [Server.Effect] = []
        server.handle(input, at: now, into: &effects)
        return effects
    }

    @discardableResult
    mutating func receive(_ hex: String) -> [Server.Effect] { handle(.received(octets(hex))) }
}

extension Server.Effect {
    static func transmit(_ hex: String) -> Server.Effect { .transmit(octets(hex)) }
}

/// GATT and Heart Rate, each with one characteristic, as in the GATT test suite.
private let published: [ServiceDefinition] = [
    ServiceDefinition(
        .genericAttribute,
        [
            CharacteristicDefinition(
                .deviceName, .read, value: [1, 2, 3],
                descriptors: [DescriptorDefinition(.characteristicUserDescription, value: [])])
        ]),
    ServiceDefinition(
        .heartRate,
        [
            CharacteristicDefinition(
                .manufacturerName, [.read, .write], value: [1, 2, 3],
                descriptors: [DescriptorDefinition(.characteristicUserDescription, value: [])])
        ]),
]

@Suite struct ServerTests {
    // MARK: Published exchanges

    @Test(arguments: [
        ("100100ffff0028", "11060100040001180500 08000d18"), ("100900ffff0028", "011009000a"),
        ("100100ffff0128", "011001000a"),
        ("08010008000228", "010801000a"), ("08010008000328", "0907020002 0300002a 06000a0700292a"),
        ("08030008000328", "090706000a0700292a"), ("08070008000328", "010807000a"), ("0404000400", "050104000129"),
        ("0408000800", "050108000129"), ("0a0300", "0b010203"), ("0a0000", "010a000001"), ("0a0900", "010a090001"),
        ("060100ffff00280d18", "0705000800"), ("060100ffff00280f18", "010601000a"),
        ("080100ffff002a", "09050300010203"), ("080100ffff0d2a", "010801000a"), ("120700010203", "13"),
        ("120400", "0112040003"), ("020002", "030502"),
    ])
    func exchanges(request: String, response: String) {
        var bench = ServerBench(published)
        let transmitted = bench.receive(request).filter { if case .transmit = $0 { true } else { false } }
        #expect(transmitted == [.transmit(response)])
    }

    @Test func publishedPrepareAndExecute() {
        let value = CharacteristicDefinition(0x2A00, [.read, .write], value: [])
        var bench = ServerBench([ServiceDefinition(.genericAttribute, at: 0x80, [value])])
        #expect(bench.receive("1682000000010203") == [.transmit("1782000000010203")])
        #expect(bench.receive("1682000300040506") == [.transmit("1782000300040506")])
        #expect(bench.receive("0a8200") == [.transmit("0b")])
        #expect(bench.receive("1801") == [.written(0x82, [1, 2, 3, 4, 5, 6]), .transmit("19")])
        #expect(bench.receive("0a8200") == [.transmit("0b010203040506")])
        #expect(bench.receive("1801") == [.transmit("19")])
    }

    // MARK: Ranges and lists

    @Test(arguments: [
        ("0400000500", "0104000001"), ("0405000400", "0104050001"), ("080000ffff0328", "0108000001"),
        ("0805000400 0328", "0108050001"), ("100000ffff0028", "0110000001"), ("060000ffff00280d18", "0106000001"),
        ("100100ffff0328", "0110010010"), ("100100ffff372a", "0110010010"), ("0430004000", "010430000a"),
    ])
    func wrongRanges(request: String, response: String) {
        var bench = ServerBench(published)
        #expect(bench.receive(request) == [.transmit(response)])
    }

    @Test func listsEndWhereTheWidthChangesAndWhereThePDUIsFull() {
        let vendor = BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 0x1234_5678_9ABC_DEF0)
        var bench = ServerBench([
            ServiceDefinition(.heartRate), ServiceDefinition(vendor), ServiceDefinition(.battery),
            ServiceDefinition(.battery),
            ServiceDefinition(.battery), ServiceDefinition(.battery),
        ])
        #expect(bench.receive("100100ffff0028") == [.transmit("1106010001000d18")])
        #expect(
            bench.receive("100200ffff0028") == [.transmit("111402000200f0debc9a78563412efcdab8967452301")])
        #expect(bench.receive("100300ffff0028") == [.transmit("1106030003000f18040004000f18050005000f18")])
        bench.receive("026400")
        #expect(
            bench.receive("100300ffff0028")
                == [.transmit("1106030003000f18040004000f18050005000f18060006000f18")])
    }

    @Test func includedServices() {
        let vendor = BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 0x1234_5678_9ABC_DEF0)
        let definitions = [
            ServiceDefinition(.heartRate, includes: [1, 2]), ServiceDefinition(.battery, isPrimary: false),
            ServiceDefinition(vendor, isPrimary: false),
        ]
        var bench = ServerBench(definitions)
        #expect(bench.receive("080100ffff0228") == [.transmit("09080200040004000f18")])
        #expect(bench.receive("080300ffff0228") == [.transmit("0906030005000500")])
        let database = run(DiscoverAll(), with: ServerPeer(definitions)).result?.value
        #expect(database?.service(.heartRate)?.includes.map(\.uuid) == [.battery, vendor])
        #expect(database?.services.map(\.isPrimary) == [true, false, false])
    }

    @Test func longValuesAreCutInLists() {
        let value = [UInt8](repeating: 7, count: 300)
        var bench = ServerBench([
            ServiceDefinition(.genericAccess, [CharacteristicDefinition(.deviceName, .read, value: value)])
        ])
        #expect(bench.receive("080100ffff002a") == [.transmit([0x09, 21, 3, 0] + [UInt8](repeating: 7, count: 19))])
        bench.receive("020502")
        #expect(bench.receive("080100ffff002a") == [.transmit([0x09, 255, 3, 0] + [UInt8](repeating: 7, count: 253))])
        #expect(bench.receive("0a0300") == [.transmit([0x0B] + value)])
        #expect(bench.receive("0c03002b01") == [.transmit("0d07")])
        #expect(bench.receive("0c03002c01") == [.transmit("0d")])
        #expect(bench.receive("0c03002d01") == [.transmit("010c030007")])
    }

    @Test func severalValuesAtOnce() {
        var bench = ServerBench(published)
        #expect(bench.receive("0e03000700") == [.transmit("0f010203010203")])
        #expect(bench.receive("2003000700") == [.transmit("210300010203 0300010203")])
        #expect(bench.receive("0e0300") == [.transmit("010e000004")])
        #expect(bench.receive("0e03000900") == [.transmit("010e090001")])
        #expect(
            bench.receive("0e030007") == [
                .noted(
                    .malformed(.readMultipleRequest, .truncated(field: "Handle", at: 3, needed: 2, remaining: 1))),
                .transmit("010e000004"),
            ])
    }

    // MARK: Permissions

    @Test func accessFollowsTheLinksSecurity() {
        let encrypted = CharacteristicDefinition(
            .deviceName, [.read, .write], value: [1], read: .encrypted, write: .authenticated)
        var bench = ServerBench([ServiceDefinition(.genericAccess, [encrypted])])
        #expect(bench.receive("0a0300") == [.transmit("010a03000f")])
        #expect(bench.receive("12030002") == [.transmit("0112030005")])
        #expect(bench.receive("080100ffff002a") == [.transmit("010803000f")])
        #expect(bench.receive("060100ffff002a01") == [.transmit("010601000a")])
        bench.server.security = .encrypted
        #expect(bench.receive("0a0300") == [.transmit("0b01")])
        #expect(bench.receive("060100ffff002a01") == [.transmit("0703000300")])
        #expect(bench.receive("12030002") == [.transmit("0112030005")])
        bench.server.security = .authenticated
        #expect(bench.receive("12030002") == [.written(3, [2]), .transmit("13")])
    }

    @Test func accessMayNeedMoreAndSayWhatItLikes() {
        let demanding = CharacteristicDefinition(
            .deviceName, .read, value: [1],
            read: .needs(.authenticatedSecureConnections, keySize: 16, else: .insufficientAuthorization))
        var bench = ServerBench([ServiceDefinition(.genericAccess, [demanding])])
        for security in [LinkSecurity.none, .encrypted, .authenticated] {
            bench.server.security = security
            #expect(bench.receive("0a0300") == [.transmit("010a030008")])
        }
        bench.server.security = .authenticatedSecureConnections
        bench.server.keySize = 15
        #expect(bench.receive("0a0300") == [.transmit("010a03000c")])
        bench.server.keySize = 16
        #expect(bench.receive("0a0300") == [.transmit("0b01")])
    }

    @Test func anUnreadableValueEndsAList() {
        let definitions = [
            ServiceDefinition(
                .battery,
                [
                    CharacteristicDefinition(.batteryLevel, .read, value: [1]),
                    CharacteristicDefinition(
                        .batteryLevel, .read, value: [2], read: .refused(.insufficientAuthorization)),
                ])
        ]
        var bench = ServerBench(definitions)
        #expect(bench.receive("080100ffff192a") == [.transmit("0903030001")])
        #expect(bench.receive("080400ffff192a") == [.transmit("0108050008")])
    }

    // MARK: Writes

    @Test func theOwnerDecides() {
        var bench = ServerBench()
        #expect(bench.receive("12110001") == [.askedToWrite(0x11, [1])])
        #expect(bench.handle(.decided(nil)) == [.written(0x11, [1]), .transmit("13")])
        #expect(bench.receive("12110002") == [.askedToWrite(0x11, [2])])
        #expect(bench.receive("0a0300") == [.noted(.requestOutOfTurn(.readRequest))])
        #expect(bench.handle(.decided(ErrorCode(0x80))) == [.transmit("0112110080")])
        #expect(bench.handle(.decided(nil)) == [])
        #expect(bench.receive("1211000101") == [.transmit("011211000d")])
        #expect(bench.receive("0a0f00") == [.transmit("0b01")])
    }

    @Test func theOwnerDecidesOnQueuedAndUnansweredWritesToo() {
        var bench = ServerBench()
        bench.receive("161100000001")
        #expect(bench.receive("1801") == [.askedToWrite(0x11, [1])])
        #expect(bench.handle(.decided(ErrorCode(0x80))) == [.transmit("0118110080")])
        #expect(bench.receive("52110001") == [.askedToWrite(0x11, [1])])
        #expect(
            bench.handle(.decided(ErrorCode(0x80))) == [.noted(.commandIgnored(.writeCommand, 0x11, ErrorCode(0x80)))])
        bench.receive("52110001")
        #expect(bench.handle(.decided(nil)) == [.written(0x11, [1])])
    }

    @Test func commandsAreNeverAnswered() {
        var bench = ServerBench()
        #expect(bench.receive("52ff0001") == [.noted(.commandIgnored(.writeCommand, 0xFF, .invalidHandle))])
        #expect(bench.receive("520f0001") == [.noted(.commandIgnored(.writeCommand, 0x0F, .writeNotPermitted))])
        #expect(bench.receive("520d000100") == [.configured(0x0C, .notifications)])
        #expect(
            bench.receive("d20d00010203") == [
                .noted(.commandIgnored(.signedWriteCommand, 0x0D, .insufficientAuthentication))
            ])
        #expect(
            bench.receive("5203") == [
                .noted(.malformed(.writeCommand, .truncated(field: "Attribute Handle", at: 1, needed: 2, remaining: 1)))
            ])
    }

    @Test func theQueueIsBoundedAndCanBeForgotten() {
        var bench = ServerBench()
        for _ in 0..<Server.preparedLimit { bench.receive("161100000001") }
        #expect(bench.receive("161100000001") == [.transmit("0116110009")])
        #expect(bench.receive("1800") == [.transmit("19")])
        #expect(bench.receive("1801") == [.transmit("19")])
        #expect(bench.receive("160f00000001") == [.transmit("01160f0003")])
        #expect(bench.receive("1802") == [.transmit("0118000004")])
        bench.receive("161100050001")
        #expect(bench.receive("1801") == [.transmit("0118110007")])
        bench.receive("16110000000102")
        #expect(bench.receive("1801") == [.transmit("011811000d")])
    }

    @Test func configurationsMustMakeSense() {
        var bench = ServerBench()
        #expect(bench.receive("120d0001") == [.transmit("01120d000d")])
        #expect(bench.receive("120d000200") == [.transmit("01120d00fd")])
        #expect(bench.receive("120d000300") == [.transmit("01120d00fd")])
        #expect(bench.receive("1209000200") == [.configured(8, .indications), .transmit("13")])
        #expect(bench.receive("0a0900") == [.transmit("0b0200")])
        #expect(bench.server.configurations == [8: .indications])
    }

    // MARK: Values unasked

    @Test func notificationsGoToWhoAskedAndAreCutAtTheMTU() {
        var bench = ServerBench()
        #expect(bench.handle(.update(0x0C, [0x06, 0x46])) == [])
        bench.receive("120d000100")
        #expect(bench.handle(.update(0x0C, [0x06, 0x46])) == [.transmit("1b0c000646")])
        let long = [UInt8](repeating: 1, count: 30)
        #expect(bench.handle(.update(0x0C, long)) == [.transmit([0x1B, 0x0C, 0x00] + long.prefix(20))])
        bench.receive("020002")
        #expect(bench.handle(.update(0x0C, long)) == [.transmit([0x1B, 0x0C, 0x00] + long)])
        bench.receive("120d000000")
        #expect(bench.handle(.update(0x0C, [1])) == [])
        #expect(bench.handle(.update(0x99, [1])) == [])
    }

    /// Some straps remember what a client asked for over connections.
    @Test func aRememberedConfigurationIsHeeded() {
        var bench = ServerBench()
        bench.handle(.set(0x0D, [0x01, 0x00]))
        #expect(bench.server.configurations == [0x0C: .notifications])
        #expect(bench.handle(.update(0x0C, [0x06, 0x46])) == [.transmit("1b0c000646")])
    }

    @Test func aNewValueIsReadByThoseWhoAsk() {
        var bench = ServerBench()
        #expect(bench.handle(.set(0x14, [55])) == [])
        #expect(bench.receive("0a1400") == [.transmit("0b37")])
        bench.handle(.update(0x14, [54]))
        #expect(bench.receive("0a1400") == [.transmit("0b36")])
    }

    @Test func indicationsWaitForTheirConfirmation() {
        var bench = ServerBench()
        bench.receive("1209000200")
        #expect(bench.handle(.update(8, [1])) == [.transmit("1d080001")])
        #expect(bench.handle(.update(8, [2])) == [])
        #expect(bench.receive("1e") == [.confirmed(8), .transmit("1d080002")])
        #expect(bench.server.nextDeadline == bench.now + .seconds(30))
        #expect(bench.receive("1e") == [.confirmed(8)])
        #expect(bench.server.nextDeadline == nil)
        #expect(bench.receive("1e") == [.noted(.unexpectedConfirmation)])
    }

    @Test func anUnconfirmedIndicationEndsTheLinkAfter30Seconds() {
        var bench = ServerBench()
        bench.receive("1209000200")
        bench.handle(.update(8, [1]))
        #expect(bench.handle(.wake, after: .milliseconds(29_999)) == [])
        #expect(bench.handle(.wake, after: .milliseconds(1)) == [.disconnect(unconfirmed: 8)])
        #expect(bench.handle(.wake, after: .seconds(1)) == [])
    }

    @Test func waitingIndicationsAreBounded() {
        var bench = ServerBench()
        bench.receive("1209000200")
        for number in 0...Server.indicationLimit {
            #expect(!bench.handle(.update(8, [UInt8(number)])).contains(.indicationDropped(8)))
        }
        #expect(bench.handle(.update(8, [99])) == [.indicationDropped(8)])
        #expect(bench.receive("1e") == [.confirmed(8), .transmit("1d080002")])
    }

    // MARK: MTU and oddities

    @Test(arguments: [("020a00", 23), ("021700", 23), ("02f700", 247), ("02ffff", 517)])
    func theMTUFollowsTheExchange(hex: String, agreed: Int) {
        var bench = ServerBench()
        #expect(bench.receive(hex) == [.transmit("030502")])
        #expect(bench.server.mtu == agreed)
        bench.server.mtu = 0
        #expect(bench.server.mtu == 23)
    }

    @Test func octetsBehindARequestAreNoted() {
        var bench = ServerBench()
        #expect(
            bench.receive("0a0f00ff") == [.noted(.trailingOctets(.readRequest, count: 1)), .transmit("0b01")])
    }

    @Test func responsesAreNotForAServer() {
        var bench = ServerBench()
        #expect(bench.receive("0b01") == [.noted(.unknown(.readResponse))])
        #expect(bench.receive("1b030001") == [.noted(.unknown(.handleValueNotification))])
        let empty = WireError.truncated(field: "Attribute Opcode", at: 0, needed: 1, remaining: 0)
        #expect(bench.receive("") == [.noted(.malformed(Opcode(0), empty))])
    }

    /// Whatever its opcode, a request gets one answer and anything else none.
    @Test func everyOpcodeAtEveryLength() {
        for raw in UInt8.min...UInt8.max {
            for length in 0...8 {
                var bench = ServerBench()
                let opcode = Opcode(raw)
                let effects = bench.handle(.received([raw] + [UInt8](repeating: 1, count: length)))
                let answers = effects.filter { if case .transmit = $0 { true } else { false } }.count
                #expect(answers == (opcode.kind == .request ? 1 : 0), "\(opcode.hexadecimal) + \(length)")
                if opcode.name == nil, opcode.kind == .request {
                    #expect(effects.last == .transmit([0x01, raw, 0x00, 0x00, 0x06]))
                }
            }
        }
    }

    @Test func randomRequests() {
        var generator = SeededGenerator(seed: 0x180D)
        var bench = ServerBench()
        let opcodes: [UInt8] = [
            0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x1E, 0x20, 0x52, 0xD2,
        ]
        for _ in 0..<20_000 {
            var pdu = [opcodes.randomElement(using: &generator) ?? 0x0A]
            for _ in 0..<Int.random(in: 0...10, using: &generator) {
                pdu.append(
                    UInt8.random(in: 0...255, using: &generator) & (Bool.random(using: &generator) ? 0x1F : 0xFF))
            }
            for case .transmit(let answer) in bench.handle(.received(pdu)) {
                #expect(answer.count <= 517)
                #expect((try? ServerPDU(decoding: answer)) != nil)
            }
            bench.handle(.decided(nil))
            bench.handle(.update(0x0C, pdu))
        }
    }
}
