import Capture
import HCI
import HeartRate
import Host
import Simulator
import Testing
import Wire

@testable import Replay

/// A host that does anything else than the recorded one: where, and what.
@Suite struct DivergenceTests {
    private static func meet(_ central: Central) async -> [String] {
        await session(with: .any, on: central, for: .seconds(4))
    }

    private func recording() async throws -> Recording {
        try await record(.strap, Self.meet).recording
    }

    /// One bit of any octet that the recorded host sent: that packet, and no other, is found to differ.
    @Test func oneOctetOfAnyPacketIsFound() async throws {
        let recording = try await recording()
        let sent = recording.records.filter { $0.direction == .sent }
        #expect(sent.count > 20)
        for record in sent {
            // Whether and when a host leaves is its user's business.
            if record.isParting { continue }
            var changed = record
            changed.octets[1 + record.frame % (record.octets.count - 1)] ^= 0x01
            let other = Recording(records: recording.records.map { $0.frame == record.frame ? changed : $0 })
            let divergence = await #expect(throws: Divergence.self) { try await other.play(Self.meet) }
            guard let divergence, Lane(record.octets) == Lane(changed.octets) else { continue }
            #expect(divergence.recorded?.frame == record.frame)
            #expect(divergence.sent == record.octets)
            #expect(divergence.description.contains("→"), "\(divergence)")
        }
    }

    @Test func saysWhichFieldIsAnother() async throws {
        let recording = try await recording()
        let write = try #require(recording.records.first { $0.octets.suffix(5).first == 0x12 && $0.direction == .sent })
        var changed = write
        changed.octets[changed.octets.count - 2] = 0x02
        let other = Recording(records: recording.records.map { $0.frame == write.frame ? changed : $0 })
        let divergence = try #require(await #expect(throws: Divergence.self) { try await other.play(Self.meet) })
        #expect(divergence.description.contains("frame \(write.frame)"))
        #expect(divergence.description.contains("Write Request"))
        #expect(divergence.description.contains("0200 → 0100"), "\(divergence)")
    }

    @Test func aHostThatAsksForMoreIsFound() async throws {
        let recording = try await recording()
        let divergence = try #require(
            await #expect(throws: Divergence.self) {
                try await recording.play { central in
                    _ = await session(with: .any, on: central, for: .seconds(4), resetsEnergy: true)
                }
            })
        #expect(divergence.sent != nil)
    }

    @Test func aHostThatLeavesSomethingOutIsFound() async throws {
        let recording = try await recording()
        let divergence = try #require(
            await #expect(throws: Divergence.self) {
                try await recording.play { try await $0.wait(.seconds(3)) }
            })
        #expect(divergence.sent == nil)
        #expect(divergence.description.contains("did not send"))
    }

    /// What was recorded until the host had enough is enough.
    @Test func aHostMayHaveEnoughBeforeTheEnd() async throws {
        let recording = try await recording()
        let all = await told { try await recording.play(Self.meet) }
        let some = try await recording.play { await session(with: .any, on: $0, for: .seconds(2)) }
        try #require(!some.isEmpty && some.count < all.count)
        expectSame(Array(some.dropLast()), Array(all.prefix(some.count - 1)))
    }

    /// Nor does the recording go on for ever.
    @Test func aHostThatWantsMoreIsToldOfTheEnd() async throws {
        let recording = try await recording()
        let events = await told { try await recording.play { await session(with: .any, on: $0, for: .seconds(60)) } }
        #expect(events.last?.contains("recordingEnded") == true, "\(events.suffix(3))")
    }

    /// Two hosts that encrypt with different keys: that is said, and neither key.
    @Test func keysAreNotTold() {
        let head: [UInt8] = [0x01, 0x19, 0x20, 0x1C, 0x40, 0] + [UInt8](repeating: 0, count: 10)
        let packets = [0xAB, 0xCD].map { head + [UInt8](repeating: $0, count: 16) }
        let recorded = Record(
            frame: 7, timestamp: Timestamp(microseconds: 0), direction: .sent, kind: .command, octets: packets[0],
            includedLength: packets[0].count, originalLength: packets[0].count)
        let divergences = [
            Divergence(recorded: recorded, sent: packets[1], at: Timestamp(microseconds: 0)),
            Divergence(recorded: recorded, sent: packets[0], at: Timestamp(microseconds: 0)),
            Divergence(recorded: recorded, sent: nil, at: Timestamp(microseconds: 0)),
            Divergence(recorded: nil, sent: packets[1], at: Timestamp(microseconds: 0)),
        ]
        for divergence in divergences {
            #expect(divergence.description.contains("LE Enable Encryption"))
            #expect(!divergence.description.contains("abab") && !divergence.description.contains("cdcd"))
        }
        #expect(divergences[0].description.contains("in octets that are not shown, as they may be a key"))
    }
}
