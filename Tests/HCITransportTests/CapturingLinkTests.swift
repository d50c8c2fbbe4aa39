import Capture
import Glibc
import HCI
import Synchronization
import TestSupport
import Testing
import Wire

@testable import HCITransport

/// Answers each command with Command Complete of Reset.
private struct Resetter: VirtualController {
    var nextDeadline: Moment? { nil }
    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        output.append(octets("04 0E 04 01 03 0C 00"))
    }
    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {}
}

@Suite struct CapturingLinkTests {
    private let reset = octets("01 03 0C 00")
    private let resetComplete = octets("04 0E 04 01 03 0C 00")
    /// 2020-01-01 00:00:00 UTC.
    private let start = Timestamp(microseconds: 1_577_836_800_000_000)

    @Test func theFileHoldsTheTrafficOfBothWaysWhileTheRunGoesOn() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run.btsnoop"
        let loop = try EventLoop()
        let link = VirtualLink(Resetter(), clock: .virtual(start: start), on: loop)
        let probe = LinkProbe(CapturingLink(link, recorder: try silentRecorder(path)))
        await probe.activate()
        await probe.transmit(reset)
        #expect(await probe.nextPacket() == resetComplete)
        // By hand, from the format's description; the link has not been shut down.
        // 0x00DCDDB30F2F8000 microseconds from the year 0 to 1970, and 1577836800 s from there to 2020.
        let stamp = octets("00 E2 78 BB D1 29 C0 00")
        var expected = octets("62 74 73 6E 6F 6F 70 00 00 00 00 01 00 00 03 EA")
        expected += octets("00 00 00 04 00 00 00 04 00 00 00 02 00 00 00 00") + stamp + reset
        expected += octets("00 00 00 07 00 00 00 07 00 00 00 03 00 00 00 00") + stamp + resetComplete
        #expect(try contents(of: path) == expected)
    }

    @Test func onlyTheOwnerMayReadTheFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run.btsnoop"
        _ = try silentRecorder(path)
        #expect(try mode(of: path) == 0o600)
    }

    @Test func aFileThatWasOpenToOthersIsClosedToThem() async throws {
        let folder = try TemporaryFolder()
        try folder.write("what was there", to: "run.btsnoop")
        let path = folder.path + "/run.btsnoop"
        #expect(unsafe chmod(path, 0o644) == 0)
        _ = try silentRecorder(path)
        #expect(try mode(of: path) == 0o600)
        #expect(try contents(of: path).count == 16)
    }

    @Test func theLinksOfOneRunShareOneFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run.btsnoop"
        let recorder = try silentRecorder(path)
        let loop = try EventLoop()
        for round in 1...2 {
            let link = VirtualLink(Resetter(), clock: .virtual(start: start), on: loop)
            let probe = LinkProbe(CapturingLink(link, recorder: recorder))
            await probe.activate()
            await probe.transmit(reset)
            #expect(await probe.nextPacket() == resetComplete)
            await probe.shutDown()
            // A header of 16 octets, and each time two records of 24 octets and 4 and 7 more.
            #expect(try contents(of: path).count == 16 + round * (2 * 24 + 4 + 7))
        }
    }

    @Test func aFullDiskIsToldAtOnceWhereNotEvenTheHeaderFits() throws {
        #expect(throws: TransportError.cannotWrite(path: "/dev/full", errno: ENOSPC)) {
            try CaptureRecorder(creating: "/dev/full") { _ in }
        }
    }

    @Test func aDiskThatFillsUpIsToldOnceAndTheTrafficGoesOn() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run.btsnoop"
        let told = Mutex<[TransportError]>([])
        let loop = try EventLoop()
        let link = VirtualLink(Resetter(), clock: .virtual(start: start), on: loop)
        let recorder = try CaptureRecorder(creating: path) { error in told.withLock { $0.append(error) } }
        let probe = LinkProbe(CapturingLink(link, recorder: recorder))
        await probe.activate()
        let file = recorder.descriptor
        let disk = dup(file)
        let full = try OwnedDescriptor(opening: "/dev/full", O_WRONLY)
        dup2(full.number, file)
        for _ in 0..<5 {
            await probe.transmit(reset)
            #expect(await probe.nextPacket() == resetComplete)
        }
        #expect(told.withLock { $0 } == [.cannotWrite(path: path, errno: ENOSPC)])
        #expect(try contents(of: path).count == 16)
        // Room again: the next record tells how many are missing.
        dup2(disk, file)
        close(disk)
        await probe.transmit(reset)
        #expect(await probe.nextPacket() == resetComplete)
        #expect(try contents(of: path)[28..<32].elementsEqual([0, 0, 0, 10]))
        #expect(told.withLock { $0.count } == 1)
    }

    @Test func aFileThatCannotBeMadeIsAnError() throws {
        #expect(throws: TransportError.cannotCreate(path: "/nowhere/at/all", errno: ENOENT)) {
            try CaptureRecorder(creating: "/nowhere/at/all") { _ in }
        }
    }

    private func silentRecorder(_ path: String) throws(TransportError) -> CaptureRecorder {
        try CaptureRecorder(creating: path) { _ in Issue.record("no failure was to be told") }
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}

/// A recording that is not to hold all of the traffic.
@Suite struct CaptureFilterTests {
    /// Overwrites what stands behind the type octet.
    private struct Eraser: CaptureFilter {
        func filter(_ packet: inout [UInt8], _ direction: Record.Direction) {
            packet = Array(packet.prefix(1)) + packet.dropFirst().map { _ in direction == .sent ? 0xAA : 0xBB }
        }
    }

    @Test func whatIsWrittenGoesThroughTheFilterAndTheTrafficStays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run.btsnoop"
        let link = VirtualLink(Resetter(), clock: .virtual(start: Timestamp(microseconds: 0)), on: try EventLoop())
        let recorder = try CaptureRecorder(creating: path, filter: Eraser()) { _ in }
        let probe = LinkProbe(CapturingLink(link, recorder: recorder))
        await probe.activate()
        await probe.transmit(octets("01 03 0C 00"))
        #expect(await probe.nextPacket() == octets("04 0E 04 01 03 0C 00"))
        let written = try contents(of: path)
        #expect(written.count == 75)
        #expect(Array(written[40..<44]) == octets("01 AA AA AA"))
        #expect(written.suffix(7) == octets("04 BB BB BB BB BB BB")[...])
    }
}
