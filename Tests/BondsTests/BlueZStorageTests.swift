import Bonds
import Foundation
import HCI
import Host
import SMP
import TestSupport
import Testing
import Wire

/// Bonds out of files as BlueZ writes them (its doc/settings-storage.txt), with made-up addresses and keys.
@Suite struct BlueZStorageTests {
    private let folder: Folder
    private let adapter = "00:00:5E:00:53:01"
    private let strap = "C0:00:5E:00:53:02"

    init() throws { folder = try Folder() }

    private func write(_ text: String, _ path: String...) throws {
        let place = folder.path + "/" + path.joined(separator: "/")
        let parent = (place as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try text.write(toFile: place, atomically: false, encoding: .utf8)
    }

    private func read() throws -> BlueZStorage.Findings { try BlueZStorage(path: folder.path).read() }

    private func key(_ first: UInt8) throws -> SecretKey { try #require(SecretKey((0..<16).map { first + $0 })) }

    /// As the file spells it: octet for octet as on the wire.
    private let key00 = "000102030405060708090A0B0C0D0E0F"
    private let key10 = "101112131415161718191A1B1C1D1E1F"
    private let key20 = "202122232425262728292A2B2C2D2E2F"

    // MARK: What is taken over

    /// What a kernel of today and BlueZ 5.6x keep of a strap that was paired by LE Secure Connections, with its private addresses.
    @Test func secureConnections() throws {
        try write(
            """
            [General]
            Name=HRM 7
            Appearance=0x0341
            AddressType=static
            SupportedTechnologies=LE;
            Trusted=true
            Blocked=false
            WakeAllowed=false
            Services=00001800-0000-1000-8000-00805f9b34fb;0000180d-0000-1000-8000-00805f9b34fb;

            [IdentityResolvingKey]
            Key=\(key20)

            [PeripheralLongTermKey]
            Key=\(key00)
            Authenticated=2
            EncSize=16
            EDiv=0
            Rand=0

            [SlaveLongTermKey]
            Key=\(key00)
            Authenticated=2
            EncSize=16
            EDiv=0
            Rand=0

            [ConnectionParameters]
            MinInterval=6
            MaxInterval=6
            Latency=66
            Timeout=300

            """, adapter, strap, "info")
        try write("[General]\nDiscoverable=false\nAlias=desk\n", adapter, "settings")
        try write("[General]\nName=Somebody\n", adapter, "cache", strap)
        let findings = try read()
        let own = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
        var bond = Bond(
            identity: DeviceAddress(.random, Address(rawValue: 0xC000_5E00_5302)), level: .encrypted, ownAddress: own)
        bond.centralKey = LongTermKey(key: try key(0x00), size: 16)
        bond.identityResolvingKey = try key(0x20)
        bond.name = "HRM 7"
        #expect(findings.bonds == [bond])
        #expect(bond.isSecureConnections)
        #expect(findings.ownKey == nil && findings.faults.isEmpty && findings.passedOver.isEmpty)
        #expect(findings.hasAdapters)
    }

    /// Legacy pairing: each side has given the other a key; and an older BlueZ had another word for the second.
    @Test(arguments: ["SlaveLongTermKey", "PeripheralLongTermKey"])
    func legacy(_ group: String) throws {
        try write(
            """
            [General]
            Name=Caf\u{E9}\\sbelt
            AddressType=public

            [LongTermKey]
            Key=0x\(key00.lowercased())
            Authenticated=1
            Master=1
            EncSize=10
            EDiv=4660
            Rand=18446744073709551615
            [\(group)]
            Key=\(key10)
            Authenticated=0
            EncSize=7
            EDiv=1
            Rand=2
            [LocalSignatureKey]
            Key=\(key20)
            Counter=0
            Authenticated=false
            [RemoteSignatureKey]
            Key=\(key10)
            Counter=4
            """, adapter, strap, "info")
        let bond = try #require(read().bonds.first)
        #expect(bond.identity == DeviceAddress(.public, Address(rawValue: 0xC000_5E00_5302)))
        #expect(bond.level == .authenticated)
        #expect(
            bond.centralKey
                == LongTermKey(key: try key(0x00), size: 10, encryptedDiversifier: 0x1234, random: .max))
        #expect(
            bond.peripheralKey == LongTermKey(key: try key(0x10), size: 7, encryptedDiversifier: 1, random: 2))
        #expect(bond.signingKey == (try key(0x10)))
        #expect(bond.identityResolvingKey == nil)
        #expect(bond.name == "Café belt")
        #expect(!bond.isSecureConnections)
    }

