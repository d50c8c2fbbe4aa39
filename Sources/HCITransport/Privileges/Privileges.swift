import CHCI
import Glibc

/// What this process may do beyond an ordinary user, and giving it up.
///
/// Capabilities belong to threads, not to the process. So what the loop's thread needs is kept there alone: the others lose
/// everything with the change of user, and without a change of user `prepare()` has limited them before they began.
public enum Privileges {
    /// Opening an adapter's user channel, taking it down and putting it up again.
    private static let networkAdministration: UInt64 = 1 << UInt64(CHCI_CAP_NET_ADMIN)

    /// What remains after `drop`.
    public enum Remainder: Sendable {
        /// CAP_NET_ADMIN on the loop's thread: to put the adapter up again, and to open it again when it was pulled out.
        case adapterControl
        /// Nothing: for controllers that are no adapters of this machine.
        case nothing
    }

    /// Whether the calling thread may take adapters up and down and open their user channels: CAP_NET_ADMIN.
    public static var mayControlAdapters: Bool {
        chci_capabilities_get().effective & networkAdministration != 0
    }

    /// Gives up what will not be needed in any case. To be called first of all, while there is one thread.
    ///
    /// A program with file capabilities keeps CAP_NET_ADMIN at most. Nothing that is executed later can gain privileges.
    public static func prepare() {
        _ = chci_no_new_privileges()
        guard geteuid() != 0 else { return }
        _ = chci_capabilities_set(chci_capabilities_get().permitted & networkAdministration)
    }

    /// Gives up root: under sudo the process becomes the invoking user; in any case its threads keep no more than `remainder`
    /// says.
    ///
    /// A process that root itself started has nobody to become: it stays root, its loop's thread without the capabilities.
    ///
    /// - Throws: `TransportError.system` when the system refuses, or a thread is found with more than it should have.
    public static func drop(
        keeping remainder: Remainder = .adapterControl, on loop: EventLoop
    ) async throws(TransportError) {
        try await loop.run { () throws(TransportError) in
            let kept = remainder == .adapterControl ? networkAdministration : 0
            try becomeInvokingUser()
            try check(chci_capabilities_set(chci_capabilities_get().permitted & kept), "capset")
            try check(chci_no_new_privileges(), "prctl")
            if geteuid() != 0 { try verify(allowed: networkAdministration) }
        }
    }

    private static func becomeInvokingUser() throws(TransportError) {
        guard geteuid() == 0, let user = InvokingUser.throughSudo else { return }
        try check(chci_keep_capabilities(1), "prctl")
        let groups =
            if let name = user.name {
                unsafe initgroups(name, user.group)
            } else {
                setgroups(0, nil)
            }
        try check(groups < 0 ? -errno : groups, "setgroups")
        try check(chci_become(user.identity, user.group), "setresuid")
        try check(chci_keep_capabilities(0), "prctl")
    }

    /// Looks at every thread, as the kernel sees it.
    private static func verify(allowed: UInt64) throws(TransportError) {
        for thread in ThreadPrivileges.all where thread.permitted & ~allowed != 0 || thread.users.contains(0) {
            throw .system(errno: EPERM, operation: "giving up privileges of thread \(thread.name)")
        }
    }

    /// Under sudo, hands an open file to the invoking user, who will close it.
    static func giveToInvokingUser(_ descriptor: Int32) {
        guard geteuid() == 0, let user = InvokingUser.throughSudo else { return }
        _ = fchown(descriptor, user.identity, user.group)
    }
}

/// What the kernel says of a thread's privileges (proc(5)).
struct ThreadPrivileges {
    let name: String
    /// Real, effective, saved and file system user.
    let users: [uid_t]
    let permitted: UInt64
    let effective: UInt64
    let hasNoNewPrivileges: Bool
    /// It has ended, and its entry is still there: so the main thread, once the tasks have taken over.
    let hasEnded: Bool

    /// Of every thread of this process that can still do anything.
    static var all: [ThreadPrivileges] {
        Files.names(in: "/proc/self/task").compactMap { name in
            Files.text("/proc/self/task/\(name)/status").map { ThreadPrivileges(name: name, status: $0) }
        }.filter { !$0.hasEnded }
    }

    init(name: String, status: String) {
        var values: [Substring: [Substring]] = [:]
        for line in status.split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if let key = words.first { values[key] = Array(words.dropFirst()) }
        }
        self.name = name
        users = (values["Uid"] ?? []).compactMap { uid_t($0) }
        permitted = values["CapPrm"]?.first.flatMap { UInt64($0, radix: 16) } ?? .max
        effective = values["CapEff"]?.first.flatMap { UInt64($0, radix: 16) } ?? .max
        hasEnded = values["State"]?.first == "Z" || values["State"]?.first == "X"
        hasNoNewPrivileges = values["NoNewPrivs"] == ["1"]
    }
}
