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
        try file.replace(with: [2])
        _ = file.setAside()
        #expect(StateFile("known.damaged", in: folder).read() == [2])
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

    @Test func whereNothingCanBeKeptItIsSaid() {
        #expect(throws: TransportError.self) { try StateFile("known", in: "/proc/nowhere").replace(with: [1]) }
    }
}
