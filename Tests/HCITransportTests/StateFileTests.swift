import Glibc
import HCITransport
import Testing

@Suite struct StateFileTests {
    /// A folder that does not exist yet, below one that does.
    private let folder: String

    init() throws {
        var template = Array("/tmp/hr-raw-state-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
        folder = try #require(made) + "/below/state"
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func whatIsKeptIsThereAgain() throws {
        let file = StateFile("known", in: folder)
        #expect(file.read() == nil)
        for content in [[], [1, 2, 3], [UInt8](repeating: 7, count: 100_000)] {
            try file.replace(with: content)
            #expect(StateFile("known", in: folder).read() == content)
        }
        #expect(mode(of: file.path) == 0o600)
        #expect(mode(of: folder) == 0o700)
    }

    /// Not even when the last run was killed in the midst of it, or had another mask.
    @Test func itIsForItsOwnerAlone() throws {
        let file = StateFile("known", in: folder)
        try file.replace(with: [1])
        let draft = "\(file.path).\(getpid())"
        let left = unsafe open(draft, O_WRONLY | O_CREAT, 0o644)
        #expect(close(left) == 0)
        #expect(unsafe chmod(draft, 0o666) == 0)
        try file.replace(with: [2])
        #expect(mode(of: file.path) == 0o600)
        #expect(mode(of: draft) == nil)
    }

    @Test func aDamagedOneIsSetAside() throws {
        let file = StateFile("known", in: folder)
        #expect(file.setAside() == nil)
        try file.replace(with: [1])
        #expect(file.setAside() == file.path + ".damaged")
        #expect(file.read() == nil)
        #expect(StateFile("known.damaged", in: folder).read() == [1])
        // What was set aside before stays what it is.
        for number in 2...100 {
            try file.replace(with: [UInt8(number)])
            #expect(file.setAside() == "\(file.path).damaged.\(number)")
        }
        #expect(StateFile("known.damaged", in: folder).read() == [1])
        #expect(StateFile("known.damaged.2", in: folder).read() == [2])
        // At last it stays where it is.
        try file.replace(with: [101])
        #expect(file.setAside() == nil)
        #expect(file.read() == [101])
    }

    @Test func noneOfOursIsSoLong() throws {
        let file = StateFile("known", in: folder)
        try file.replace(with: [UInt8](repeating: 7, count: StateFile.longest + 1))
        #expect(file.read() == nil)
        #expect(file.isThere)
        #expect(StateFile("known", in: "/dev/null").read() == nil)
        #expect(!StateFile("unknown", in: folder).isThere)
    }

    /// A link in its place is neither followed nor written through.
    @Test func linksAreNotFollowed() throws {
        let file = StateFile("known", in: folder)
        try file.replace(with: [1])
        let link = StateFile("link", in: folder)
        #expect(unsafe symlink(file.path, link.path) == 0)
        #expect(link.read() == nil)
        try link.replace(with: [2])
        #expect(file.read() == [1])
        #expect(link.read() == [2])
    }

    @Test func whatIsNoFileIsNotRead() throws {
        try StateFile("known", in: folder).replace(with: [1])
        #expect(try StateFile("unknown", in: folder).content() == nil)
        #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
        #expect(throws: StateFile.Obstacle.noFile) { try StateFile("pipe", in: folder).content() }
        #expect(throws: StateFile.Obstacle.noFile) { try StateFile(path: folder).content() }
        #expect(throws: StateFile.Obstacle.noFile) { try StateFile(path: "/dev/null").content() }
        #expect(unsafe symlink(folder + "/known", folder + "/link") == 0)
        #expect(throws: StateFile.Obstacle.link) { try StateFile("link", in: folder).content() }
    }

    @Test func othersAreShutOut() throws {
        let file = StateFile("known", in: folder)
        try file.replace(with: [1])
        #expect(try file.content() == StateFile.Content(octets: [1], isOpenToOthers: false))
        #expect(unsafe chmod(file.path, 0o604) == 0)
        #expect(try file.content() == StateFile.Content(octets: [1], isOpenToOthers: true))
        #expect(file.closeToOthers())
        #expect(mode(of: file.path) == 0o600)
    }

    /// Only root can make such a file.
    @Test(.enabled(if: geteuid() == 0)) func anotherUsersIsNotTrusted() throws {
        let file = StateFile("known", in: folder)
        try file.replace(with: [1])
        #expect(unsafe chown(file.path, 12345, 12345) == 0)
        #expect(throws: StateFile.Obstacle.foreign) { try file.content() }
        #expect(file.read() == nil)
    }

    /// Whose turn it is, and that it ends with its holder.
    @Test func oneAfterTheOther() throws {
        let file = StateFile("known", in: folder)
        try change(file)
        try change(file)
        #expect(file.read() == [1])
        #expect(throws: TransportError.self) { _ = try StateFile("known", in: "/proc/nowhere").takeTurn(within: .zero) }
    }

    private func change(_ file: StateFile) throws {
        let turn = try file.takeTurn(within: .zero)
        #expect(throws: TransportError.inUse(path: file.path)) { _ = try file.takeTurn(within: .milliseconds(20)) }
        try turn.replace(with: [1])
        #expect(throws: TransportError.inUse(path: file.path)) { _ = try file.takeTurn(within: .zero) }
    }

    @Test func whereAPathLies() {
        #expect(StateFile(path: "/a/b").path == "/a/b")
        #expect(StateFile(path: "b").path == "b")
    }

    @Test func whereNothingCanBeKeptItIsSaid() {
        #expect(throws: TransportError.self) { try StateFile("known", in: "/proc/nowhere").replace(with: [1]) }
    }
}
