import Capture
import Dissection
import HCI
import TestSupport
import Testing
import Wire

@Suite struct RedactorTests {
    /// The octets of packets written by hand, and their direction.
    private func packets(_ tape: [String]) -> [(octets: [UInt8], direction: Record.Direction)] {
        tape.map { (octets(String($0.dropFirst())), $0.first == ">" ? .received : .sent) }
    }

    private func redacted(_ tape: [String]) -> [[UInt8]] {
        var redactor = Redactor()
        return packets(tape).map { packet in
            var octets = packet.octets
            redactor.filter(&octets, packet.direction)
            #expect(octets.count == packet.octets.count)
            return octets
        }
    }

    /// Whether a run of `count` octets of the key stands anywhere, either way round.
    private func finds(_ key: [UInt8], in packets: [[UInt8]], count: Int) -> Bool {
        let pieces = [key, key.reversed()].flatMap { key in
            (0...key.count - count).map { Array(key[$0..<$0 + count]) }
        }
        return packets.contains { packet in
            packet.indices.dropLast(count - 1).contains { start in pieces.contains(Array(packet[start..<start + count]))
            }
        }
    }

    // MARK: Whole pairings

    @Test func noKeyOfAWholePairingIsLeft() {
        let tape = PairingTape.secureConnections + PairingTape.legacy
        let plain = packets(tape).map(\.octets)
        let redacted = redacted(tape)
        for key in PairingTape.keys {
            #expect(finds(key, in: plain, count: 4))
            #expect(!finds(key, in: redacted, count: 3))
        }
        // What is no key is as it was: whole packets but for these, and lengths, codes and public keys of these.
        #expect(zip(plain, redacted).count { $0 != $1 } == 15)
        for (plain, redacted) in zip(plain, redacted) {
            #expect(zip(plain, redacted).allSatisfy { $0 == $1 || $1 == 0 })
        }
    }

