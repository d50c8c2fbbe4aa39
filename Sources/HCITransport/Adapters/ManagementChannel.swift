import CHCI
import Glibc
import Wire

/// The kernel's management channel, as far as every user may use it: which adapters there are, and what becomes of them.
///
/// Packets have a header of opcode, adapter index and length, all little-endian (mgmt-api in BlueZ's documentation).
struct ManagementChannel: ~Copyable {
    private enum Code {
        static let readIndexList: UInt16 = 0x0003
        static let readInformation: UInt16 = 0x0004
        static let commandComplete: UInt16 = 0x0001
        static let commandStatus: UInt16 = 0x0002
        static let noIndex: UInt16 = 0xFFFF
    }

    private static let headerCount = 6
    private static let answerMilliseconds: Int32 = 1000

    private let socket: HCISocket

    var number: Int32 { socket.number }

    /// - Throws: `TransportError.noBluetooth`, `.system`.
    init() throws(TransportError) {
        let socket = try HCISocket()
        try check(socket.bindControlChannel(), "bind")
        self.socket = socket
    }

    /// The adapters that bluetoothd could manage. One whose user channel is held is not among them, nor is one that is still
    /// being set up. `nil` when the kernel does not answer.
    borrowing func indices() -> Set<UInt16>? {
        guard send(Code.readIndexList, index: Code.noIndex), let answer = answer(to: Code.readIndexList) else {
            return nil
        }
        // Status, number of indices, indices.
        guard answer.count >= 3, answer[0] == 0 else { return nil }
        let pairs = answer.dropFirst(3)
        return Set(
            stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2)
                .map { UInt16(pairs[$0]) | UInt16(pairs[$0 + 1]) << 8 })
    }

    /// Asks for an adapter's state. The answer is of no use here; but only of adapters that were asked about does the kernel
    /// tell that they went up or down (*measured*, Linux 6.1).
    borrowing func subscribe(to index: UInt16) {
        _ = send(Code.readInformation, index: index)
    }

    /// Reads everything that has come; answers whether any of it says that an adapter came, went or changed.
    borrowing func drain() -> Bool {
        var hasNews = false
        while let packet = receive() {
            hasNews = hasNews || (packet.code != Code.commandComplete && packet.code != Code.commandStatus)
        }
        return hasNews
    }

    private borrowing func send(_ opcode: UInt16, index: UInt16) -> Bool {
        var packet: [UInt8] = []
        packet.append(littleEndian: opcode)
        packet.append(littleEndian: index)
        packet.append(littleEndian: UInt16(0))
        return unsafe chci_write(number, packet, packet.count) == packet.count
    }

    /// The parameters of the answer to a command; events that come before it are passed over.
    private borrowing func answer(to opcode: UInt16) -> [UInt8]? {
        while true {
            var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let result = unsafe poll(&waiting, 1, ManagementChannel.answerMilliseconds)
            if result < 0 && errno == EINTR { continue }
            guard result > 0 else { return nil }
            while let packet = receive() {
                let isAnswer = packet.code == Code.commandComplete || packet.code == Code.commandStatus
                if isAnswer, packet.parameters.starts(with: [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]) {
                    return Array(packet.parameters.dropFirst(2))
                }
            }
        }
    }

    private borrowing func receive() -> (code: UInt16, parameters: ArraySlice<UInt8>)? {
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = unsafe read(number, &buffer, buffer.count)
        guard count >= ManagementChannel.headerCount else { return nil }
        return (UInt16(buffer[0]) | UInt16(buffer[1]) << 8, buffer[ManagementChannel.headerCount..<count])
    }
}
