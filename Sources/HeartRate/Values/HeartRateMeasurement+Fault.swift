import Wire

extension HeartRateMeasurement {
    /// Something wrong with a packet.
    public enum Fault: Hashable, Sendable {
        /// No octet at all.
        case empty
        /// Flags, and nothing behind them.
        case heartRateMissing
        /// One octet of a rate of two.
        case heartRateCut
        /// The flags promise energy and the packet ends before it.
        case energyExpendedMissing
        /// One octet of the energy's two.
        case energyExpendedCut
        /// The interval at this place in the packet, from 0, is 0: no time between two beats.
        case zeroInterval(index: Int)
        /// Half an interval stands at the end.
        case intervalCut(octet: UInt8)
        /// So many octets stand behind the fields that the flags promise.
        case trailing(octets: Int)
    }
}

extension HeartRateMeasurement.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "empty value"
        case .heartRateMissing: "no heart rate after the flags"
        case .heartRateCut: "16-bit heart rate cut to one octet"
        case .energyExpendedMissing: "energy expended missing"
        case .energyExpendedCut: "energy expended cut to one octet"
        case .zeroInterval(let index): "RR interval \(index) is 0"
        case .intervalCut(let octet): "RR interval cut to one octet (\([octet].hexadecimal))"
        case .trailing(let octets): "\(octets) octet\(octets == 1 ? "" : "s") after the last field"
        }
    }
}