    /// However the fragments are cut, with other traffic between them.
    @Test(arguments: 1...22) func keysInFragments(_ size: Int) {
        let key = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
        for code in ["06", "08", "0a"] {
            for direction in [">", "<"] as [Character] {
                var tape = [connected]
                let other: Character = direction == ">" ? "<" : ">"
                let attribute = "\(other) 02 4000 0700 0300 0400 a0a1a2"
                let otherLink = "\(direction) 02 4100 0700 0300 0400 a0a1a2"
                for fragment in PairingTape.fragments(direction, code + key, of: size) {
                    tape += [fragment, attribute, otherLink]
                }
                let result = redacted(tape)
                let data = stride(from: 1, to: result.count, by: 3).flatMap { result[$0].dropFirst(5) }
                #expect(data == octets("1100 0600 \(code)") + [UInt8](repeating: 0, count: 16))
                #expect(
                    result.dropFirst(2).enumerated().allSatisfy { $0 % 3 == 2 || $1.suffix(3) == octets("a0a1a2")[...] }
                )
            }
        }
    }

    // MARK: Commands and events

    @Test(arguments: [
        ("< 01 0b04 16 060504030201 KEY", true), ("< 01 0d04 17 060504030201 10 KEY", true),
        ("< 01 3004 26 060504030201 KEY KEY", true), ("< 01 4504 46 060504030201 KEY KEY KEY KEY", true),
        ("< 01 3504 13 01 10 03 KEY", true), ("< 01 3604 13 01 10 03 KEY", true),
        ("< 01 110c 2d 02 060504030201 KEY 060504030202 KEY", true), ("< 01 1720 20 KEY KEY", true),
        ("< 01 1920 1c 4000 0807060504030201 3412 KEY", true), ("< 01 1a20 12 4000 KEY", true),
        ("< 01 2720 27 01 060504030201 KEY KEY", true), ("< 01 6820 1f 000102030405060708090a0b0c0d01 KEY", true),
        ("< 01 6920 24 000102030405060708090a0b0c0d0e0f10111201 KEY", true),
        ("< 01 6b20 19 000102 01 KEY 0304050101", true),
        ("> 04 0e 14 01 1720 00 KEY", true), ("> 04 0e 0c 01 1820 00 a0a1a2a3a4a5a6a7", true),
        ("> 04 0e 24 01 570c 00 KEY KEY", true), ("> 04 0e 44 01 7d0c 00 KEY KEY KEY KEY", true),
        ("> 04 15 2d 02 060504030201 KEY 060504030202 KEY", true), ("> 04 18 17 060504030201 KEY 04", true),
        ("> 04 3e 22 09 00 KEY KEY", true),
        // What only its maker understands.
        ("< 01 01fc 10 KEY", true), ("> 04 ff 10 KEY", true), ("> 04 0e 14 01 01fc 00 KEY", true),
        // Data on a handle that is none, and the rest of what did not begin here.
        ("> 02 dc2e 1400 1000 0400 KEY", true), ("> 02 4010 1000 KEY", true),
        // No keys: public keys, random numbers of LE LTK Request, data, a signature by a write.
        ("< 01 2620 40 KEY KEY KEY KEY", false), ("> 04 3e 42 08 00 KEY KEY KEY KEY", false),
        ("< 01 3120 10 KEY", false), ("> 02 4020 1400 1000 0400 KEY", false), ("> 04 0e 14 01 0910 00 KEY", false),
    ])
    func aPacketWithAKey(_ text: String, _ isHidden: Bool) {
        let key = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
        let packet = text.replacing("KEY", with: key)
        let plain = packets([packet])[0].octets
        let result = redacted([packet])[0]
        #expect(finds(octets(key), in: [result], count: 1) == !isHidden)
        // Nothing else changes, but where all that stands behind a count goes, and what cannot be understood.
        let header = octets(
            String(text.replacing("KEY", with: "").dropFirst()).split(separator: " ").prefix(3).joined())
        #expect(result.starts(with: header))
        let hidden = zip(plain, result).count { $0 != $1 }
        let keyOctets = plain.count { (0xA0...0xAF).contains($0) }
        if isHidden { #expect(hidden >= keyOctets) } else { #expect(hidden == 0) }
        // Cut anywhere, it still holds none.
        for count in 0..<plain.count where isHidden {
            var redactor = Redactor()
            var cut = Array(plain.prefix(count))
            redactor.filter(&cut, text.first == ">" ? .received : .sent)
            #expect(cut.count == count && !finds(octets(key), in: [cut], count: 1))
        }
    }

    /// The places of keys are those that the packets themselves name.
    @Test(arguments: 0..<20 as Range<UInt64>) func placesAgreeWithThePackets(_ seed: UInt64) throws {
        func check<Packet: HCI.Command>(_ packet: Packet, without erase: (inout Packet) -> Void) throws {
            var (packet, pass) = (packet, RandomisePass(seed: seed))
            try packet.fields(&pass)
            var octets = HCI.Packet.command(Packet.opcode, parameters: packet.encoded).encoded
            var redactor = Redactor()
            redactor.filter(&octets, .sent)
            erase(&packet)
            #expect(octets == HCI.Packet.command(Packet.opcode, parameters: packet.encoded).encoded)
        }
        let none = [UInt8](repeating: 0, count: 16)
        try check(LEEncrypt()) { ($0.key, $0.plaintext) = (none, none) }
        try check(LEEnableEncryption()) { $0.longTermKey = none }
        try check(LELongTermKeyRequestReply()) { $0.longTermKey = none }
        try check(LEAddDeviceToResolvingList()) { ($0.peerKey, $0.localKey) = (none, none) }
        try check(LEGenerateDHKey()) { _ in }
        try check(LESetRandomAddress()) { _ in }
    }

    // MARK: Records

    /// A record that was cut short: its fragment had more than is there, and the next one stands further on.
    @Test func aFragmentThatWasCut() {
        let key = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
        let next = "> 02 4010 0c00 a4a5a6a7a8a9aaabacadaeaf"
        for cut in [
            "> 02 4020 0900 1100 0600 08 a0a1", "> 02 4020 0900 1100 0600", "> 02 4020 0900 11", "> 02 4020 0900",
        ] {
            #expect(!finds(octets(key), in: redacted([cut, next]), count: 1))
        }
        // Where it is known that it is none, it stays.
        let attribute = redacted(["> 02 4020 0900 1100 0400 1b a0a1", next])
        #expect(attribute[1] == octets("02 4010 0c00 a4a5a6a7a8a9aaabacadaeaf"))
    }

    @Test func whatStandsBesideThePackets() {
        func result(_ kind: Record.Kind) -> [UInt8] {
            var redactor = Redactor()
            let record = Record(frame: 1, kind: kind, octets: [7, 8, 9], includedLength: 3, originalLength: 3)
            return redactor.redacted(record).octets
        }
        for opcode in [
            MonitorOpcode.controlCommand, .controlEvent, .userLogging, .vendorDiagnostics, MonitorOpcode(rawValue: 99),
        ] {
            #expect(result(.note(opcode)) == [0, 0, 0])
        }
        for opcode in [MonitorOpcode.newIndex, .systemNote, .controlOpen] {
            #expect(result(.note(opcode)) == [7, 8, 9])
        }
        #expect(result(.loggerNote(PacketLogger.RecordType(rawValue: 0xFC))) == [0, 0, 0])
        #expect(result(.unassigned(7)) == [7, 0, 0])
        #expect(result(.sco) == [7, 8, 9])
    }

    /// Each adapter's links are its own.
    @Test func twoAdapters() {
        var redactor = Redactor()
        func record(_ text: String, adapter: UInt16) -> [UInt8] {
            let octets = octets(text)
            return redactor.redacted(
                Record(
                    frame: 1, adapter: adapter, direction: .received, kind: .acl, octets: octets,
                    includedLength: octets.count, originalLength: octets.count)
            ).octets
        }
        _ = record("02 4020 0500 1100 0600 08", adapter: 0)
        _ = record("02 4020 0500 1100 0400 1b", adapter: 1)
        #expect(record("02 4010 0200 a0a1", adapter: 1) == octets("02 4010 0200 a0a1"))
        #expect(record("02 4010 0200 a0a1", adapter: 0) == octets("02 4010 0200 0000"))
    }

    @Test func anyOctets() {
        var generator = SeededGenerator(seed: 11)
        var redactor = Redactor()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &generator)
            let plain = (0..<count).map { index in
                UInt8.random(in: 0...(index == 0 ? 6 : 255), using: &generator)
            }
            var octets = plain
            redactor.filter(&octets, Bool.random(using: &generator) ? .sent : .received)
            #expect(octets.count == count && zip(plain, octets).allSatisfy { $0 == $1 || $1 == 0 })
        }
    }
}
