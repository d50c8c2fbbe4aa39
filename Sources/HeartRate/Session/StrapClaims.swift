import Synchronization
public import Wire

/// Which straps are taken, so that two monitors that look for any strap, or for one by its name, never find the same.
public final class StrapClaims: Sendable {
    private let owners: Mutex<[Address: Int]>

    /// - Parameter owners: straps that are asked for by their addresses, and by whom
    public init(_ owners: [Address: Int] = [:]) { self.owners = Mutex(owners) }

    /// Takes a strap, unless somebody else has it.
    ///
    /// - Returns: whether it is the owner's now
    func claim(_ address: Address, for owner: Int) -> Bool {
        owners.withLock { owners in
            if let present = owners[address] { return present == owner }
            owners[address] = owner
            return true
        }
    }
}
