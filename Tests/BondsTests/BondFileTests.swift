import Bonds
import Foundation
import HCI
import HCITransport
import Host
import SMP
import Synchronization
import TestSupport
import Testing
import Wire

/// One file, one process: what is kept, and what is done about a file that is not as it should be.
@Suite struct BondFileTests {
    private let folder: Folder
    private let reports = Reports()
    private let file: BondFile
    private let ownKey: SecretKey
    private let otherKey: SecretKey

    init() throws {
        folder = try Folder()
        file = BondFile(path: folder.path + "/below/state/bonds") { [reports] in reports.take($0) }
        ownKey = try #require(SecretKey([UInt8](repeating: 0xA7, count: 16)))
        otherKey = try #require(SecretKey([UInt8](repeating: 0xB8, count: 16)))
    }

    /// What the file told of.
    private final class Reports: Sendable {
        private let list = Mutex<[BondStoreError]>([])

        func take(_ error: BondStoreError) { list.withLock { $0.append(error) } }
        var all: [BondStoreError] { list.withLock { $0 } }
        var kinds: [BondStoreError.Kind] { all.map(\.kind) }
    }

    private func bond(_ number: UInt64, key: SecretKey? = nil) -> Bond {
        let own = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
        var bond = Bond(
            identity: DeviceAddress(.random, Address(rawValue: 0xC000_5E00_5300 + number)), level: .encrypted,
            ownAddress: own)
        bond.ownIdentity = own
        bond.centralKey = LongTermKey(key: key ?? otherKey, size: 16)
        bond.since = Timestamp(microseconds: 7)
        return bond
    }

    private func error(_ body: () async throws(BondStoreError) -> Void) async -> BondStoreError? {
        do throws(BondStoreError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: What is kept

    @Test func whatIsKeptIsThereAgain() async throws {
        #expect(try await file.load() == KnownBonds())
        #expect(folder.names().isEmpty)
        try await file.save(bond(1), ownKey: ownKey)
        try await file.save(bond(2), ownKey: ownKey)
        #expect(try await file.load() == KnownBonds(ownKey: ownKey, bonds: [bond(1), bond(2)]))
        #expect(try await file.remove(bond(1).identity))
        #expect(try await !file.remove(bond(1).identity))
        #expect(try await BondFile(path: file.path).load() == KnownBonds(ownKey: ownKey, bonds: [bond(2)]))
        #expect(try folder.mode(of: "below/state/bonds") == 0o600)
        #expect(try folder.mode(of: "below/state") == 0o700)
        #expect(folder.names(in: "below/state") == ["bonds", "bonds.lock"])
        #expect(reports.all.isEmpty)
    }

    @Test func nothingIsMadeToForgetWhatIsNotKept() async throws {
        #expect(try await !file.remove(bond(1).identity))
        #expect(folder.names().isEmpty)
    }

    @Test func pairedAgain() async throws {
        var dated = file
        dated.clock = { Timestamp(microseconds: 99) }
        var first = bond(1)
        first.name = "Strap"
        first.since = nil
        try await dated.save(first, ownKey: ownKey)
        try await dated.save(bond(2), ownKey: ownKey)
        var again = bond(1, key: ownKey)
        again.since = nil
        dated.clock = { Timestamp(microseconds: 100) }
        try await dated.save(again, ownKey: ownKey)
        let kept = try await file.load()
        again.since = Timestamp(microseconds: 100)
        again.name = "Strap"
        #expect(kept.bonds == [again, bond(2)])
    }

    /// A peer that was told another key than the one that is kept will not know us by it.
    @Test func thereIsOneKeyOfOurOwn() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        try await file.save(bond(2), ownKey: otherKey)
        let kept = try await file.load()
        #expect(kept.ownKey == ownKey)
        #expect(kept.bonds.map(\.ownIdentity) == [bond(1).ownIdentity, nil])
        try await file.take([bond(3)], ownKey: nil)
        #expect(try await file.load().bonds.last?.ownIdentity == nil)
    }

    @Test func full() async throws {
        let many = (0..<UInt64(KnownBonds.capacity)).map { bond($0) }
        try await file.take(many, ownKey: ownKey)
        let refusal = await error { () throws(BondStoreError) in try await file.save(bond(1000), ownKey: ownKey) }
        #expect(refusal?.kind == .full)
        #expect(refusal?.reason.contains("\(KnownBonds.capacity)") == true)
        #expect(try await file.load().bonds == many)
        // One that is there already finds its room; all or none are taken.
        try await file.save(bond(1, key: ownKey), ownKey: ownKey)
        _ = try await file.remove(bond(0).identity)
        let two = await error { () throws(BondStoreError) in try await file.take([bond(1000), bond(1001)], ownKey: nil)
        }
        #expect(two?.kind == .full)
        #expect(try await file.load().bonds.count == KnownBonds.capacity - 1)
    }

    /// Its key's size is none: it would be damage when it is read.
    @Test func whatCouldNotBeReadAgainIsNotWritten() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        var impossible = bond(2)
        impossible.centralKey?.size = 17
        let refusal = await error { () throws(BondStoreError) in try await file.save(impossible, ownKey: ownKey) }
        #expect(refusal?.kind == .system)
        #expect(try await file.load().bonds == [bond(1)])
    }

    // MARK: A file that is not as it should be

