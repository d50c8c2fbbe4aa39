import Testing

/// Heart Rate Measurement packets as real devices sent them, each with the public repository that shows it.
struct RealMeasurement: Sendable, CustomTestStringConvertible {
    let packet: String
    let beatsPerMinute: UInt16
    var contact: Bool?
    var ticks: [UInt16] = []
    var malformed: String?
    let device: String
    let repository: String

    var testDescription: String { "\(device): \(packet)" }

    static let all = [
        RealMeasurement(
            packet: "06 46", beatsPerMinute: 70, contact: true,
            device: "Mi Band 1S", repository: "Freeyourgadget/Gadgetbridge"),
        RealMeasurement(
            packet: "10 3e b1 03", beatsPerMinute: 62, ticks: [945],
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        RealMeasurement(
            packet: "10 39 23 04", beatsPerMinute: 57, ticks: [1059],
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        RealMeasurement(
            packet: "10 3d cf 03", beatsPerMinute: 61, ticks: [975],
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        // The same three as printed, each with one octet more: half of a further interval.
        RealMeasurement(
            packet: "10 3e b1 03 de", beatsPerMinute: 62, ticks: [945], malformed: "RR interval cut to one octet (de)",
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        RealMeasurement(
            packet: "10 39 23 04 35", beatsPerMinute: 57, ticks: [1059], malformed: "RR interval cut to one octet (35)",
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        RealMeasurement(
            packet: "10 3d cf 03 ef", beatsPerMinute: 61, ticks: [975], malformed: "RR interval cut to one octet (ef)",
            device: "unnamed strap", repository: "WebBluetoothCG/web-bluetooth"),
        RealMeasurement(
            packet: "00 44", beatsPerMinute: 68, device: "Mi Band 4", repository: "brunoac68/miband4-ble-research"),
        RealMeasurement(
            packet: "00 4c", beatsPerMinute: 76, device: "Mi Band 4", repository: "brunoac68/miband4-ble-research"),
        RealMeasurement(
            packet: "00 4b", beatsPerMinute: 75, device: "Mi Band 4", repository: "brunoac68/miband4-ble-research"),
    ]
}
