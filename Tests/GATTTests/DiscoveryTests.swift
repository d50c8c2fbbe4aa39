import ATT
import GATT
import TestSupport
import Testing
import Wire

@Suite struct DiscoveryTests {
    /// GATT and Heart Rate, as in the GATT test suite.
    @Test func publishedDiscovery() throws {
        var peer = ScriptedPeer(
            """
            > 100100ffff0028 < 1106010004000118
            > 100500ffff0028 < 1106050008000d18
            > 100900ffff0028 < 011009000a
            > 100100ffff0128 < 011001000a
            > 08010008000228 < 010801000a
            > 08010008000328 < 09070200020300002a
            > 08030008000328 < 090706000a0700292a
            > 08070008000328 < 010807000a
            > 0404000400 < 050104000129
            > 0408000800 < 050108000129
            """)
        let outcome = run(DiscoverAll(), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        let database = try #require(outcome.result?.value)
        #expect(
            database.services == [
                Service(
                    uuid: .genericAttribute, range: HandleRange(1, 4),
                    characteristics: [
                        Characteristic(
                            uuid: .deviceName, handle: 2, valueHandle: 3, endHandle: 4, properties: .read,
                            descriptors: [Descriptor(uuid: .characteristicUserDescription, handle: 4)])
                    ]),
                Service(
                    uuid: .heartRate, range: HandleRange(5, 8),
                    characteristics: [
                        Characteristic(
                            uuid: .manufacturerName, handle: 6, valueHandle: 7, endHandle: 8,
                            properties: [.read, .write],
                            descriptors: [Descriptor(uuid: .characteristicUserDescription, handle: 8)])
                    ]),
            ])
        #expect(database.refusals.isEmpty)
    }

