import Glibc
public import Wire

/// Keeps one random static address per adapter, so that peers recognise a host whose controller has none of its own
/// (Core Vol 6, Part B, 1.3.2.1).
///
/// Each is a file of one line in a folder of the user's. Where it can be neither read nor written the address lasts for one run.
public struct StaticAddressStore: Sendable {
    private let folder: String?

    /// - Parameter folder: best `UserFolders.state`; `nil` keeps nothing
    public init(in folder: String?) { self.folder = folder }

    /// The address of an adapter, made at the first call.
    ///
    /// - Parameter adapter: what tells it from others; letters, digits and colons of it count
    public func address(of adapter: String) -> Address {
        let known = adapter.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":") }
        guard let path = folder.map({ "\($0)/static-address-\(known)" }) else { return Self.makeAddress() }
        if let address = Files.line(path).flatMap(Address.init), address.isStatic { return address }
        let address = Self.makeAddress()
        keep(address, at: path)
        return address
    }

    /// Written beside its place and moved there, so that a file is whole or not there.
    private func keep(_ address: Address, at path: String) {
        guard let folder, Files.makeFolder(folder) else { return }
        let draft = "\(path).\(getpid())"
        guard let file = try? OwnedDescriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW) else { return }
        let isWritten = Files.append(Array("\(address)\n".utf8), to: file.number) == 0 && fsync(file.number) == 0
        let isInPlace = isWritten ? unsafe rename(draft, path) == 0 : false
        if !isInPlace { unsafe _ = unlink(draft) }
    }

    /// 46 random bits, neither all 0 nor all 1, below the two that mark a static address.
    private static func makeAddress() -> Address {
        Address(rawValue: 0xC000_0000_0000 | UInt64.random(in: 1..<(1 << 46) - 1))
    }
}

extension Address {
    /// Whether the two top bits are those of a static address.
    fileprivate var isStatic: Bool { rawValue >> 46 == 0b11 }
}
