import HCITransport
import Host

extension BondStoreError {
    /// Why a file that is there is not read.
    init(reading obstacle: StateFile.Obstacle, at path: String) {
        switch obstacle {
        case .link: self.init(.system, "\(path) is a symbolic link, which is not followed")
        case .noFile: self.init(.system, "\(path) is no file")
        case .foreign:
            self.init(.notPermitted, "\(path) belongs to another user, who could have put any keys there", path: path)
        case .tooLong: self.init(.damaged, "\(path) is too long")
        case .notPermitted: self.init(.notPermitted, "\(path) may not be read", path: path)
        case .system(let errno): self.init(.system, "\(path) cannot be read: \(SystemText.of(errno: errno))")
        }
    }

    /// Why a file cannot be changed.
    init(changing error: TransportError, at path: String) {
        switch error {
        case .inUse: self.init(.inUse, "another process is changing \(path)")
        case .fileNotPermitted(let place): self.init(.notPermitted, "\(place) may not be changed", path: place)
        case .cannotCreate(let place, let errno):
            self.init(
                SystemText.isRefusal(errno: errno) ? .notPermitted : .system,
                "\(place) cannot be made: \(SystemText.of(errno: errno))", path: place)
        case .cannotWrite(let place, let errno):
            self.init(.system, "\(place) cannot be written: \(SystemText.of(errno: errno))")
        default: self.init(.system, "\(path) cannot be changed")
        }
    }
}

extension KnownBonds.Damage {
    /// What is wrong, and where, without a word of what stands there.
    var text: String {
        switch self {
        case .unknownForm: "of an unknown form"
        case .newerVersion(let version): "of version \(version)"
        case .checksum: "its checksum is wrong"
        case .line(let number): "line \(number) means nothing"
        }
    }
}
