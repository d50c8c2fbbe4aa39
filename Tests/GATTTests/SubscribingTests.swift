import ATT
import GATT
import TestSupport
import Testing
import Wire

@Suite struct SubscribingTests {
    private let find = FindNotifyingCharacteristic(.heartRateMeasurement, in: .heartRate)

    /// From nothing known to the write of the descriptor: four requests, each as narrow as can be.
    @Test func fourRequestsForAnUnknownStrap() throws {
        var peer = ServerPeer(strapDefinitions)
        let outcome = run(find, with: &peer)
        let found = try #require(outcome.result?.value)
        #expect(
            found
                == NotifyingCharacteristic(
                    service: HandleRange(0x0A, 0x11), uuid: .heartRateMeasurement, valueHandle: 0x0C,
                    properties: .notify,
                    configurationHandle: 0x0D, configuration: .notifications))
        let write = run(found.enabling, with: &peer)
        #expect(write.result == .success(WriteResponse()))
        #expect(
            outcome.requests + write.requests == ["060100ffff00280d18", "080a0011000328", "040d000d00", "120d000100"])
        #expect(peer.told.contains(.configured(0x0C, .notifications)))
        #expect(peer.server.configurations == [0x0C: .notifications])
        #expect(run(found.disabling, with: &peer).requests == ["120d000000"])
        #expect(peer.server.configurations.isEmpty)
    }

    /// A service with the measurement alone: the end of the characteristic is the service's, and is not asked for.
    @Test func fourRequestsWithTheMeasurementAlone() throws {
        var peer = ServerPeer([
            ServiceDefinition(.heartRate, at: 0x20, [CharacteristicDefinition(.heartRateMeasurement, .notify)])
        ])
        let outcome = run(find, with: &peer)
        #expect(outcome.requests == ["060100ffff00280d18", "08200023000328", "0423002300"])
        #expect(outcome.result?.value?.configurationHandle == 0x23)
    }

    /// Handles of a real band, which is asked for all its services because it refuses to search for one.
    @Test(arguments: ["06", "10", "05", "0e"]) func aPeerThatCannotSearch(code: String) {
        var peer = ScriptedPeer(
            """
            > 060100ffff00280d18 < 01060100\(code)
            > 100100ffff0028 < 11061a0020001118210023000218240029000d18
            > 08240029000328 < 09072500102600372a28000a2900392a
            > 0427002700 < 050127000229
            """)
        let found = run(find, with: &peer).result?.value
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(found?.valueHandle == 0x26)
        #expect(found?.configurationHandle == 0x27)
    }

    @Test func aPeerThatCanNeitherSearchNorList() {
        let peer = RulePeer { request, _ in [0x01, request[0], 0x01, 0x00, 0x06] }
        #expect(
            run(find, with: peer).result?.error
                == .refused(request: .readByGroupTypeRequest, handle: 1, code: .requestNotSupported))
    }

    /// The wanted characteristic is the last of its page: the descriptors are listed up to the next declaration.
    @Test func theListingOfDescriptorsStopsAtTheNextDeclaration() {
        var peer = ScriptedPeer(
            """
            > 060100ffff00280d18 < 0710002000
            > 08100020000328 < 0907110010 1200372a
            > 0413002000 < 0501 1300 0129 1400 0328 1500 382a
            """)
        #expect(
            run(find, with: &peer).result?.error == .configurationNotFound(.heartRateMeasurement, valueHandle: 0x12))
        // The search for services goes on, as there might be another; the script has no answer to that.
        #expect(peer.surprises == ["unexpected 062100ffff00280d18"])
    }

    @Test func theDescriptorNeedNotComeFirst() {
        var peer = ScriptedPeer(
            """
            > 060100ffff00280d18 < 0710002000
            > 08100020000328 < 0907110010 1200372a
            > 0413002000 < 0502 1300 f0debc9a78563412efcdab8967452301
            > 0414002000 < 0501 1400 0129 1500 0229 1600 0328
            """)
        #expect(run(find, with: &peer).result?.value?.configurationHandle == 0x15)
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    /// Such a peer compares octets: asked for two, it does not find the sixteen that it was declared with.
    @Test func aServiceDeclaredInThe128BitForm() {
        var peer = ScriptedPeer(
            """
            > 060100ffff00280d18 < 010601000a
            > 100100ffff0028 <11060100090000180a000f000118
            > 101000ffff0028 < 111410001700fb349b5f80000080001000000d180000
            > 08100017000328 < 0915110010 1200fb349b5f8000008000100000372a0000
            > 0413001700 < 050113000229
            """)
        let found = run(find, with: &peer).result?.value
        #expect(peer.isFinished, "\(peer.surprises)")
        #expect(found?.service == HandleRange(0x10, 0x17))
        #expect(found?.valueHandle == 0x12)
        #expect(found?.configurationHandle == 0x13)
    }

    /// Not by its value, and not among all: only then there is none.
    @Test func noSuchService() {
        let outcome = run(find, with: ServerPeer([ServiceDefinition(.battery)]))
        #expect(outcome.result?.error == .serviceNotFound(.heartRate))
        #expect(outcome.requests == ["060100ffff00280d18", "100100ffff0028", "100200ffff0028"])
    }

    @Test func noSuchCharacteristic() {
        let outcome = run(
            find,
            with: ServerPeer([ServiceDefinition(.heartRate, [CharacteristicDefinition(.bodySensorLocation, .read)])]))
        #expect(outcome.result?.error == .characteristicNotFound(.heartRateMeasurement, service: .heartRate))
    }

    @Test func aCharacteristicThatCannotNotify() {
        let definitions = [ServiceDefinition(.heartRate, [CharacteristicDefinition(.heartRateMeasurement, .read)])]
        #expect(run(find, with: ServerPeer(definitions)).result?.error == .cannotNotify(.heartRateMeasurement, .read))
    }

    @Test func noDescriptor() {
        let alone = CharacteristicDefinition(.heartRateMeasurement, .notify, configuration: nil)
        let last = run(find, with: ServerPeer([ServiceDefinition(.heartRate, [alone])]))
        #expect(last.result?.error == .configurationNotFound(.heartRateMeasurement, valueHandle: 3))
        let location = CharacteristicDefinition(.bodySensorLocation, .read)
        let followed = run(find, with: ServerPeer([ServiceDefinition(.heartRate, [alone, location])]))
        #expect(followed.result?.error == .configurationNotFound(.heartRateMeasurement, valueHandle: 3))
    }

    /// Notify comes first; both bits at once are refused by real peripherals.
    @Test func oneBit() {
        for (properties, expected) in [
            ([.notify, .indicate], .notifications), (.notify, .notifications), (.indicate, .indications),
            ([.read, .indicate], .indications),
        ] as [(CharacteristicProperties, ClientConfiguration)] {
            let definitions = [
                ServiceDefinition(.heartRate, [CharacteristicDefinition(.heartRateMeasurement, properties)])
            ]
            #expect(run(find, with: ServerPeer(definitions)).result?.value?.configuration == expected)
        }
    }

    @Test(arguments: [0x03, 0x05, 0x0F, 0x80, 0xFD]) func aRefusedWriteReachesTheCaller(code: UInt8) throws {
        let measurement = CharacteristicDefinition(
            .heartRateMeasurement, .notify, configuration: .refused(ErrorCode(code)))
        var peer = ServerPeer([ServiceDefinition(.heartRate, [measurement])])
        let found = try #require(run(find, with: &peer).result?.value)
        #expect(
            run(found.enabling, with: &peer).result
                == .failure(.refused(request: .writeRequest, handle: 4, code: ErrorCode(code))))
        #expect(peer.server.configurations.isEmpty)
    }

    @Test func twoServicesOfTheSameType() {
        let empty = ServiceDefinition(.heartRate, [CharacteristicDefinition(.bodySensorLocation, .read)])
        let whole = ServiceDefinition(.heartRate, [CharacteristicDefinition(.heartRateMeasurement, .notify)])
        #expect(run(find, with: ServerPeer([empty, whole])).result?.value?.valueHandle == 6)
        let first = run(find, with: ServerPeer([whole, empty]))
        #expect(first.result?.value?.valueHandle == 3)
        #expect(first.requests.count == 3)
        let none = run(find, with: ServerPeer([empty, empty]))
        #expect(none.result?.error == .characteristicNotFound(.heartRateMeasurement, service: .heartRate))
    }

    /// So many services of the type that they take two pages.
    @Test func theSearchGoesOnWhenNoServiceSoFarWillDo() {
        let empty = ServiceDefinition(.heartRate)
        let whole = ServiceDefinition(.heartRate, [CharacteristicDefinition(.heartRateMeasurement, .notify)])
        let services = [ServiceDefinition](repeating: empty, count: 7) + [whole]
        #expect(run(find, with: ServerPeer(services)).result?.value?.valueHandle == 10)
    }

    @Test func characteristicsOfOtherWidthsBefore() {
        let vendor = CharacteristicDefinition(BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 1), .read)
        let measurement = CharacteristicDefinition(.heartRateMeasurement, .notify)
        let outcome = run(find, with: ServerPeer([ServiceDefinition(.heartRate, [vendor, vendor, measurement])]))
        #expect(outcome.result?.value?.valueHandle == 7)
    }

    @Test func aServiceThatEndsAtZero() {
        var peer = ScriptedPeer(
            """
            > 060100ffff00280d18 < 0710000000
            > 081000ffff0328 < 0907110010 1200372a
            > 041300ffff < 0501 1300 0229
            """)
        #expect(run(find, with: &peer).result?.value?.configurationHandle == 0x13)
        #expect(peer.isFinished, "\(peer.surprises)")
    }

    @Test func aValueOutsideItsService() {
        var peer = ScriptedPeer(
            "> 060100ffff00280d18 < 0710001400 > 08100014000328 < 0907110010 4000372a")
        #expect(
            run(find, with: &peer).result?.error
                == .brokeProtocol(pdu: .readByTypeResponse, .valueHandle(0x40, declaration: 0x11)))
    }

    @Test func aValueAtTheLastHandle() {
        var peer = ScriptedPeer(
            "> 060100ffff00280d18 < 07f0ffffff > 08f0ffffff0328 < 0907feff10ffff372a")
        #expect(
            run(find, with: &peer).result?.error == .configurationNotFound(.heartRateMeasurement, valueHandle: 0xFFFF))
        #expect(peer.isFinished, "\(peer.surprises)")
    }
}
