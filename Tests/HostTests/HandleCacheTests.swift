import ATT
import GATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// What is known of peers, and the text in which it is kept.
@Suite struct HandleCacheTests {
    private static let strap = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
    private static let characteristic = NotifyingCharacteristic(
        service: HandleRange(0x0010, 0x0017), uuid: 0x2A37, valueHandle: 0x0012, properties: [.notify, .read],
        configurationHandle: 0x0013, configuration: .notifications)

    private func handles(_ learnt: Int64 = 0, hasServiceChanged: Bool? = true, hash: [UInt8]? = nil) -> KnownHandles {
        KnownHandles(
            service: 0x180D, characteristic: Self.characteristic, hasServiceChanged: hasServiceChanged,
            databaseHash: hash, learnt: Timestamp(microseconds: learnt))
    }

    // MARK: Whose handles

    /// Public; random static; both as identities that a controller resolved.
    @Test(arguments: [
        (AddressKind.public, 0x0011_2233_4455 as UInt64, true), (.publicIdentity, 0x0011_2233_4455, true),
        (.random, 0xF0F1_F2F3_F401, true), (.randomIdentity, 0xF0F1_F2F3_F401, true),
        // Resolvable, non-resolvable, reserved; none at all.
        (.random, 0x70F1_F2F3_F401, false), (.random, 0x30F1_F2F3_F401, false), (.random, 0xB0F1_F2F3_F401, false),
        (.anonymous, 0xF0F1_F2F3_F401, false), (.unresolved, 0xF0F1_F2F3_F401, false),
    ])
    func nothingIsKeptUnderAPrivateAddress(_ kind: AddressKind, _ address: UInt64, _ isKept: Bool) {
        var cache = HandleCache()
        let peer = DeviceAddress(kind, Address(rawValue: address))
        cache[peer] = handles()
        #expect(cache[peer] == (isKept ? handles() : nil))
        #expect(cache.count == (isKept ? 1 : 0))
    }

    @Test func anIdentityIsTheAddressThatItStandsFor() {
        var cache = HandleCache()
        cache[DeviceAddress(.randomIdentity, Self.strap.address)] = handles()
        #expect(cache[Self.strap] == handles())
        #expect(cache[DeviceAddress(.public, Self.strap.address)] == nil)
        cache[Self.strap] = nil
        #expect(cache.count == 0)
    }

    @Test func theOldestMakeRoom() {
        var cache = HandleCache()
        for number in 0..<200 {
            let peer = DeviceAddress(.public, Address(rawValue: UInt64(number)))
            cache[peer] = handles(Int64(1000 - number))
        }
        #expect(cache.count == HandleCache.capacity)
        #expect(cache[DeviceAddress(.public, Address(rawValue: 0))] != nil)
        #expect(cache[DeviceAddress(.public, Address(rawValue: 100))] == nil)
    }

    // MARK: The text

    private let line =
        "F0:F1:F2:F3:F4:01 random 180D 2A37 16 23 18 12 19 1 service-changed 000102030405060708090a0b0c0d0e0f 5"

    @Test func theFormIsStable() throws {
        var cache = HandleCache()
        let hash = octets("000102030405060708090A0B0C0D0E0F")
        cache[Self.strap] = handles(5, hash: hash)
        cache[DeviceAddress(.public, Address(rawValue: 0x0011_2233_4455))] = handles(6, hasServiceChanged: nil)
        cache[DeviceAddress(.public, Address(rawValue: 0x0011_2233_4456))] = handles(7, hasServiceChanged: false)
        let text = String(decoding: cache.text, as: UTF8.self)
        #expect(
            text.hasPrefix(
                """
                hr-raw-known-handles 1
                00:11:22:33:44:55 public 180D 2A37 16 23 18 12 19 1 untold - 6
                00:11:22:33:44:56 public 180D 2A37 16 23 18 12 19 1 constant - 7
                \(line)
                end 3 
                """))
        #expect(try HandleCache(text: cache.text) == cache)
        #expect(try HandleCache(text: HandleCache().text) == HandleCache())
    }

    /// FNV-1a of "foobar", as its authors publish it.
    @Test func theSumIsThePublishedOne() {
        #expect(KeptText.sum(Array("foobar".utf8)) == 0x8594_4171_F739_67E8)
    }

    @Test func anyDamageIsSeen() {
        var cache = HandleCache()
        cache[Self.strap] = handles()
        let text = cache.text
        for count in 0..<text.count {
            #expect(throws: HandleCache.Damage.self) { try HandleCache(text: Array(text.prefix(count))) }
        }
        for index in text.indices {
            for bit in 0..<8 {
                var damaged = text
                damaged[index] ^= 1 << UInt8(bit)
                #expect(throws: HandleCache.Damage.self) { try HandleCache(text: damaged) }
            }
        }
        #expect(throws: HandleCache.Damage.self) { try HandleCache(text: text + text) }
        #expect(throws: HandleCache.Damage.self) { try HandleCache(text: text + [0x0A]) }
    }

    /// Sums up lines of a stranger's making, so that only their content can be wrong.
    private func read(_ lines: [String], count: Int? = nil) throws -> HandleCache {
        let body = Array((["hr-raw-known-handles 1"] + lines).joined(separator: "\n").utf8) + [0x0A]
        let end = "end \(count ?? lines.count) \(String(KeptText.sum(body), radix: 16))\n"
        return try HandleCache(text: body + Array(end.utf8))
    }

    @Test(arguments: [
        // No address, a private one; a kind that is none.
        ("F0:F1:F2:F3:F4:01", "F0:F1:F2:F3:F4"), ("F0:F1:F2:F3:F4:01", "40:F1:F2:F3:F4:01"), ("random", "secret"),
        // Handles that cannot be: none, a value before its service, a descriptor before its value or behind its service.
        ("16 23 18 12 19", "0 23 18 12 19"), ("16 23 18 12 19", "18 23 18 12 19"), ("16 23 18 12 19", "16 23 18 12 18"),
        ("16 23 18 12 19", "16 23 18 12 24"), ("16 23 18 12 19", "16 65536 18 12 19"),
        ("16 23 18 12 19", "16 23 18 12 -9"),
        // Properties that offer nothing, or something else than what is written; a hash cut short; a field more.
        ("12 19 1", "02 19 1"), ("12 19 1", "12 19 2"), ("12 19 1", "12 19 3"), ("0e0f", "0e"), ("0f 5", "0f 5 6"),
        ("0f 5", "0f"),
        ("service-changed", "perhaps"), (" random", "  random"),
    ])
    func linesThatMeanNothingAreRefused(_ part: String, _ other: String) throws {
        #expect(try read([line]).count == 1)
        let changed = line.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false).joined(
            separator: other)
        #expect(changed != line)
        #expect(throws: HandleCache.Damage.line(2)) { try read([changed]) }
    }

    @Test func aPeerStandsThereOnce() {
        #expect(throws: HandleCache.Damage.line(3)) { try read([line, line]) }
        #expect(throws: HandleCache.Damage.checksum) { try read([line], count: 2) }
    }

    @Test func anotherVersionIsNotGuessedAt() {
        var text = HandleCache().text
        text[21] = UInt8(ascii: "2")
        #expect(throws: HandleCache.Damage.newerVersion(2)) { try HandleCache(text: text) }
        text[21] = UInt8(ascii: "0")
        #expect(throws: HandleCache.Damage.unknownForm) { try HandleCache(text: text) }
    }
}
