import Glibc

/// The system's error numbers, for those who may not ask it themselves.
public enum SystemText {
    /// What an error number means.
    public static func of(errno: Int32) -> String { unsafe String(cString: strerror(errno)) }

    /// ENOENT.
    public static let noSuchFile = ENOENT

    /// Whether it says that permission is missing: for this user, or for all, as the file system is read-only.
    public static func isRefusal(errno: Int32) -> Bool { [EACCES, EPERM, EROFS].contains(errno) }
}
