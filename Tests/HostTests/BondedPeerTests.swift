import ATT
import GAP
import HCI
import SMP
import TestSupport
import Testing
import Wire

@testable import Host

private let identity = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
private let ownKey = SecretKey([UInt8](repeating: 0x33, count: 16))

/// A host that has a bond, and a controller that the test plays in octets (Core Vol 4, Part E, 7.8.24 and 7.7.8).
@Suite struct BondedPeerTests {
    private static func bond(resolvingKey: UInt8? = nil) -> Bond {
        var bond = Bond(identity: identity, level: .encrypted, ownAddress: DeviceAddress(.public, .zero))
        bond.identityResolvingKey = resolvingKey.flatMap { SecretKey([UInt8](repeating: $0, count: 16)) }
        bond.centralKey = SecretKey((0..<16).map { UInt8($0) }).map {
            LongTermKey(key: $0, size: 16, encryptedDiversifier: 0x1234, random: 0x0102_0304_0506_0708)
        }
        bond.ownIdentity = DeviceAddress(.public, Address(rawValue: 0x0102_0304_0506))
        return bond
    }

    private static func setup(_ bond: Bond) -> SecuritySetup {
        var setup = SecuritySetup(toolbox: ToyToolbox())
        setup.bonds = KnownBonds(ownKey: ownKey, bonds: [bond])
        // What is looked at here is not the host's own address.
        setup.ownAddress = .public
        return setup
    }

    /// A host connected to the bonded peer under its identity, and what it sent first.
    private static func connected() -> (bench: HostBench, id: ConnectionID, first: [[UInt8]]) {
        var bench = HostBench.ready(security: setup(bond()))
        let ticket = bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        bench.status("0D20")
        _ = bench.sent()
        bench.event("3E", "01 00 4000 00 00 0153005E0000 2700 0000 F401 00")
        let id = bench.connection(ticket)?.id ?? ConnectionID(handle: ConnectionHandle(rawValue: 0xFFF), generation: 0)
        let first = bench.sent()
        return (bench, id, first)
    }

    @Test func theLinkIsEncryptedBeforeAnythingElse() {
        var (bench, id, first) = Self.connected()
        #expect(first == [octets("01 1920 1C 4000 0807060504030201 3412 000102030405060708090A0B0C0D0E0F")])
        let read = bench.ask(.gatt(id, .read(0x0003)))
        #expect(bench.sent() == [])
        bench.status("1920")
        bench.event("08", "00 4000 01")
        #expect(bench.attSent() == [octets("0A 0300")])
        bench.att("0B 01")
        #expect(bench.answers[read] == .success(.value([0x01])))
    }

    @Test func aPeerThatHasLostTheKeyIsAskedNothing() {
        var (bench, id, _) = Self.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.status("1920")
        bench.event("08", "06 4000 00")
        #expect(bench.failure(read) == .security(.keyMissing))
        let later = bench.ask(.gatt(id, .read(0x0005)))
        #expect(bench.failure(later) == .security(.keyMissing))
        #expect(bench.attSent() == [])
        // The bond is the user's to give up.
        #expect(bench.engine.identities[identity] != nil)
    }

    @Test func aRefusedCommandIsNoEncryption() {
        var (bench, id, _) = Self.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.status("1920", "0C")
        #expect(bench.failure(read) == .security(.encryptionFailed(.commandDisallowed)))
    }

    @Test func whoWaitsForTheEncryptionCanGiveUp() {
        var (bench, id, _) = Self.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.cancel(read)
        #expect(bench.failure(read) == .cancelled)
        bench.event("05", "00 4000 13")
        #expect(bench.answerCounts[read] == 1)
    }

    @Test func theEndOfTheLinkAnswersWhatWaits() {
        var (bench, id, _) = Self.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        let pair = bench.ask(.pair(id, .encrypted))
        bench.event("05", "00 4000 3D")
        // Another key than ours is none of ours.
        #expect(bench.failure(read) == .security(.keyMissing))
        #expect(bench.failure(pair) == .security(.keyMissing))
    }

    // MARK: Private addresses

    @Test func aPrivateAddressIsShownAsTheIdentityBehindIt() {
        var bench = HostBench.ready(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        bench.event("3E", "02 01 00 01 \(Self.onAir) 00 C5")
        bench.event("3E", "02 01 00 01 222222000040 00 C5")
        #expect(
            bench.sightings.map(\.advertisement.advertiser) == [
                DeviceAddress(.publicIdentity, identity.address),
                DeviceAddress(.random, Address(rawValue: 0x4000_0022_2222)),
            ])
    }

