import Glibc
import HCITransport
import Testing
import Wire

@Suite struct StaticAddressStoreTests {
    /// A folder that does not exist yet, below one that does.
    private let folder: String

    init() throws {
        var template = Array("/tmp/hr-raw-addresses-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
        folder = try #require(made) + "/state"
    }

    @Test func anAdapterKeepsItsAddress() throws {
        let store = StaticAddressStore(in: folder)
        let first = store.address(of: "00:00:00:00:00:00 hci0")
        #expect(first.rawValue >> 46 == 0b11)
        #expect(StaticAddressStore(in: folder).address(of: "00:00:00:00:00:00 hci0") == first)
        #expect(store.address(of: "00:00:00:00:00:00 hci1") != first)
        var status = stat()
        #expect(unsafe stat("\(folder)/static-address-00:00:00:00:00:00hci0", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func aDamagedFileIsReplaced() throws {
        let store = StaticAddressStore(in: folder)
        _ = store.address(of: "a")
        let path = "\(folder)/static-address-a"
        for damage in ["", "nonsense", "00:11:22:33:44:55\n"] {
            let file = unsafe try #require(fopen(path, "w"))
            unsafe fputs(damage, file)
            unsafe fclose(file)
            let address = store.address(of: "a")
            #expect(address.rawValue >> 46 == 0b11)
            #expect(store.address(of: "a") == address)
        }
    }

    @Test func withoutAFolderAnAddressLastsForOneCall() {
        let store = StaticAddressStore(in: nil)
        #expect(store.address(of: "a").rawValue >> 46 == 0b11)
        #expect(StaticAddressStore(in: "/proc/nowhere").address(of: "a").rawValue >> 46 == 0b11)
    }

    /// A name cannot lead out of the folder.
    @Test func namesAreNoPaths() {
        _ = StaticAddressStore(in: folder).address(of: "../../x")
        #expect(unsafe access("\(folder)/static-address-x", F_OK) == 0)
    }
}
