import CHCI
import Glibc

/// A socket of the kernel's Bluetooth subsystem, with exactly one owner, closed when the owner lets go.
///
/// A second descriptor of a user channel would keep the adapter taken after the first is closed, so there is none.
struct HCISocket: ~Copyable {
    private let descriptor: OwnedDescriptor

    var number: Int32 { descriptor.number }

    /// A socket bound to nothing, for the adapter ioctls.
    ///
    /// - Throws: `TransportError.noBluetooth` when the kernel has no Bluetooth.
    init() throws(TransportError) {
        let result = chci_socket()
        guard result != -EAFNOSUPPORT, result != -EPROTONOSUPPORT else { throw .noBluetooth }
        descriptor = try OwnedDescriptor(checked: result, "socket")
    }

    /// Binds to an adapter's user channel, which gives this process the controller to itself. Answers minus the error
    /// number, as the meaning depends on what was tried.
    borrowing func bindUserChannel(of index: UInt16) -> Int32 {
        chci_bind(number, index, UInt16(CHCI_CHANNEL_USER))
    }

    /// Binds to the channel on which the kernel tells of adapters that come, go and change.
    borrowing func bindControlChannel() -> Int32 {
        chci_bind(number, UInt16(CHCI_NO_ADAPTER), UInt16(CHCI_CHANNEL_CONTROL))
    }

    /// Gives the descriptor to a link, which reads and writes it.
    consuming func handedOver() -> OwnedDescriptor { descriptor }

    consuming func close() {}
}