    /// The address of a peer with the key 11 11 …, in the order of the wire.
    private static let onAir = ToyToolbox.address(of: 0x11).littleEndian.hexadecimal

    @Test func aPeerThatChangesItsAddressIsConnectedToWhereItIsHeard() {
        var bench = HostBench.ready(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        let ticket = bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        // Passive: nobody has asked for scan responses.
        #expect(bench.sent() == [octets("01 0B20 07 00 6000 3000 00 00")])
        bench.complete("0B20")
        bench.complete("0C20")
        _ = bench.sent()
        // A stranger, then the peer.
        bench.event("3E", "02 01 00 01 222222000040 00 C5")
        #expect(bench.sent() == [])
        bench.event("3E", "02 01 00 01 \(Self.onAir) 00 C5")
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        bench.complete("0C20")
        #expect(bench.sent().first?.prefix(16) == octets("01 0D20 19 6000 6000 00 01 \(Self.onAir)")[...])
        bench.status("0D20")
        bench.event("3E", "01 00 4000 00 01 \(Self.onAir) 2700 0000 F401 00")
        #expect(bench.connection(ticket)?.peer == identity)
        #expect(bench.connection(ticket)?.airAddress.address == ToyToolbox.address(of: 0x11))
    }

    @Test func onePrivateAddressIsNotTriedForLong() {
        var bench = HostBench.ready(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        let ticket = bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        bench.complete("0B20")
        bench.complete("0C20")
        bench.event("3E", "02 01 00 01 \(Self.onAir) 00 C5")
        bench.complete("0C20")
        bench.status("0D20")
        _ = bench.sent()
        bench.pass(.seconds(5))
        #expect(bench.sent() == [octets("01 0E20 00")])
        bench.complete("0E20")
        bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
        // It is listened for again.
        #expect(bench.sent().first?.prefix(3) == octets("01 0B20")[...])
        #expect(bench.answers[ticket] == nil)
        bench.complete("0B20")
        bench.complete("0C20")
        bench.pass(.seconds(30))
        #expect(bench.failure(ticket) == .timedOut(.connecting))
    }

    @Test func whoSeeksCanGiveUp() {
        var bench = HostBench.ready(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        let ticket = bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        bench.complete("0B20")
        bench.complete("0C20")
        _ = bench.sent()
        bench.cancel(ticket)
        #expect(bench.failure(ticket) == .cancelled)
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
    }

    // MARK: The controller's list

    @Test func aControllerThatCanIsToldWhomToRecognise() {
        var controller = ScriptedController.legacy
        controller.lowEnergyFeatures = "4000000000000000"
        var bench = HostBench(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        let start = bench.ask(.start)
        for step in controller.script { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last == octets("01 2A20 00"))
        bench.complete("2A20", "00 08")
        #expect(bench.sent() == [octets("01 2920 00")])
        bench.complete("2920")
        let keys = String(repeating: "11", count: 16) + String(repeating: "33", count: 16)
        #expect(bench.sent() == [octets("01 2720 27 00 0153005E0000" + keys)])
        bench.complete("2720")
        #expect(bench.sent() == [octets("01 4E20 08 00 0153005E0000 01")])
        bench.complete("4E20")
        #expect(bench.sent() == [octets("01 2D20 01 01")])
        #expect(bench.answers[start] == nil)
        bench.complete("2D20")
        #expect(bench.answers[start] == .success(.done))
        // It is connected to by its identity, without a search.
        bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        #expect(bench.sent().first?.prefix(16) == octets("01 0D20 19 6000 6000 00 00 0153005E0000")[...])
    }

    @Test func aControllerThatRefusesIsDoneWithout() {
        var controller = ScriptedController.legacy
        controller.lowEnergyFeatures = "4000000000000000"
        var bench = HostBench(security: Self.setup(Self.bond(resolvingKey: 0x11)))
        let start = bench.ask(.start)
        for step in controller.script { bench.complete(step.opcode, step.answer) }
        bench.complete("2A20", "00 08")
        bench.complete("2920", "01")
        #expect(bench.answers[start] == .success(.done))
        _ = bench.sent()
        bench.ask(.connect(identity, .heartRate, within: .seconds(30)))
        #expect(bench.sent().first?.prefix(3) == octets("01 0B20")[...])
    }
}
