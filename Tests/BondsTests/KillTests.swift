import Bonds
import Foundation
import HCI
import Host
import SMP
import TestSupport
import Testing
import Wire

/// Processes that are killed, at every step and at any moment, and several at once: the file is the old one or the new one, whole, and
/// what was told to be kept is kept.
@Suite struct KillTests {
    private let folder: Folder
    private var path: String { folder.path + "/state/bonds" }

    init() throws { folder = try Folder() }

    /// What the file says, read without any mending: `nil` where there is none.
    private func kept() throws -> KnownBonds? {
        try folder.octets(of: "state/bonds").map { try KnownBonds(text: $0) }
    }

    private func identities() throws -> [UInt64]? {
        try kept()?.bonds.map { $0.identity.address.rawValue - 0xC000_5E00_0000 }
    }

    /// Kills a run at each of its steps, until one comes through. Before each there are `count` bonds, or damage in their place.
    ///
    /// - Returns: how many steps there were
    private func killAtEveryStep(
        _ arguments: [String], from count: Int, damaged: [UInt8]? = nil, check: () throws -> Void
    ) throws -> Int {
        for step in 1...100 {
            try begin(with: count)
            if let damaged { try folder.write(damaged, to: "state/bonds") }
            let outcome = try Runner.run([path, "die-at", "\(step)"] + arguments)
            guard outcome.wasKilled else {
                #expect(outcome.status == 0)
                return step - 1
            }
            #expect(outcome.status == SIGKILL)
            try check()
            // Whatever it left, the next run does its work.
            #expect(try Runner.run([path, "save", "99", "1"]).lines.last == "kept 99")
            #expect(try identities()?.last == 99)
            #expect(Set(folder.names(in: "state")).isSubset(of: ["bonds", "bonds.lock", "bonds.damaged"]))
        }
        Issue.record("it never ended")
        return 0
    }

    private func begin(with count: Int) throws {
        try? FileManager.default.removeItem(atPath: folder.path + "/state")
        guard count > 0 else { return }
        #expect(try Runner.run([path, "save", "1", "\(count)"]).lines.count == count)
    }

    @Test func whileTheFirstBondIsKept() throws {
        var seen: Set<[UInt64]?> = []
        let steps = try killAtEveryStep(["save", "1", "1"], from: 0) {
            let now = try identities()
            #expect(now == nil || now == [1])
            seen.insert(now)
        }
        #expect(steps >= 8)
        #expect(seen == [nil, [1]])
    }

    @Test func whileOneMoreIsKept() throws {
        var seen: Set<[UInt64]?> = []
        let steps = try killAtEveryStep(["save", "4", "1"], from: 3) {
            let now = try identities()
            #expect(now == [1, 2, 3] || now == [1, 2, 3, 4])
            seen.insert(now)
            #expect(try folder.mode(of: "state/bonds") == 0o600)
        }
        #expect(steps >= 8)
        #expect(seen.count == 2)
    }

    @Test func whileOneIsForgotten() throws {
        var seen: Set<[UInt64]?> = []
        _ = try killAtEveryStep(["remove", "2"], from: 3) { seen.insert(try identities()) }
        #expect(seen == [[1, 2, 3], [1, 3]])
    }

    /// The damaged text is there all the time, in its place or out of the way.
    @Test func whileADamagedOneIsSetAside() throws {
        let damaged = Array("hr-raw-bonds 1\nhalf of it".utf8)
        let steps = try killAtEveryStep(["save", "5", "1"], from: 1, damaged: damaged) {
            let isAside = folder.octets(of: "state/bonds.damaged") == damaged
            #expect(isAside || folder.octets(of: "state/bonds") == damaged)
            let now = isAside ? try identities() : nil
            #expect(now == nil || now == [5])
        }
        #expect(steps >= 11)
    }

    /// At every so many octets of the file that is being written, by the system; and with a disk that is full there.
    @Test(arguments: ["limit", "full"])
    func inTheMidstOfWriting(_ way: String) throws {
        try begin(with: 3)
        let before = try #require(folder.octets(of: "state/bonds"))
        for length in stride(from: 0, to: before.count + 100, by: 61) {
            let outcome = try Runner.run([path, way, "\(length)", "save", "4", "1"])
            if way == "limit" {
                #expect(outcome.wasKilled && outcome.status == SIGXFSZ)
            } else {
                #expect(outcome.status == 1 && !outcome.wasKilled)
                #expect(outcome.lines.first?.hasPrefix("refused system: ") == true)
                #expect(outcome.lines.first?.contains("bonds cannot be written") == true)
                #expect(folder.names(in: "state") == ["bonds", "bonds.lock"])
            }
            #expect(folder.octets(of: "state/bonds") == before)
        }
        #expect(try Runner.run([path, "save", "4", "1"]).lines == ["kept 4"])
        #expect(try identities() == [1, 2, 3, 4])
    }

    /// Killed from outside, who knows when: what was told to be kept is kept, and at most the one under way beside it.
    @Test func atAnyMoment() throws {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<12 * effort {
            try begin(with: 0)
            let runner = try Runner([path, "save", "1", "200"])
            let wanted = Int.random(in: 1...40, using: &generator)
            var output = Data()
            while output.count(where: { $0 == 10 }) < wanted { output += runner.someOutput() }
            runner.kill()
            let told = output.count { $0 == 10 } + (try runner.outcome().lines.count)
            let kept = try #require(try identities())
            #expect(kept == (1...UInt64(kept.count)).map { $0 })
            // A line that was cut by the end of what was read counts twice at most.
            #expect(kept.count >= told - 1 && kept.count <= told + 1)
        }
    }

    /// Two that begin with nothing: all that each has kept is there, and there is one key of our own.
    @Test func twoAtOnce() throws {
        let runners = [try Runner([path, "save", "1", "20"]), try Runner([path, "save", "101", "20"])]
        // A third reads all the while, and sees what is whole.
        var counts: [Int] = []
        while counts.last ?? 0 < 40, counts.count < 10_000 {
            let outcome = try kept()?.bonds.count ?? 0
            #expect(outcome >= counts.last ?? 0)
            counts.append(outcome)
        }
        for runner in runners {
            let outcome = try runner.outcome()
            #expect(outcome.status == 0 && outcome.lines.count == 20)
            #expect(outcome.lines.allSatisfy { $0.hasPrefix("kept ") })
        }
        #expect(try Set(identities() ?? []) == Set((1...20).map { $0 } + (101...120)))
        #expect(try kept()?.ownKey != nil)
        #expect(folder.names(in: "state") == ["bonds", "bonds.lock"])
    }

    /// A process that was killed while it held the lock keeps nobody waiting.
    @Test func theLockGoesWithItsHolder() throws {
        try begin(with: 1)
        #expect(try Runner.run([path, "die-at", "3", "save", "2", "1"]).wasKilled)
        let before = ContinuousClock.now
        #expect(try Runner.run([path, "save", "3", "1"]).lines == ["kept 3"])
        #expect(ContinuousClock.now - before < .seconds(4))
    }
}