    @Test(arguments: [
        (0, 16, SecurityLevel.encrypted), (1, 16, .authenticated), (2, 16, .encrypted),
        (3, 16, .authenticatedSecureConnections), (3, 10, .authenticated),
    ])
    func levels(_ authenticated: Int, _ size: Int, _ level: SecurityLevel) throws {
        try write(
            "[General]\nAddressType=static\n[LongTermKey]\nKey=\(key00)\nAuthenticated=\(authenticated)\nEncSize=\(size)\n"
                + "EDiv=1\nRand=1\n", adapter, strap, "info")
        let bond = try #require(read().bonds.first)
        #expect(bond.level == level)
        #expect(bond.isSecureConnections == (authenticated >= 2))
    }

    /// Peers that were told the adapter's own key know it by that; a second adapter had another.
    @Test func anAdapterWithPrivacy() throws {
        let info =
            "[General]\nAddressType=static\n[LongTermKey]\nKey=\(key00)\nAuthenticated=2\nEncSize=16\nEDiv=0\nRand=0\n"
        try write("[General]\nIdentityResolvingKey=\(key10.lowercased())\n", adapter, "identity")
        try write(info, adapter, strap, "info")
        try write("[General]\nIdentityResolvingKey=\(key20)\n", "00:00:5E:00:53:09", "identity")
        try write(info, "00:00:5E:00:53:09", "C0:00:5E:00:53:03", "info")
        let findings = try read()
        #expect(findings.ownKey == (try key(0x10)))
        #expect(findings.bonds.map(\.ownIdentity?.address.description) == [adapter, nil])
        #expect(findings.bonds.map(\.ownAddress.address.description) == [adapter, "00:00:5E:00:53:09"])
    }

    @Test func anIdentityKeyOfZerosIsNone() throws {
        let zeros = String(repeating: "0", count: 32)
        try write("[General]\nIdentityResolvingKey=\(zeros)\n", adapter, "identity")
        try write(
            "[General]\nAddressType=static\n[LongTermKey]\nKey=\(key00)\nAuthenticated=2\n[IdentityResolvingKey]\nKey=\(zeros)\n",
            adapter, strap, "info")
        let findings = try read()
        #expect(findings.ownKey == nil)
        #expect(findings.bonds.map(\.identityResolvingKey) == [nil])
    }

    // MARK: What is not

