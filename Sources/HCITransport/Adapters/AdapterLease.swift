import CHCI
import Glibc
import Wire

/// The lock file of an adapter in use: who has it, and what to do with it afterwards.
///
/// The lock goes with the process, however it ends; the text stays. So a locked file names the holder, and a text without a
/// lock is that of a run that was killed: a restoration may be due. A run that ends in order empties the file.
struct AdapterLease: ~Copyable {
    private static let systemFolder = "/run/hr-raw"
    private static let program = "hr-raw"

    private let file: OwnedDescriptor
    /// Whether the adapter is to be put up again: it was up, or a killed run had found it up.
    let wasUp: Bool

    /// Where lock files may lie, the best place first.
    static func folders() -> [String] {
        let user = UserFolders.invokingUser
        return [systemFolder] + [user.runtime, user.state].compactMap { $0 }
    }

    /// Locks the adapter against other runs of this program and writes down what is found.
    ///
    /// - Returns: `nil` when no folder may be written to; the adapter can then be used all the same.
    /// - Throws: `TransportError.held` when another run has it.
    static func take(_ adapter: Adapter, in folders: [String]) throws(TransportError) -> AdapterLease? {
        for folder in folders {
            // Others have to be able to read who holds an adapter.
            guard Files.makeFolder(folder, mode: folder == systemFolder ? 0o755 : 0o700) else { continue }
            let path = path(adapter.index, in: folder)
            guard let file = try? OwnedDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644) else {
                continue
            }
            let content = read(adapter.index, in: folder)
            guard chci_lock(file.number) >= 0 else {
                throw .held(adapter: adapter.index, by: content?.holder)
            }
            // Also where the adapter's own entry says so: a run of another user may have left its file in another folder.
            let isDue = content.map { $0.wasUp && $0.address == adapter.address } ?? false
            let lease = AdapterLease(file: file, wasUp: adapter.wasUp || isDue)
            lease.write(adapter)
            Privileges.giveToInvokingUser(lease.file.number)
            return lease
        }
        return nil
    }

    private func write(_ adapter: Adapter) {
        let text = """
            program \(AdapterLease.program)
            process \(getpid())
            address \(adapter.address ?? .zero)
            restore \(wasUp ? "up" : "down")

            """
        ftruncate(file.number, 0)
        _ = Files.append(Array(text.utf8), to: file.number)
    }

    /// Says that the adapter is as it was found, and lets others take it.
    consuming func finish() {
        ftruncate(file.number, 0)
    }

    /// Lets others take the adapter; what is due stays written down.
    consuming func abandon() {}
}

extension AdapterLease {
    /// What a lock file says.
    struct Content {
        let path: String
        let holder: AdapterHolder
        let address: Address
        let wasUp: Bool
        let isHeld: Bool
    }

    private static func path(_ index: UInt16, in folder: String) -> String { "\(folder)/hci\(index).lock" }

    /// `nil` when there is no file, or it says nothing.
    static func read(_ index: UInt16, in folder: String) -> Content? {
        let path = path(index, in: folder)
        guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
            let text = Files.text(path)
        else { return nil }
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let program = values["program"], let process = values["process"].flatMap({ Int32($0) }),
            let address = values["address"].flatMap({ Address(String($0)) })
        else { return nil }
        return Content(
            path: path, holder: AdapterHolder(program: String(program), process: process), address: address,
            wasUp: values["restore"] == "up" && address != .zero, isHeld: chci_is_locked(file.number) == 1)
    }

    /// Empties the file of a restoration that is done, or it would be due again when the adapter next goes down.
    ///
    /// - Throws: `TransportError.cannotWrite`, when the file is another user's for example.
    static func clear(_ restoration: Restoration) throws(TransportError) {
        // Not through a symbolic link: the folder may be a user's, and this root.
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
        let result = OwnedDescriptor.opened(restoration.path, flags, mode: 0)
        guard result != -ENOENT else { return }
        guard result >= 0 else { throw .cannotWrite(path: restoration.path, errno: -result) }
        let file = OwnedDescriptor(result)
        guard ftruncate(file.number, 0) == 0 else { throw .cannotWrite(path: restoration.path, errno: errno) }
    }
}
