import Bonds
import Glibc
import HCI
import Host
import SMP
import Synchronization
import Wire

/// Changes a file of bonds, as a process of its own: `BondRunner FILE [die-at STEP | limit OCTETS | full OCTETS] (save FIRST COUNT |
/// remove NUMBER | load)`.
///
/// `die-at` has it kill itself before that step of all that changes something on disk. With `limit` the system kills it as soon as a
/// file grows longer than that; with `full` the system refuses to write on, as where a disk is full. Each bond that is kept is told on
/// standard output, so that whoever kills it knows what must be there.
@main
struct BondRunner {
    static func main() async {
        var words = CommandLine.arguments.dropFirst()
        guard let path = words.popFirst() else { exit(64) }
        var file = BondFile(path: path) { tell("reported \($0.kind): \($0.reason)") }
        if words.first == "die-at", let step = number(&words) {
            let counter = Counter()
            file.onStep = { if counter.next() == step { kill(getpid(), SIGKILL) } }
        } else if words.first == "limit", let octets = number(&words) {
            file.onStep = { receive(SIGXFSZ) }
            limit(octets)
        } else if words.first == "full", let octets = number(&words) {
            _ = signal(SIGXFSZ, SIG_IGN)
            limit(octets)
        }
        do throws(BondStoreError) {
            try await run(words, file)
        } catch {
            tell("refused \(error.kind): \(error.reason)")
            exit(1)
        }
    }

    private static func run(_ words: ArraySlice<String>, _ file: BondFile) async throws(BondStoreError) {
        var words = words
        switch words.first {
        case "save":
            guard let first = number(&words), let count = words.first.flatMap({ Int($0) }) else { exit(64) }
            for number in first..<first + count {
                guard let ownKey = SecretKey.numbered(0) else { exit(1) }
                try await file.save(.numbered(number), ownKey: ownKey)
                tell("kept \(number)")
            }
        case "remove":
            guard let number = number(&words) else { exit(64) }
            tell("removed \(try await file.remove(Bond.numbered(number).identity))")
        case "load":
            for bond in try await file.load().bonds { tell("bond \(bond.identity.address)") }
        default: exit(64)
        }
    }

    private static func number(_ words: inout ArraySlice<String>) -> Int? {
        words = words.dropFirst()
        return words.popFirst().flatMap { Int($0) }
    }

    /// The thread that writes has the signal blocked, as all that run tasks have.
    private static func receive(_ number: Int32) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _ = signal(number, SIG_DFL)
    }

    private static func limit(_ octets: Int) {
        var limit = rlimit(rlim_cur: rlim_t(octets), rlim_max: rlim_t(octets))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

extension Bond {
    /// One of a kind, with every field; its keys tell its number.
    fileprivate static func numbered(_ number: Int) -> Bond {
        let own = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
        let identity = DeviceAddress(.random, Address(rawValue: 0xC000_5E00_0000 + UInt64(number)))
        var bond = Bond(identity: identity, level: .encrypted, ownAddress: own)
        bond.ownIdentity = own
        bond.identityResolvingKey = .numbered(number)
        bond.centralKey = SecretKey.numbered(number).map { LongTermKey(key: $0, size: 16) }
        bond.signingKey = .numbered(number)
        bond.name = "Strap \(number)"
        return bond
    }
}

extension SecretKey {
    fileprivate static func numbered(_ number: Int) -> SecretKey? {
        SecretKey((0..<16).map { UInt8(truncatingIfNeeded: $0 < 2 ? number >> (8 * $0) : 0xA0 + $0) })
    }
}

/// At once, so that it is out when the process is killed.
private func tell(_ text: String) {
    var line = Array((text + "\n").utf8)
    let count = line.count
    unsafe _ = write(STDOUT_FILENO, &line, count)
}
