import Glibc

/// The folders of a user in which this program keeps its files (XDG Base Directory Specification).
public struct UserFolders: Hashable, Sendable {
    /// What should outlive a restart and is of no use elsewhere: addresses, learnt handles.
    public let state: String?
    /// What can be made anew.
    public let cache: String?
    /// What the user would miss.
    public let data: String?
    /// What goes with the login; `nil` where there is none.
    public let runtime: String?

    private static let program = "hr-raw"

    /// Those of the user who started the program, also when that was done through sudo: root's environment then counts for
    /// nothing.
    public static var invokingUser: UserFolders {
        if let user = InvokingUser.throughSudo { return UserFolders(user: user.identity, home: user.home) { _ in nil } }
        let home = environment("HOME") ?? Account(identity: getuid())?.home
        return UserFolders(user: getuid(), home: home, environment)
    }

    /// - Parameter environment: looks up `XDG_STATE_HOME` and its like
    init(user: uid_t, home: String?, _ environment: (String) -> String?) {
        func folder(_ variable: String, _ fallback: String) -> String? {
            // The specification has relative paths ignored.
            if let path = environment(variable), path.hasPrefix("/") { return "\(path)/\(UserFolders.program)" }
            guard let home, home.hasPrefix("/") else { return nil }
            return "\(home)/\(fallback)/\(UserFolders.program)"
        }
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
        data = folder("XDG_DATA_HOME", ".local/share")
        let login = environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(user)"
        runtime = Files.exists(login) ? "\(login)/\(UserFolders.program)" : nil
    }

    /// Makes a folder, for its owner alone. Answers whether it is there.
    ///
    /// Under sudo call this after `Privileges.drop`, or the folder will be root's.
    @discardableResult
    public static func make(_ folder: String) -> Bool { Files.makeFolder(folder) }
}

/// A variable of the environment; `nil` also when it is empty.
func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}

/// What the user database says of a user.
struct Account {
    let name: String
    let group: gid_t
    let home: String

    init?(identity: uid_t) {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let size = buffer.count
        let result = unsafe getpwuid_r(identity, &entry, &buffer, size, &found)
        guard result == 0, unsafe found != nil else { return nil }
        name = unsafe String(cString: entry.pw_name)
        group = unsafe entry.pw_gid
        home = unsafe String(cString: entry.pw_dir)
    }
}

/// Who called sudo.
struct InvokingUser {
    let identity: uid_t
    let group: gid_t
    let name: String?
    let home: String?

    /// `nil` when sudo was not used, or by root itself.
    static var throughSudo: InvokingUser? {
        guard let identity = environment("SUDO_UID").flatMap({ uid_t($0) }), identity != 0,
            getuid() == 0 || getuid() == identity
        else { return nil }
        let account = Account(identity: identity)
        guard let group = environment("SUDO_GID").flatMap({ gid_t($0) }) ?? account?.group else { return nil }
        return InvokingUser(identity: identity, group: group, name: account?.name, home: account?.home)
    }
}
