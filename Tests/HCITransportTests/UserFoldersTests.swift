import Testing

@testable import HCITransport

@Suite struct UserFoldersTests {
    @Test func theyLieInTheUsersHome() {
        let folders = UserFolders(user: 4_000_000, home: "/home/walker") { _ in nil }
        #expect(folders.state == "/home/walker/.local/state/hr-raw")
        #expect(folders.cache == "/home/walker/.cache/hr-raw")
        #expect(folders.data == "/home/walker/.local/share/hr-raw")
        #expect(folders.runtime == nil)
    }

    @Test func theEnvironmentMovesThem() throws {
        let login = try TemporaryFolder()
        let variables = [
            "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": login.path,
        ]
        let folders = UserFolders(user: 4_000_000, home: "/home/walker") { variables[$0] }
        #expect(folders.state == "/s/hr-raw")
        #expect(folders.cache == "/c/hr-raw")
        #expect(folders.data == "/d/hr-raw")
        #expect(folders.runtime == login.path + "/hr-raw")
    }

    @Test func relativePathsAreIgnored() {
        let folders = UserFolders(user: 4_000_000, home: "/home/walker") { _ in "here" }
        #expect(folders.state == "/home/walker/.local/state/hr-raw")
        #expect(folders.runtime == nil)
    }

    @Test(arguments: [nil, "", "relative"])
    func withoutAHomeThereAreNone(home: String?) {
        let folders = UserFolders(user: 4_000_000, home: home) { _ in nil }
        #expect(folders.state == nil)
        #expect(folders.cache == nil)
        #expect(folders.data == nil)
    }

    @Test func aFolderIsMadeForItsOwnerAlone() throws {
        let home = try TemporaryFolder()
        #expect(UserFolders.make(home.path + "/a/b/hr-raw"))
        #expect(Files.exists(home.path + "/a/b/hr-raw"))
        #expect(!UserFolders.make("/proc/none/hr-raw"))
    }
}
