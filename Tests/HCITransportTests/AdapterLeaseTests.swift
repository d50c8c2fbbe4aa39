import Glibc
import Testing
import Wire

@testable import HCITransport

@Suite struct AdapterLeaseTests {
    private let address = Address(rawValue: 0x0000_1234_5678_9ABC)

    private func adapter(isUp: Bool = false) -> Adapter {
        Adapter(
            index: 7, address: address, bus: Adapter.Bus(rawValue: 1), isUp: isUp, supportsLowEnergy: true,
            isPermitted: true)
    }

    /// What a killed run leaves: text, and no lock.
    private func leave(_ state: String, in folder: TemporaryFolder) throws {
        try folder.write(
            "program hr-raw\nprocess 1\naddress \(address)\nrestore \(state)\n", to: "hci7.lock", mode: 0o644)
    }

    /// What taking the adapter makes of its past.
    private func wasUp(_ adapter: Adapter, in folders: [String]) throws(TransportError) -> Bool? {
        guard let lease = try AdapterLease.take(adapter, in: folders) else { return nil }
        return lease.wasUp
    }

    @Test func anAdapterThatAKilledRunLeftDownIsPutUpByTheNext() throws {
        let folder = try TemporaryFolder()
        try leave("up", in: folder)
        #expect(try wasUp(adapter(), in: [folder.path]) == true)
    }

    @Test func alsoWhereAnotherUsersFolderSaysSo() throws {
        let (theirs, mine) = (try TemporaryFolder(), try TemporaryFolder())
        try leave("up", in: theirs)
        var found = adapter()
        AdapterInventory(leaseFolders: [theirs.path, mine.path]).readLease(of: &found)
        #expect(found.restoration?.holder == AdapterHolder(program: "hr-raw", process: 1))
        #expect(try wasUp(found, in: [mine.path]) == true)
    }

    @Test func anotherAdaptersRestorationIsNotTakenUp() throws {
        let folder = try TemporaryFolder()
        try leave("up", in: folder)
        var other = adapter()
        other.address = .zero
        #expect(try wasUp(other, in: [folder.path]) == false)
    }

    @Test func aSecondRunIsTurnedAway() throws {
        let folder = try TemporaryFolder()
        let lease = try AdapterLease.take(adapter(), in: [folder.path])
        let holder = AdapterHolder(program: "hr-raw", process: getpid())
        #expect(throws: TransportError.held(adapter: 7, by: holder)) {
            try wasUp(adapter(), in: [folder.path])
        }
        lease?.finish()
    }

    @Test func aDoneRestorationIsForgotten() throws {
        let folder = try TemporaryFolder()
        try leave("up", in: folder)
        var found = adapter()
        AdapterInventory(leaseFolders: [folder.path]).readLease(of: &found)
        try AdapterLease.clear(try #require(found.restoration))
        found.restoration = nil
        AdapterInventory(leaseFolders: [folder.path]).readLease(of: &found)
        #expect(found.restoration == nil)
    }

    @Test func aRestorationThatCannotBeForgottenIsAnError() throws {
        let folder = try TemporaryFolder()
        // A folder in the file's place stands for another user's file, which root could empty.
        let restoration = Restoration(
            index: 7, address: address, holder: AdapterHolder(program: "hr-raw", process: 1), path: folder.path)
        #expect(throws: TransportError.cannotWrite(path: folder.path, errno: EISDIR)) {
            try AdapterLease.clear(restoration)
        }
    }

    @Test func aLinkInTheFilesPlaceIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "target")
        #expect(unsafe symlink(folder.path + "/target", folder.path + "/hci7.lock") == 0)
        let restoration = Restoration(
            index: 7, address: address, holder: AdapterHolder(program: "hr-raw", process: 1),
            path: folder.path + "/hci7.lock")
        #expect(throws: TransportError.cannotWrite(path: restoration.path, errno: ELOOP)) {
            try AdapterLease.clear(restoration)
        }
        #expect(AdapterLease.read(7, in: folder.path) == nil)
        #expect(Files.text(folder.path + "/target") == "precious")
    }

    @Test(arguments: ["", "program hr-raw", "program hr-raw\nprocess x\naddress 00:00:12:34:56:78\n", "\u{0}\n\n  \n"])
    func aFileThatSaysNothingIsNobodys(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "hci7.lock")
        #expect(AdapterLease.read(7, in: folder.path) == nil)
        #expect(try wasUp(adapter(), in: [folder.path]) == false)
    }

    @Test func withoutAFolderThereIsNoLease() throws {
        #expect(try wasUp(adapter(), in: []) == nil)
        #expect(try wasUp(adapter(), in: ["/proc/no/such"]) == nil)
    }
}
