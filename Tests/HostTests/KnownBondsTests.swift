import HCI
import SMP
import TestSupport
import Testing
import Wire

@testable import Host

/// The text in which bonds are kept.
@Suite struct KnownBondsTests {
    private static let key = SecretKey(octets("0f0e0d0c0b0a09080706050403020100"))

    private let line =
        "bond F0:F1:F2:F3:F4:01/random level=authenticated since=5 own-address=00:00:5E:00:53:01/public "
        + "own-identity=00:00:5E:00:53:01/public irk=000102030405060708090a0b0c0d0e0f "
        + "ltk=000102030405060708090a0b0c0d0e0f/16/1234/0102030405060708 "
        + "peripheral-ltk=000102030405060708090a0b0c0d0e0f/7/0001/0000000000000000 "
        + "csrk=000102030405060708090a0b0c0d0e0f name=Caf%C3%A9%20%3D%25"

    private func whole() throws -> Bond {
        let key = try #require(Self.key)
        let own = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
        var bond = Bond(
            identity: DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401)), level: .authenticated,
            ownAddress: own)
        bond.ownIdentity = own
        bond.identityResolvingKey = key
        bond.centralKey = LongTermKey(
            key: key, size: 16, encryptedDiversifier: 0x1234, random: 0x0102_0304_0506_0708)
        bond.peripheralKey = LongTermKey(key: key, size: 7, encryptedDiversifier: 1)
        bond.signingKey = key
        bond.name = "Café =%"
        bond.since = Timestamp(microseconds: 5)
        return bond
    }

    @Test func theFormIsStable() throws {
        let bonds = KnownBonds(ownKey: Self.key, bonds: [try whole()])
        let text = String(decoding: bonds.text, as: UTF8.self)
        #expect(text.hasPrefix("hr-raw-bonds 1\nown-key 000102030405060708090a0b0c0d0e0f\n\(line)\nend 2 "))
        #expect(try KnownBonds(text: bonds.text) == bonds)
        #expect(try KnownBonds(text: KnownBonds().text) == KnownBonds())
    }

    /// Every level, both kinds of addresses, and none of what may be missing.
    @Test func whatIsMissingStaysMissing() throws {
        var bonds = KnownBonds()
        for (number, level) in SecurityLevel.allCases.enumerated() {
            let kind = number.isMultiple(of: 2) ? AddressKind.public : .random
            let identity = DeviceAddress(kind, Address(rawValue: UInt64(number)))
            bonds.bonds.append(Bond(identity: identity, level: level, ownAddress: .zero))
        }
        #expect(try KnownBonds(text: bonds.text) == bonds)
        #expect(!String(decoding: bonds.text, as: UTF8.self).contains("ltk"))
    }

    @Test func anIdentityIsTheAddressThatItStandsFor() throws {
        var bonds = KnownBonds()
        var bond = try whole()
        bonds[bond.identity] = bond
        bond.identity.kind = .randomIdentity
        bond.name = "again"
        bonds[bond.identity] = bond
        #expect(bonds.bonds.map(\.name) == ["again"])
        #expect(bonds[DeviceAddress(.public, bond.identity.address)] == nil)
        #expect(try KnownBonds(text: bonds.text).bonds.first?.identity.kind == .random)
        bonds[DeviceAddress(.random, bond.identity.address)] = nil
        #expect(bonds == KnownBonds())
    }

    @Test func namesOfAnyKind() throws {
        var bond = try whole()
        for name in ["", " ", "a b\nbond=%", "心拍", String(repeating: "é", count: 124), "\u{0}\u{7F}"] {
            bond.name = name
            #expect(try KnownBonds(text: KnownBonds(bonds: [bond]).text).bonds == [bond])
        }
        bond.name = String(repeating: "é", count: 125)
        let kept = try KnownBonds(text: KnownBonds(bonds: [bond]).text)
        #expect(kept.bonds.first?.name == String(repeating: "é", count: 124))
    }

    @Test func anyDamageIsSeen() throws {
        let text = KnownBonds(ownKey: Self.key, bonds: [try whole()]).text
        for count in 0..<text.count {
            #expect(throws: KnownBonds.Damage.self) { try KnownBonds(text: Array(text.prefix(count))) }
        }
        for index in text.indices {
            for bit in 0..<8 {
                var damaged = text
                damaged[index] ^= 1 << UInt8(bit)
                #expect(throws: KnownBonds.Damage.self) { try KnownBonds(text: damaged) }
            }
        }
        #expect(throws: KnownBonds.Damage.self) { try KnownBonds(text: text + text) }
        #expect(throws: KnownBonds.Damage.self) { try KnownBonds(text: text + [0x0A]) }
    }

    /// Sums up lines of a stranger's making, so that only their content can be wrong.
    private func read(_ lines: [String], heading: String = "hr-raw-bonds 1") throws -> KnownBonds {
        let body = Array(([heading] + lines).joined(separator: "\n").utf8) + [0x0A]
        let end = "end \(lines.count) \(String(KeptText.sum(body), radix: 16))\n"
        return try KnownBonds(text: body + Array(end.utf8))
    }

    @Test(arguments: [
        ("F0:F1:F2:F3:F4:01/random", "F0:F1:F2:F3:F4/random"), ("/random", "/secret"), ("/random", ""),
        ("level=authenticated", "level=best"), ("level=authenticated ", ""), ("since=5", "since=now"),
        ("own-address=00:00:5E:00:53:01/public ", ""), ("irk=00", "irk="), ("irk=", "irk =",), ("irk=", "key="),
        ("0f/16/", "0f/17/"), ("0f/16/", "0f/6/"), ("/16/1234/0102030405060708", "/16/1234"),
        ("/16/1234/0102030405060708", "/16/0000/0000000000000000"), ("0708 peri", "070800 peri"),
        ("csrk=0001", "csrk=01"), ("%C3%A9", "%C3"), ("%C3%A9", "%C"), ("%25", "%G5"), (" csrk", "  csrk"),
        ("csrk=", "irk="), ("bond ", "bind "),
    ])
    func linesThatMeanNothingAreRefused(_ part: String, _ other: String) throws {
        #expect(try read([line]).bonds == [try whole()])
        let changed = line.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: other)
        #expect(changed != line)
        #expect(throws: KnownBonds.Damage.line(2)) { try read([changed]) }
    }

    @Test func eachStandsThereOnceAndInItsPlace() throws {
        let own = "own-key 000102030405060708090a0b0c0d0e0f"
        #expect(try read([own, line]).ownKey == Self.key)
        #expect(throws: KnownBonds.Damage.line(3)) { try read([line, line]) }
        #expect(throws: KnownBonds.Damage.line(3)) { try read([line, own]) }
        #expect(throws: KnownBonds.Damage.line(3)) { try read([own, own]) }
        #expect(throws: KnownBonds.Damage.line(2)) { try read(["own-key 00"]) }
    }

    @Test func asManyAsThereIsRoomFor() throws {
        func lines(_ count: Int) -> [String] {
            (0..<count).map {
                "bond \(Address(rawValue: UInt64($0)))/public level=encrypted own-address=\(Address.zero)/public"
            }
        }
        #expect(try read(lines(KnownBonds.capacity)).bonds.count == KnownBonds.capacity)
        #expect(throws: KnownBonds.Damage.line(KnownBonds.capacity + 2)) { try read(lines(KnownBonds.capacity + 1)) }
        #expect(throws: KnownBonds.Damage.checksum) { try read(lines(KnownBonds.capacity + 2)) }
    }

    @Test func anotherVersionIsNotGuessedAt() throws {
        #expect(throws: KnownBonds.Damage.newerVersion(2)) { try read([line], heading: "hr-raw-bonds 2") }
        for heading in [
            "hr-raw-bonds 0", "hr-raw-bonds", "hr-raw-bonds 1 ", "hr-raw-bonds x", "hr-raw-known-handles 1",
        ] {
            #expect(throws: KnownBonds.Damage.unknownForm) { try read([line], heading: heading) }
        }
    }
}
