import CHCI
import Glibc

/// What this process may do beyond an ordinary user, and giving it up.
///
/// Capabilities belong to threads, not to the process. So what the loop's thread needs is kept there alone: under sudo the others
/// lose everything with the change of user, and with capabilities of the program's file they are asked, each in turn, to give
/// them up.
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

    /// Gives up root: under sudo the process becomes the invoking user. The loop's thread keeps what `remainder` says, and no other
    /// thread keeps anything.
    ///
    /// A process that root itself started has nobody to become: it stays root, its loop's thread without the other capabilities.
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
            guard geteuid() != 0 else { return }
            try dropElsewhere()
            try verify(kept: kept)
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

    /// Where threads that were asked report. Never closed: one may answer late.
    private static let answers = Result { () throws(TransportError) in
        try OwnedDescriptor(checked: chci_eventfd_create(), "eventfd").keptOpen()
    }

    /// How long threads may take to answer, which they do as soon as they run. One that ends instead never does.
    private static let answerMilliseconds: Int32 = 1000
    /// A thread that began while others were asked has its parent's capabilities: it is met the next time round.
    private static let rounds = 4

    /// Only a thread itself can give up its capabilities (capset(2)): the others are interrupted to do so.
    private static func dropElsewhere() throws(TransportError) {
        let answers = try answers.get()
        for _ in 0..<rounds {
            let others = ThreadPrivileges.all.filter { $0.permitted != 0 && $0.identity != chci_thread() }
            guard !others.isEmpty else { return }
            var missing = others.count { chci_ask_to_give_up_capabilities($0.identity, answers) >= 0 }
            while missing > 0, let answered = answered(answers) { missing -= answered }
        }
    }

    /// How many threads have answered since the last call, one at least; `nil` when none does in time.
    private static func answered(_ descriptor: Int32) -> Int? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let result = unsafe poll(&waiting, 1, answerMilliseconds)
        if result < 0 && errno == EINTR { return 0 }
        var count: eventfd_t = 0
        guard result > 0, unsafe eventfd_read(descriptor, &count) == 0 else { return nil }
        return Int(clamping: count)
    }

    /// Looks at every thread, as the kernel sees it.
    private static func verify(kept: UInt64) throws(TransportError) {
        if let thread = ThreadPrivileges.all.first(where: { $0.exceeds(kept, on: chci_thread()) }) {
            throw .system(errno: EPERM, operation: "giving up privileges of thread \(thread.identity)")
        }
    }

    /// Opens a file with no more rights than the invoking user has, whose it is if it is made. Answers as a call of `CHCI`.
    ///
    /// Under sudo root could write anywhere; the user asked for the file.
    static func openAsInvokingUser(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
        guard geteuid() == 0, let user = InvokingUser.throughSudo else {
            return OwnedDescriptor.opened(path, flags, mode: mode)
        }
        return unsafe chci_open_as(user.identity, user.group, path, flags | O_CLOEXEC, mode)
    }

    /// Under sudo, hands an open file to the invoking user, who will close it.
    static func giveToInvokingUser(_ descriptor: Int32) {
        guard geteuid() == 0, let user = InvokingUser.throughSudo else { return }
        _ = fchown(descriptor, user.identity, user.group)
    }
}

/// What the kernel says of a thread's privileges (proc(5)).
struct ThreadPrivileges {
    /// The kernel's number of the thread.
    let identity: pid_t
    /// Real, effective, saved and file system user.
    let users: [uid_t]
    let permitted: UInt64
    let effective: UInt64
    let hasNoNewPrivileges: Bool
    /// It has ended, and its entry is still there: so the main thread, once the tasks have taken over.
    let hasEnded: Bool

    /// Of every thread of this process that can still do anything.
    static var all: [ThreadPrivileges] {
        Files.names(in: "/proc/self/task").compactMap { pid_t($0) }.compactMap { identity in
            Files.text("/proc/self/task/\(identity)/status").map { ThreadPrivileges(identity: identity, status: $0) }
        }.filter { !$0.hasEnded }
    }

    /// Whether the thread has more than it should: root, or a capability that is not `kept` by the thread that keeps them.
    func exceeds(_ kept: UInt64, on keeper: pid_t) -> Bool {
        users.contains(0) || permitted & ~(identity == keeper ? kept : 0) != 0
    }

    init(identity: pid_t, status: String) {
        var values: [Substring: [Substring]] = [:]
        for line in status.split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if let key = words.first { values[key] = Array(words.dropFirst()) }
        }
        self.identity = identity
        users = (values["Uid"] ?? []).compactMap { uid_t($0) }
        permitted = values["CapPrm"]?.first.flatMap { UInt64($0, radix: 16) } ?? .max
        effective = values["CapEff"]?.first.flatMap { UInt64($0, radix: 16) } ?? .max
        hasEnded = values["State"]?.first == "Z" || values["State"]?.first == "X"
        hasNoNewPrivileges = values["NoNewPrivs"] == ["1"]
    }
}
