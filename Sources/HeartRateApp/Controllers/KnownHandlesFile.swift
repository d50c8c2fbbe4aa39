import GATT
import HCI
import HCITransport
import Host
import Synchronization

/// Keeps what is known of straps' handles in a file of the user's. A file that cannot be trusted whole is put aside and not used.
final class KnownHandlesFile: HandleStore {
    private let file: StateFile
    private let messages: Messages
    /// Held from reading to writing, so that what two connections have learnt is both kept.
    private let turn = Mutex<Void>(())

    init(in folder: String, _ messages: Messages) {
        file = StateFile("known-handles", in: folder)
        self.messages = messages
    }

    /// The file of the user who started the program; `nil` for one without a home.
    convenience init?(_ messages: Messages) {
        guard let folder = UserFolders.invokingUser.state else { return nil }
        self.init(in: folder, messages)
    }

    func load() -> HandleCache {
        guard let content = file.read() else {
            if file.isThere { putAside("cannot be read") }
            return HandleCache()
        }
        do throws(HandleCache.Damage) {
            return try HandleCache(text: content)
        } catch {
            putAside("is damaged (\(error.text))")
            return HandleCache()
        }
    }

    /// What is not used must not be written over.
    private func putAside(_ reason: String) {
        let place = file.setAside().map { "; it is now \($0)" } ?? ""
        messages.warning("\(file.path) \(reason) and is not used\(place)")
    }

    @concurrent func save(_ handles: KnownHandles?, of peer: DeviceAddress) async {
        turn.withLock { _ in
            var cache = load()
            cache[peer] = handles
            do throws(TransportError) {
                try file.replace(with: cache.text)
            } catch {
                messages.detail("what was learnt of \(peer) is not kept: \(Failure(error).message)")
            }
        }
    }
}

extension HandleCache.Damage {
    fileprivate var text: String {
        switch self {
        case .unknownForm: "of an unknown form"
        case .newerVersion(let version): "of version \(version), which a newer hr-raw has written"
        case .checksum: "its checksum is wrong"
        case .line(let number): "line \(number) means nothing"
        }
    }
}