    @Test func aDamagedOneIsSetAsideAndReported() async throws {
        for (round, name) in ["bonds.damaged", "bonds.damaged.2", "bonds.damaged.3"].enumerated() {
            try await file.save(bond(1), ownKey: ownKey)
            var text = try #require(folder.octets(of: "below/state/bonds"))
            text[40 + round] ^= 1
            try folder.write(text, to: "below/state/bonds")
            let damage = await error { () throws(BondStoreError) in _ = try await file.load() }
            #expect(damage?.kind == .damaged)
            #expect(damage?.reason.contains("below/state/\(name)") == true)
            #expect(folder.octets(of: "below/state/" + name) == text)
            #expect(try await file.load() == KnownBonds())
        }
        #expect(folder.names(in: "below/state").count == 4)
    }

    @Test func aBondIsKeptThoughTheFileWasDamaged() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        try folder.write([], to: "below/state/bonds")
        try await file.save(bond(2), ownKey: ownKey)
        #expect(reports.kinds == [.damaged])
        #expect(try await file.load().bonds == [bond(2)])
        #expect(folder.octets(of: "below/state/bonds.damaged") == [])
        try folder.write([1], to: "below/state/bonds")
        let damage = await error { () throws(BondStoreError) in _ = try await file.remove(bond(2).identity) }
        #expect(damage?.kind == .damaged)
        #expect(folder.octets(of: "below/state/bonds.damaged.2") == [1])
        try folder.write([UInt8](repeating: 0x20, count: 2 << 20), to: "below/state/bonds")
        #expect(await error { () throws(BondStoreError) in _ = try await file.load() }?.kind == .damaged)
    }

    @Test func aNewerVersionIsLeftAlone() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        let text = Array("hr-raw-bonds 2\nsomething better\n".utf8)
        try folder.write(text, to: "below/state/bonds")
        let refusals = [
            await error { () throws(BondStoreError) in _ = try await file.load() },
            await error { () throws(BondStoreError) in try await file.save(bond(2), ownKey: ownKey) },
            await error { () throws(BondStoreError) in _ = try await file.remove(bond(1).identity) },
        ]
        #expect(refusals.allSatisfy { $0?.kind == .newerVersion && $0?.reason.contains("version 2") == true })
        #expect(folder.octets(of: "below/state/bonds") == text)
        #expect(folder.names(in: "below/state") == ["bonds", "bonds.lock"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o666])
    func othersAreShutOutAgain(_ mode: Int) async throws {
        try await file.save(bond(1), ownKey: ownKey)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        #expect(try await file.load().bonds == [bond(1)])
        #expect(reports.kinds == [.exposed])
        #expect(try folder.mode(of: "below/state/bonds") == 0o600)
        _ = try await file.load()
        #expect(reports.kinds == [.exposed])
    }

    @Test func aLinkIsNotFollowed() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        let link = BondFile(path: folder.path + "/below/link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
        #expect(await error { () throws(BondStoreError) in _ = try await link.load() }?.kind == .system)
        let refusal = await error { () throws(BondStoreError) in try await link.save(bond(2), ownKey: ownKey) }
        #expect(refusal?.reason.contains("symbolic link") == true)
        #expect(try await file.load().bonds == [bond(1)])
        // Nor is one in the place of the lock.
        let other = BondFile(path: folder.path + "/below/other")
        try FileManager.default.createSymbolicLink(atPath: other.path + ".lock", withDestinationPath: file.path)
        #expect(await error { () throws(BondStoreError) in try await other.save(bond(2), ownKey: ownKey) } != nil)
    }

    @Test func aFolderInItsPlace() async throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
        #expect(
            await error { () throws(BondStoreError) in _ = try await file.load() }?.reason.contains("no file") == true)
        #expect(await error { () throws(BondStoreError) in try await file.save(bond(1), ownKey: ownKey) } != nil)
        #expect(folder.names(in: "below/state/bonds").isEmpty)
    }

    /// Where nobody may write, not even root.
    @Test func whereNothingCanBeKeptItIsSaid() async throws {
        let nowhere = BondFile(path: "/proc/nowhere/bonds")
        #expect(try await nowhere.load() == KnownBonds())
        let refusal = await error { () throws(BondStoreError) in try await nowhere.save(bond(1), ownKey: ownKey) }
        #expect(refusal?.reason.contains("/proc/nowhere") == true)
    }

    // MARK: Its turn

    @Test func whoeverHoldsTheFileTooLongIsToldOf() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        var impatient = file
        impatient.patience = .milliseconds(30)
        let turn = try StateFile(path: file.path).takeTurn(within: .zero)
        let before = ContinuousClock.now
        let refusal = await error { () throws(BondStoreError) in try await impatient.save(bond(2), ownKey: ownKey) }
        #expect(refusal?.kind == .inUse)
        #expect(refusal?.reason.contains(file.path) == true)
        #expect(ContinuousClock.now - before >= .milliseconds(30))
        // Reading needs no turn.
        #expect(try await impatient.load().bonds == [bond(1)])
        end(turn)
        try await impatient.save(bond(2), ownKey: ownKey)
        #expect(try await file.load().bonds == [bond(1), bond(2)])
    }

    private func end(_ turn: consuming StateFile.Turn) {}

    @Test func nothingSaysAKey() async throws {
        try await file.save(bond(1), ownKey: ownKey)
        var text = try #require(folder.octets(of: "below/state/bonds"))
        text[30] = UInt8(ascii: "x")
        try folder.write(text, to: "below/state/bonds")
        let damage = await error { () throws(BondStoreError) in _ = try await file.load() }
        let known = KnownBonds(ownKey: ownKey, bonds: [bond(1)])
        let said = "\(String(describing: damage)) \(known) \(String(reflecting: known))".lowercased()
        for octet in ["a7", "b8"] { #expect(!said.contains(String(repeating: octet, count: 2))) }
        #expect(!said.contains("167, 167"))
        var dumped = ""
        dump(known, to: &dumped)
        #expect(!dumped.contains("167") && !dumped.contains("184"))
    }
}
