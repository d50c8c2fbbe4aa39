import GAP
import HCI
import HeartRate
import Wire

extension FuzzTarget {
    /// A stream of octets cut into packets: the same packets however it comes in, and no octet in two of them.
    static let stream = FuzzTarget(name: "stream") { octets in
        func packets(pieces size: Int) -> (packets: [[UInt8]], isLost: Bool) {
            var framer = H4Framer(from: .controller)
            var packets: [[UInt8]] = []
            var rest = octets[...]
            while !rest.isEmpty {
                framer.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                do throws(H4Framer.Lost) {
                    while let packet = try framer.next() { packets.append(packet) }
                } catch {
                    return (packets, true)
                }
            }
            return (packets, false)
        }
        let whole = packets(pieces: max(1, octets.count))
        try promise(whole.packets.reduce(0) { $0 + $1.count } <= octets.count, "octets are not invented")
        _ = packets(pieces: 1 + octets.count % 7)
    }

    /// A packet from the controller, down to its typed event: what was decoded encodes to something that decodes to the same.
    static let packets = FuzzTarget(name: "packets") { octets in
        var trailing = 0
        guard let packet = try? Packet(decoding: octets.span, trailing: &trailing) else { return }
        try promise(trailing >= 0 && trailing <= octets.count, "trailing octets are part of the input")
        let encoded = packet.encoded
        try promise((try? Packet(decoding: encoded)) == packet, "a packet encodes to itself: \(packet)")
        guard case .event(let code, let parameters) = packet else { return }
        _ = try? Event(code, parameters: parameters.span, trailing: &trailing)
    }

    /// Advertising data: the view walks to a place within, and the decoded values agree with it.
    static let advertisingData = FuzzTarget(name: "advertising-data") { octets in
        let view = AdvertisingDataView(octets.span)
        var offset = 0
        var structures = 0
        while let structure = view.next(&offset) {
            structures += 1
            try promise(structure.data.upperBound <= octets.count, "structures lie within the data")
        }
        let data = AdvertisingData(decoding: octets)
        try promise(data.values.count == structures, "each structure has a value")
        for service in [0x180D, 0x0000, 0xFFFF] as [UInt16] { _ = view.lists(service: service) }
        _ = data.malformed
        _ = AdvertisingData(decoding: data.encoded)
    }

    /// The values of the heart-rate, battery and device-information services.
    static let heartRate = FuzzTarget(name: "heart-rate") { octets in
        let measurement = HeartRateMeasurement(decoding: octets)
        try promise(measurement.raw == octets, "the raw octets are always there")
        try promise(measurement.intervals.count * 2 <= octets.count, "intervals are not invented")
        _ = measurement.malformed
        _ = try? BatteryLevel(decoding: octets.span)
        _ = try? BodySensorLocation(decoding: octets.span)
        var device = DeviceInformation()
        for uuid in [0x2A23, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2A50] as [BluetoothUUID] {
            try? device.record(octets.span, of: uuid)
        }
    }
}
