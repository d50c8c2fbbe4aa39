import Bonds
import HCI
import HCITransport
import Host
import SMP

/// The user's bonds, for commands that need no controller.
extension BondFile {
    /// Becomes the invoking user first, whose file it is.
    static func ofUser(_ console: Console) async throws -> BondFile {
        do throws(TransportError) {
            try await Privileges.drop(keeping: .nothing, on: EventLoop())
        } catch {
            throw Failure(error)
        }
        guard let file = ofInvokingUser(report: { [messages = console.messages] in messages.warning($0.reason) }) else {
            throw Failure(.failure, "you have no home folder to keep bonds in", remedy: "XDG_STATE_HOME names one.")
        }
        return file
    }

    func loaded() async throws(Failure) -> KnownBonds {
        do throws(BondStoreError) { return try await load() } catch { throw Failure(error) }
    }

    func taken(_ bonds: [Bond], ownKey: SecretKey?) async throws(Failure) {
        do throws(BondStoreError) { try await take(bonds, ownKey: ownKey) } catch { throw Failure(error) }
    }

    func removed(_ identity: DeviceAddress) async throws(Failure) -> Bool {
        do throws(BondStoreError) { return try await remove(identity) } catch { throw Failure(error) }
    }
}