    @Test func whatIsOfNoUseHere() throws {
        let general = "[General]\nAddressType=static\n"
        // Classic Bluetooth; known and not paired: nothing to be said.
        try write("[General]\nName=Speaker\n[LinkKey]\nKey=\(key00)\nType=4\n", adapter, "00:00:5E:00:53:10", "info")
        try write("[General]\nName=Seen\nAddressType=public\n", adapter, "00:00:5E:00:53:11", "info")
        try write(
            general + "[PeripheralLongTermKey]\nKey=\(key00)\nAuthenticated=0\nEDiv=3\nRand=4\n", adapter,
            "C0:00:5E:00:53:12", "info")
        try write(general + "[LongTermKey]\nKey=\(key00)\nAuthenticated=4\n", adapter, "C0:00:5E:00:53:13", "info")
        try write(general + "[LongTermKey]\nKey=\(key00)\nAuthenticated=2\n", adapter, "40:00:5E:00:53:14", "info")
        try write("[LongTermKey]\n", adapter, "no-address", "info")
        let findings = try read()
        #expect(findings.bonds.isEmpty && findings.faults.isEmpty)
        #expect(
            findings.passedOver.map { String($0.prefix(17)) } == [
                "40:00:5E:00:53:14", "C0:00:5E:00:53:12", "C0:00:5E:00:53:13",
            ])
        #expect(findings.passedOver.last?.contains("debug key") == true)
    }

    /// The same strap, paired with two adapters: one bond is taken, and it is said.
    @Test func twoAdaptersOfOneStrap() throws {
        let info = { (key: String) in "[General]\nAddressType=static\n[LongTermKey]\nKey=\(key)\nAuthenticated=2\n" }
        try write(info(key00), adapter, strap, "info")
        try write(info(key10), "00:00:5E:00:53:09", strap, "info")
        let findings = try read()
        #expect(findings.bonds.map(\.centralKey?.key) == [try key(0)])
        #expect(findings.passedOver.count == 1)
    }

    @Test(arguments: [
        ("Key=\("000102030405060708090A0B0C0D0E0F")", "Key=0001", 4, "32 hexadecimal digits"),
        (
            "Key=\("000102030405060708090A0B0C0D0E0F")", "Key=zz0102030405060708090A0B0C0D0E0F", 4,
            "32 hexadecimal digits"
        ),
        ("Authenticated=2", "Authenticated=5", 5, "0 to 4"), ("Authenticated=2", "Authenticated=", 5, "0 to 4"),
        ("EncSize=16", "EncSize=6", 6, "7 to 16"), ("EncSize=16", "EncSize=17", 6, "7 to 16"),
        ("EDiv=0", "EDiv=65536", 7, "65535"), ("Rand=0", "Rand=-1", 8, "18446744073709551615"),
        ("AddressType=static", "AddressType=secret", 2, "AddressType"),
        ("EDiv=0", "EDiv", 7, "neither a group nor a key"),
        ("[General]", "Name=x", 1, "no group"),
    ])
    func aDamagedFileIsToldOfAndTheOthersAreRead(_ part: String, _ other: String, _ line: Int, _ reason: String) throws
    {
        let info =
            "[General]\nAddressType=static\n[LongTermKey]\nKey=\(key00)\nAuthenticated=2\nEncSize=16\nEDiv=0\nRand=0\n"
        try write(info.replacingOccurrences(of: part, with: other), adapter, strap, "info")
        try write(info, adapter, "C0:00:5E:00:53:03", "info")
        let findings = try read()
        #expect(findings.bonds.map(\.identity.address.description) == ["C0:00:5E:00:53:03"])
        let fault = try #require(findings.faults.first)
        #expect(findings.faults.count == 1)
        #expect(fault.hasPrefix("\(folder.path)/\(adapter)/\(strap)/info, line \(line): "))
        #expect(fault.contains(reason))
        #expect(!fault.contains("0102"))
    }

    @Test func hostileFiles() throws {
        let place = "\(adapter)/\(strap)/info"
        try write("x", adapter, strap, "info")
        // No text; nothing; a device; too long; too many lines; a link to a file that can be read.
        for octets in [
            [0xFF, 0xFE, 0x5B], [], [UInt8](repeating: 0x0A, count: 30_000), [UInt8](repeating: 0x20, count: 2 << 20),
        ] {
            try folder.write(octets, to: place)
            let findings = try read()
            #expect(findings.bonds.isEmpty)
            #expect(findings.faults.count == (octets.isEmpty ? 0 : 1))
        }
        try FileManager.default.removeItem(atPath: folder.path + "/" + place)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/" + place, withDestinationPath: "/etc/passwd")
        #expect(try read().faults.first?.contains("symbolic link") == true)
        // Every text of a few characters and all damage of a whole one ends in findings.
        var generator = SeededGenerator(seed: 5)
        let info = Array("[General]\nAddressType=static\n[LongTermKey]\nKey=\(key00)\nAuthenticated=2\nRand=0\n".utf8)
        try FileManager.default.removeItem(atPath: folder.path + "/" + place)
        for _ in 0..<400 {
            var octets = info
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                octets[Int.random(in: 0..<octets.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            try folder.write(octets, to: place)
            let findings = try read()
            #expect(findings.bonds.count + findings.faults.count + findings.passedOver.count <= 1)
        }
    }

    // MARK: The folder

    @Test func aFolderOfSomethingElse() throws {
        try write("x", "readme")
        #expect(try !read().hasAdapters)
        #expect(throws: BondStoreError.self) { try BlueZStorage(path: folder.path + "/nowhere").read() }
        #expect(throws: BondStoreError.self) { try BlueZStorage(path: folder.path + "/readme").read() }
    }
}
