public import Wire

/// Why a controller could not be reached or used.
public enum TransportError: Error, Hashable, Sendable {
    /// The kernel has no Bluetooth at all (EAFNOSUPPORT).
    case noBluetooth
    /// The kernel knows no adapter.
    case noAdapter
    /// No adapter has this index or address (ENODEV).
    case noSuchAdapter(AdapterSelector)
    /// The adapter speaks no Bluetooth LE.
    case lacksLowEnergy(adapter: UInt16)
    /// The process may not do this with an adapter: CAP_NET_ADMIN is missing (EPERM, EACCES).
    case notPermitted(operation: String)
    /// The adapter is up, or still being set up, and did not become free within the time (EBUSY).
    case busy(adapter: UInt16)
    /// Another program holds the adapter's user channel (EUSERS).
    case held(adapter: UInt16, by: AdapterHolder?)
    /// The adapter carries other programs' live connections.
    case liveConnections(adapter: UInt16, peers: [Address])
    /// rfkill blocks the adapter (ERFKILL); `hard`: by a switch of the machine, which no command undoes.
    case blocked(adapter: UInt16, hard: Bool)
    /// The adapter went down between being prepared and being opened (ENETDOWN).
    case down(adapter: UInt16)
    /// The socket is bound to another channel than the call needs (EBADFD).
    case wrongChannel(operation: String)
    /// The adapter does not start (ETIMEDOUT, EIO and the like while the kernel powers it).
    case doesNotStart(adapter: UInt16, errno: Int32)
    /// The host's name has no address.
    case unknownHost(host: String, reason: String)
    /// Nobody answered at this address; `errno` is ETIMEDOUT when the time was up.
    case cannotConnect(host: String, port: UInt16, errno: Int32)
    /// No server can listen at this port; `errno` is EADDRINUSE when another one does.
    case cannotListen(port: UInt16, errno: Int32)
    /// The permissions of this file or device forbid to open it (EPERM, EACCES).
    case fileNotPermitted(path: String)
    /// The file or device cannot be opened.
    case cannotOpen(path: String, errno: Int32)
    /// The file cannot be made; `errno` says why, missing permission included.
    case cannotCreate(path: String, errno: Int32)
    /// Another program uses the serial line.
    case portInUse(path: String)
    /// The file can be written no more; `errno` is ENOSPC when the disk is full.
    case cannotWrite(path: String, errno: Int32)
    /// Another process was writing the file, or held it for that, as long as was waited.
    case inUse(path: String)
    /// The file is no terminal, so it cannot be a serial line.
    case notATerminal(path: String)
    /// The serial line has no such speed.
    case unsupportedSpeed(path: String, baud: UInt32)
    /// The task that waited was cancelled.
    case cancelled
    /// Any other refusal of the system; the number is `errno`.
    case system(errno: Int32, operation: String)
}
