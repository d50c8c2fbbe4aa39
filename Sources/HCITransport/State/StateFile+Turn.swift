import CHCI
import Glibc
import Wire

extension StateFile {
    /// The right to change the file, held from reading to writing, so that of two processes that add something neither's is lost. It
    /// goes with the value, and with the process, however that ends.
    ///
    /// The lock lies on a file beside it, which stays: the file itself is another one after each change.
    public struct Turn: ~Copyable {
        private let file: StateFile
        private let lock: OwnedDescriptor

        fileprivate init(_ file: StateFile, _ lock: consuming OwnedDescriptor) {
            self.file = file
            self.lock = lock
        }

        /// Replaces the content, as `StateFile.replace(with:)` does.
        public borrowing func replace(with content: [UInt8]) throws(TransportError) {
            // One name for all: what a killed run leaves is taken away by the next.
            try file.replace(with: content, draft: file.path + ".draft")
        }

        /// Moves the file out of the way, as `StateFile.setAside()` does.
        public borrowing func setAside() -> String? { file.setAside() }
    }

    /// How often one looks whether the turn has come.
    private static let interval: Int32 = 10

    /// Waits until no other process, and nobody else in this one, is changing the file. It blocks the thread meanwhile.
    ///
    /// - Parameter patience: how long is waited
    /// - Throws: `TransportError.inUse` when the time is up, `.cannotCreate` where there can be no lock
    public func takeTurn(within patience: Duration) throws(TransportError) -> Turn {
        guard Files.makeFolder(folder) else { throw .cannotCreate(path: folder, errno: errno) }
        let place = path + ".lock"
        step()
        let result = OwnedDescriptor.opened(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        guard result >= 0 else { throw .cannotCreate(path: place, errno: -result) }
        let lock = OwnedDescriptor(result)
        let deadline = SystemClock.now + patience
        while true {
            let taken = chci_lock(lock.number)
            if taken >= 0 { return Turn(self, lock) }
            guard taken == -EAGAIN || taken == -EINTR else { throw .cannotCreate(path: place, errno: -taken) }
            guard SystemClock.now < deadline else { throw .inUse(path: path) }
            // The kernel can wait for a lock, but not for so long and no longer.
            _ = poll(nil, 0, Self.interval)
        }
    }
}
