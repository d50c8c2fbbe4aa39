import HCI
import Testing
import Wire

/// Every value of every open number describes itself, is distinct and comes back.
@Suite struct NumberTests {
    private func checkAll<Number: AssignedNumber>(_ type: Number.Type) {
        for raw in Number.RawValue.min...Number.RawValue.max where !check(Number(rawValue: raw), raw) { return }
    }

    private func check<Number: AssignedNumber>(_ number: Number, _ raw: Number.RawValue) -> Bool {
        let isSound = number.rawValue == raw && !number.description.isEmpty && number.name != ""
        #expect(isSound, "\(Number.self) \(raw)")
        return isSound
    }

    @Test func octets() {
        checkAll(EventCode.self)
        checkAll(LESubevent.self)
        checkAll(Status.self)
        checkAll(AddressKind.self)
        checkAll(OwnAddressKind.self)
        checkAll(SignalLevel.self)
        checkAll(PHY.self)
        checkAll(PHYs.self)
        checkAll(Role.self)
        checkAll(SpecificationVersion.self)
        checkAll(PacketType.self)
        checkAll(ScanKind.self)
        checkAll(ScanFilterPolicy.self)
        checkAll(DuplicateFilter.self)
        checkAll(EncryptionState.self)
        checkAll(AdvertisingKind.self)
    }

    @Test func pairsOfOctets() {
        checkAll(Opcode.self)
        checkAll(ScanTime.self)
        checkAll(ConnectionInterval.self)
        checkAll(SupervisionTimeout.self)
        checkAll(ExtendedAdvertisingKind.self)
    }

    @Test func numbersOfFewerBitsKeepTheirOwn() {
        for raw in UInt16.min...UInt16.max where ConnectionHandle(rawValue: raw).rawValue != raw & 0xFFF {
            Issue.record("handle \(raw)")
        }
        for raw in UInt8.min...UInt8.max {
            #expect(PacketBoundary(rawValue: raw).rawValue == raw & 3)
            #expect(PacketBoundary(rawValue: raw).name != nil)
        }
    }

    @Test func everyBitOfASetHasSomeName() {
        for bit in 0..<64 as Range<UInt64> {
            let raw: UInt64 = 1 << bit
            #expect(LEFeatures(rawValue: raw).name?.isEmpty == false)
            #expect(LocalFeatures(rawValue: raw).name?.isEmpty == false)
            #expect(EventMask(rawValue: raw).name?.isEmpty == false)
            #expect(EventMaskPage2(rawValue: raw).name?.isEmpty == false)
            #expect(LEEventMask(rawValue: raw).name?.isEmpty == false)
            #expect(LEStates(rawValue: raw).name?.isEmpty == false)
        }
        #expect(LEFeatures(rawValue: .max).name?.hasSuffix("LL Extended Feature Set") == true)
        #expect(LEFeatures([.le2M, .leCoded]).description == "LE 2M PHY, LE Coded PHY")
        #expect(LEFeatures(rawValue: 1 << 62).description == "bit 62")
    }

    @Test func namesStandWhereTheSpecificationPutsThem() {
        // The last of runs whose places are counted, so that a name left out would show.
        #expect(Status(rawValue: 0x08).name == "Connection Timeout")
        #expect(Status(rawValue: 0x0C).name == "Command Disallowed")
        #expect(Status(rawValue: 0x16).name == "Connection Terminated By Local Host")
        #expect(Status(rawValue: 0x28).name == "Instant Passed")
        #expect(Status(rawValue: 0x2B).name == nil)
        #expect(Status(rawValue: 0x30).name == "Parameter Out Of Mandatory Range")
        #expect(Status(rawValue: 0x3B).name == "Unacceptable Connection Parameters")
        #expect(Status(rawValue: 0x3E).name == "Connection Failed to be Established / Synchronization Timeout")
        #expect(Status(rawValue: 0x45).name == "Packet Too Long")
        #expect(Status(rawValue: 0x48).name == "Insufficient Channels")
        #expect(Status(rawValue: 0x49).description == "0x49")
        #expect(LocalFeatures.lowEnergy.name == "LE Supported (Controller)")
        #expect(LocalFeatures.classicNotSupported.name == "BR/EDR Not Supported")
        #expect(LocalFeatures(rawValue: 1 << 63).name == "Extended features")
        #expect(LEFeatures(rawValue: 1 << 37).name == "Connection Subrating")
        #expect(LEFeatures(rawValue: 1 << 48).name == "Channel Sounding Tone Quality Indication")
        #expect(LEFeatures(rawValue: 1 << 63).name == "LL Extended Feature Set")
        #expect(SpecificationVersion(rawValue: 13).name == "Bluetooth 5.4")
    }

    @Test func anOpcodeIsGroupAndNumber() {
        let opcode = Opcode(group: 0x08, number: 0x00D)
        #expect(opcode.rawValue == 0x200D)
        #expect(opcode.group == 8)
        #expect(opcode.number == 13)
        #expect(Opcode(rawValue: 0xFD57).isVendorSpecific)
        #expect(Opcode(rawValue: 0xFD57).description == "Vendor Specific 0xFD57")
        #expect(Opcode(rawValue: 0x1C00).description == "0x1C00")
        #expect(Opcode(rawValue: 0x0406).description == "Disconnect")
    }

    @Test func timesRoundAndSaturate() {
        #expect(ConnectionInterval(.milliseconds(50)).rawValue == 40)
        #expect(ConnectionInterval(.microseconds(48_750)).description == "48.75 ms")
        #expect(ScanTime(.microseconds(11_250)).rawValue == 18)
        #expect(ScanTime(.microseconds(900)).rawValue == 1)
        #expect(SupervisionTimeout(.seconds(5)).rawValue == 500)
        #expect(SupervisionTimeout(.seconds(1_000_000)).rawValue == .max)
        #expect(SupervisionTimeout(.seconds(Int64.max)).rawValue == .max)
        #expect(SupervisionTimeout(.seconds(-5)).rawValue == 0)
        #expect(SupervisionTimeout(rawValue: 3200).duration == .seconds(32))
    }

    @Test func aLevelOf127IsUnknown() {
        #expect(SignalLevel.notAvailable.dBm == nil)
        #expect(SignalLevel.notAvailable.description == "not available")
        #expect(SignalLevel(dBm: -34).rawValue == 0xDE)
        #expect(SignalLevel(rawValue: 0x80).dBm == -128)
        #expect(SignalLevel(rawValue: 0xDE).description == "-34 dBm")
    }

    @Test func randomAddressesTellHowTheyWereMade() throws {
        func randomness(_ text: String, _ kind: AddressKind = .random) throws -> Address.Randomness? {
            DeviceAddress(kind, try #require(Address(text))).randomness
        }
        #expect(try randomness("C0:00:00:00:00:01") == .static)
        #expect(try randomness("FF:00:00:00:00:01") == .static)
        #expect(try randomness("7F:00:00:00:00:01") == .resolvable)
        #expect(try randomness("3F:00:00:00:00:01") == .nonResolvable)
        #expect(try randomness("80:00:00:00:00:01") == .reserved)
        #expect(try randomness("C0:00:00:00:00:01", .public) == nil)
        #expect(AddressKind.randomIdentity.withoutIdentity == .random)
        #expect(AddressKind.publicIdentity.withoutIdentity == .public)
        #expect(AddressKind.anonymous.withoutIdentity == .anonymous)
    }
}
