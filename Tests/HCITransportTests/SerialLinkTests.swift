import CHCI
import Glibc
import HCI
import Testing

@testable import HCITransport

@Suite struct SerialLinkTests {
    /// A terminal as a login finds it: lines, echo, translation.
    private final class Terminal {
        let primary: OwnedDescriptor
        let terminal: OwnedDescriptor
        let path: String

        init() throws(TransportError) {
            var terminal: Int32 = 0
            var path = [UInt8](repeating: 0, count: 128)
            primary = try OwnedDescriptor(
                checked: unsafe chci_pty_create(&terminal, &path, path.count), "posix_openpt")
            self.terminal = OwnedDescriptor(terminal)
            self.path = String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
            var settings = termios()
            var result = unsafe tcgetattr(terminal, &settings)
            settings.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
            settings.c_iflag |= tcflag_t(ICRNL)
            if result == 0 { result = unsafe tcsetattr(terminal, TCSANOW, &settings) }
            try check(result < 0 ? -errno : result, "tcsetattr")
        }

        /// Whether it reads lines, echoes and translates.
        var isAsFound: Bool {
            var settings = termios()
            guard unsafe tcgetattr(terminal.number, &settings) == 0 else { return false }
            let local = tcflag_t(ICANON | ECHO | ISIG)
            return settings.c_lflag & local == local && settings.c_iflag & tcflag_t(ICRNL) != 0
        }
    }

    @Test func theLineHasItsSettingsBackAfterTheLink() async throws {
        let terminal = try Terminal()
        let probe = LinkProbe(try StreamLink.open(serial: terminal.path, on: try EventLoop()))
        await probe.activate()
        #expect(!terminal.isAsFound)
        await probe.shutDown()
        #expect(terminal.isAsFound)
    }

    @Test func aLineInUseIsRefusedAndLeftAlone() async throws {
        let terminal = try Terminal()
        let loop = try EventLoop()
        let probe = LinkProbe(try StreamLink.open(serial: terminal.path, on: loop))
        await probe.activate()
        #expect(throws: TransportError.portInUse(path: terminal.path)) {
            try StreamLink.open(serial: terminal.path, on: loop)
        }
        #expect(!terminal.isAsFound)
        await probe.shutDown()
        let next = LinkProbe(try StreamLink.open(serial: terminal.path, on: loop))
        await next.shutDown()
        #expect(terminal.isAsFound)
    }

    @Test func aFileIsNoLine() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(throws: TransportError.notATerminal(path: folder.path + "/file")) {
            try StreamLink.open(serial: folder.path + "/file", on: try EventLoop())
        }
    }
}
