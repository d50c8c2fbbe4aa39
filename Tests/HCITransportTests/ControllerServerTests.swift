import Glibc
import HCI
import TestSupport
import Testing
import Wire

@testable import HCITransport

/// Answers the n-th packet with n, and says 0xEE a moment after the first.
private struct Counter: VirtualController {
    private var count: UInt8 = 0
    private(set) var nextDeadline: Moment?

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        count += 1
        output.append([4, 0xFF, 1, count])
        if count == 1 { nextDeadline = now + .milliseconds(1) }
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        output.append([4, 0xFF, 1, 0xEE])
        nextDeadline = nil
    }
}

@Suite struct ControllerServerTests {
    private let reset = octets("01 03 0C 00")

    @Test func eachClientFindsAFreshController() async throws {
        let loop = try EventLoop()
        let server = try ControllerServer.tcp(port: 0, on: loop) { Counter() }
        guard case .tcp(let port) = server.place else { return }
        #expect(port != 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            for _ in 1...2 {
                let probe = LinkProbe(try await StreamLink.connect(to: "127.0.0.1", port: port, on: loop))
                await probe.activate()
                await probe.transmit(reset)
                #expect(await probe.nextPacket() == [4, 0xFF, 1, 1])
                #expect(await probe.nextPacket() == [4, 0xFF, 1, 0xEE])
                await probe.transmit(reset)
                #expect(await probe.nextPacket() == [4, 0xFF, 1, 2])
                await probe.shutDown()
            }
            group.cancelAll()
        }
    }

    @Test func whoComesMeanwhileWaitsForHisTurn() async throws {
        let loop = try EventLoop()
        let server = try ControllerServer.tcp(port: 0, on: loop) { Counter() }
        guard case .tcp(let port) = server.place else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let first = LinkProbe(try await StreamLink.connect(to: "127.0.0.1", port: port, on: loop))
            await first.activate()
            await first.transmit(reset)
            #expect(await first.nextPacket() == [4, 0xFF, 1, 1])
            let second = LinkProbe(try await StreamLink.connect(to: "127.0.0.1", port: port, on: loop))
            await second.activate()
            await second.transmit(reset)
            await first.shutDown()
            #expect(await second.nextPacket() == [4, 0xFF, 1, 1])
            group.cancelAll()
        }
    }

    @Test func theServerEndsWithItsTask() async throws {
        let loop = try EventLoop()
        let server = try ControllerServer.tcp(port: 0, on: loop) { Counter() }
        // Returns, or the test does not.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.cancelAll()
            try await group.next()
        }
    }

    @Test func aPtyIsServedToOneHostAfterAnother() async throws {
        let loop = try EventLoop()
        let server = try ControllerServer.pty(on: loop) { Counter() }
        guard case .pty(let path) = server.place else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            for turn: UInt8 in 1...2 {
                let probe = LinkProbe(try StreamLink.open(serial: path, on: loop))
                await probe.activate()
                await probe.transmit(reset)
                #expect(await probe.nextPacket() == [4, 0xFF, 1, turn])
                if turn == 1 { #expect(await probe.nextPacket() == [4, 0xFF, 1, 0xEE]) }
                await probe.shutDown()
            }
            group.cancelAll()
        }
    }
}

@Suite struct OpeningTests {
    @Test func aPortThatNobodyServesIsRefused() async throws {
        let loop = try EventLoop()
        let port = try freePort()
        await #expect(throws: TransportError.cannotConnect(host: "127.0.0.1", port: port, errno: ECONNREFUSED)) {
            try await StreamLink.connect(to: "127.0.0.1", port: port, on: loop)
        }
    }

    @Test func aHostWithoutAddressIsNamed() async throws {
        let loop = try EventLoop()
        await #expect {
            try await StreamLink.connect(to: "no such host", port: 1, on: loop)
        } throws: { error in
            guard case TransportError.unknownHost(host: "no such host", _) = error else { return false }
            return true
        }
    }

    @Test func aPortThatIsTakenCannotBeServed() throws {
        let loop = try EventLoop()
        let server = try ControllerServer.tcp(port: 0, on: loop) { Counter() }
        guard case .tcp(let port) = server.place else { return }
        #expect(throws: TransportError.cannotListen(port: port, errno: EADDRINUSE)) {
            try ControllerServer.tcp(port: port, on: loop) { Counter() }
        }
    }

    @Test func whatIsNoTerminalIsNoSerialLine() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        let loop = try EventLoop()
        #expect(throws: TransportError.notATerminal(path: folder.path + "/file")) {
            try StreamLink.open(serial: folder.path + "/file", on: loop)
        }
        #expect(throws: TransportError.cannotOpen(path: folder.path + "/none", errno: ENOENT)) {
            try StreamLink.open(serial: folder.path + "/none", on: loop)
        }
    }

    @Test func aSpeedThatNoLineHasIsRefused() throws {
        let loop = try EventLoop()
        let server = try ControllerServer.pty(on: loop) { Counter() }
        guard case .pty(let path) = server.place else { return }
        #expect(throws: TransportError.unsupportedSpeed(path: path, baud: 12_345)) {
            try StreamLink.open(serial: path, baud: 12_345, on: loop)
        }
        _ = try StreamLink.open(serial: path, baud: 115_200, on: loop)
    }

    /// A port that was free a moment ago.
    private func freePort() throws -> UInt16 {
        let server = try ControllerServer.tcp(port: 0, on: try EventLoop()) { Counter() }
        guard case .tcp(let port) = server.place else { return 0 }
        return port
    }
}
