import Bonds
import HCI
import Host
import SMP
import Wire

extension FuzzTarget {
    /// The text in which bonds are kept on disk. What was taken is written in one way, which is taken again.
    static let bonds = FuzzTarget(name: "bonds") { octets in
        try readBack(octets)
        // By chance no text has the right sum: it is put right.
        try readBack(withEnd(octets))
    }

    private static func readBack(_ text: [UInt8]) throws {
        guard let bonds = try? KnownBonds(text: text) else { return }
        try promise(bonds.bonds.count <= KnownBonds.capacity, "no more bonds than there is room for")
        let again = try? KnownBonds(text: bonds.text)
        try promise(again == bonds, "bonds are written as they are read: \(String(decoding: text, as: UTF8.self))")
    }

    /// The file that BlueZ keeps of a device. A bond that is found in it can be kept and read again; a fault lies in the file.
    static let foreignBonds = FuzzTarget(name: "foreign-bonds") { octets in
        let adapter = DeviceAddress(.public, Address(rawValue: 0x0000_5E00_5301))
        let device = Address(rawValue: 0xC000_5E00_5302)
        switch BlueZStorage.finding(inInfo: octets, of: device, on: adapter) {
        case .bond(let bond):
            try promise(bond.centralKey != nil, "a bond has a key for the central")
            let kept = try? KnownBonds(text: KnownBonds(bonds: [bond]).text).bonds.first
            try promise(kept?.centralKey == bond.centralKey && kept?.identity == bond.identity, "a bond can be kept")
        case .nothing: break
        case .fault(let line, let reason):
            let lines = octets.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 >= 0x0B } + 1
            try promise((line ?? 1) >= 1 && (line ?? 1) <= lines, "a fault lies in the file: \(line ?? 0) of \(lines)")
            try promise(!reason.isEmpty, "a fault has a reason")
        }
    }
}