    /// Handles of a real band, as seen on the air.
    @Test func servicesOfARealBand() {
        var peer = ScriptedPeer(
            """
            > 100100ffff0028 < 11061a0020001118210023000218240029000d18
            > 102a00ffff0028 < 01102a000a
            """)
        let outcome = run(DiscoverPrimaryServices(), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(
            outcome.result
                == .success([
                    Service(uuid: 0x1811, range: HandleRange(0x1A, 0x20)),
                    Service(uuid: 0x1802, range: HandleRange(0x21, 0x23)),
                    Service(uuid: .heartRate, range: HandleRange(0x24, 0x29)),
                ]))
    }

    @Test func characteristicsOfARealBand() {
        var peer = ScriptedPeer(
            """
            > 08240029000328 < 09072500102600372a28000a2900392a
            > 08290029000328 < 010829000a
            """)
        let outcome = run(DiscoverCharacteristics(in: HandleRange(0x24, 0x29)), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(
            outcome.result
                == .success([
                    Characteristic(
                        uuid: .heartRateMeasurement, handle: 0x25, valueHandle: 0x26, endHandle: 0x27,
                        properties: .notify),
                    Characteristic(
                        uuid: .heartRateControlPoint, handle: 0x28, valueHandle: 0x29, endHandle: 0x29,
                        properties: [.read, .write]),
                ]))
    }

    @Test func descriptorsOnePageAfterTheOther() {
        var peer = ScriptedPeer("> 0404000600 < 05010400022905000129 > 0406000600 < 050106000029")
        let outcome = run(DiscoverDescriptors(in: HandleRange(4, 6)), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(
            outcome.result
                == .success([
                    Descriptor(uuid: 0x2902, handle: 4), Descriptor(uuid: 0x2901, handle: 5),
                    Descriptor(uuid: 0x2900, handle: 6),
                ]))
    }

    @Test func descriptorsOfBothWidths() {
        var peer = ScriptedPeer(
            """
            > 0404000600 < 050104000229
            > 0405000600 < 05020500f0debc9a78563412efcdab8967452301
            > 0406000600 < 050106000129
            """)
        let outcome = run(DiscoverDescriptors(in: HandleRange(4, 6)), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(outcome.result?.value?.map(\.handle) == [4, 5, 6])
    }

    @Test func servicesByUUID() {
        var peer = ScriptedPeer(
            "> 060100ffff00280d18 < 070500080010001400 > 061500ffff00280d18 < 010615000a")
        let outcome = run(DiscoverServices(.heartRate), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(
            outcome.result
                == .success([
                    Service(uuid: .heartRate, range: HandleRange(0x05, 0x08)),
                    Service(uuid: .heartRate, range: HandleRange(0x10, 0x14)),
                ]))
    }

    /// A page ends where the width of the UUIDs changes; what comes behind is not skipped.
    @Test func mixedWidthsOfServicesAndCharacteristics() {
        var services = ScriptedPeer(
            """
            > 100100ffff0028 < 1106010004000118
            > 100500ffff0028 < 111405000800f0debc9a78563412efcdab8967452301
            > 100900ffff0028 < 110609000c000d18
            > 100d00ffff0028 < 01100d000a
            """)
        #expect(run(DiscoverPrimaryServices(), with: &services).result?.value?.map(\.handle) == [1, 5, 9])
        #expect(services.isFinished, "\(services.surprises)")

        var characteristics = ScriptedPeer(
            """
            > 08090020000328 < 09150a00020b00f0debc9a78563412efcdab8967452301
            > 080b0020000328 < 09070c00100d00372a
            > 080d0020000328 < 01080d000a
            """)
        let found = run(DiscoverCharacteristics(in: HandleRange(9, 0x20)), with: &characteristics).result?.value
        #expect(found?.map(\.endHandle) == [0x0B, 0x20])
        #expect(found?.last?.uuid == .heartRateMeasurement)
        #expect(characteristics.isFinished, "\(characteristics.surprises)")
    }

    @Test func theWalkStopsAtTheLastHandle() {
        var services = ScriptedPeer("> 100100ffff0028 < 11060100ffff0d18")
        #expect(
            run(DiscoverPrimaryServices(), with: &services).result
                == .success([Service(uuid: .heartRate, range: HandleRange(0x0001, 0xFFFF))]))
        #expect(services.isFinished, "\(services.surprises)")

        var descriptors = ScriptedPeer("> 04feffffff < 0501feff0229ffff0129")
        #expect(run(DiscoverDescriptors(in: HandleRange(0xFFFE, 0xFFFF)), with: &descriptors).result?.value?.count == 2)
        #expect(descriptors.isFinished, "\(descriptors.surprises)")

        var characteristics = ScriptedPeer("> 08f0ffffff0328 < 0907feff02ffff002a > 08ffffffff0328 < 0108ffff0a")
        let found = run(DiscoverCharacteristics(in: HandleRange(0xFFF0, 0xFFFF)), with: &characteristics).result?.value
        #expect(found?.map(\.endHandle) == [0xFFFF])
        #expect(found?.first?.descriptorRange == nil)
        #expect(characteristics.isFinished, "\(characteristics.surprises)")
    }

    /// Some peers give 0 as the end of a service.
    @Test func endsBeforeTheStartAreMended() {
        var peer = ScriptedPeer(
            """
            > 100100ffff0028 < 1106010000000118050003000d18
            > 100600ffff0028 < 1106090000000f18
            > 100a00ffff0028 < 01100a000a
            """)
        let services = run(DiscoverPrimaryServices(), with: &peer).result?.value
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(services?.map(\.range) == [HandleRange(1, 4), HandleRange(5, 8), HandleRange(9, 0xFFFF)])
    }

    @Test func emptyRangesAskNothing() {
        var walk = DiscoverDescriptors(in: HandleRange(9, 8))
        #expect(walk.start() == .finished(.success([])))
    }

    @Test func includedServices() throws {
        var peer = ScriptedPeer(
            """
            > 08010020000228 < 09080200100014000f18
            > 08030020000228 < 0906030015001a00
            > 08040020000228 < 010804000a
            > 0a1500 < 0bf0debc9a78563412efcdab8967452301
            """)
        let outcome = run(DiscoverIncludedServices(in: HandleRange(1, 0x20)), with: &peer)
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(
            outcome.result
                == .success([
                    IncludedService(handle: 2, range: HandleRange(0x10, 0x14), uuid: .battery),
                    IncludedService(
                        handle: 3, range: HandleRange(0x15, 0x1A),
                        uuid: BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 0x1234_5678_9ABC_DEF0)),
                ]))
    }

    @Test func anIncludedServiceThatCannotBeReadStaysUnknown() {
        var peer = ScriptedPeer(
            "> 08010020000228 < 0906030015001a00 > 08040020000228 < 010804000a > 0a1500 < 010a150005")
        let outcome = run(DiscoverIncludedServices(in: HandleRange(1, 0x20)), with: &peer)
        #expect(
            outcome.result == .success([IncludedService(handle: 3, range: HandleRange(0x15, 0x1A), uuid: nil)]))
    }

    @Test func aPeerThatRefusesPartsIsDiscoveredInPart() throws {
        var peer = RulePeer { request, _ in
            switch (request[0], request.suffix(2)) {
            case (0x10, [0x00, 0x28]): request[1] == 1 ? octets("1106010008000d18") : octets("011009000a")
            case (0x08, [0x03, 0x28]): request[1] == 1 ? octets("0907020010 0300372a") : octets("010803000a")
            default: [0x01, request[0], request[1], request[2], 0x06]
            }
        }
        let outcome = run(DiscoverAll(), with: &peer)
        let database = try #require(outcome.result?.value)
        #expect(database.characteristic(.heartRateMeasurement)?.valueHandle == 3)
        #expect(database.refusals.count == 3)
        #expect(
            database.refusals.first
                == .refused(request: .readByGroupTypeRequest, handle: 1, code: .requestNotSupported))
    }

    @Test func theWholeDatabaseOfOurServer() throws {
        let outcome = run(DiscoverAll(), with: ServerPeer(strapDefinitions))
        let database = try #require(outcome.result?.value)
        #expect(
            database.description == """
                0x0001–0x0005 service 1800
                  0x0003 characteristic 2A00 [read]
                  0x0005 characteristic 2A01 [read]
                0x0006–0x0009 service 1801
                  0x0008 characteristic 2A05 [indicate]
                    0x0009 descriptor 2902
                0x000A–0x0011 service 180D
                  0x000C characteristic 2A37 [notify]
                    0x000D descriptor 2902
                  0x000F characteristic 2A38 [read]
                  0x0011 characteristic 2A39 [write]
                0x0012–0x0015 service 180F
                  0x0014 characteristic 2A19 [read, notify]
                    0x0015 descriptor 2902
                """)
        #expect(database.characteristic(at: 0x000D)?.uuid == .heartRateMeasurement)
        #expect(database.characteristic(at: 0x000A) == nil)
        #expect(database.service(.battery)?.characteristic(.batteryLevel)?.descriptor(0x2902)?.handle == 0x0015)
        #expect(database.services(.heartRate).count == 1)
        #expect(database.characteristic(.batteryLevel, in: .heartRate) == nil)
    }
}
