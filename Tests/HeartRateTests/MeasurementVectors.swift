import Testing

/// Heart Rate Measurement packets with what they mean, from published unit tests and from the format's rules.
struct MeasurementVector: Sendable, CustomTestStringConvertible {
    let packet: String
    var bpm: UInt16?
    var contact: Bool?
    var energy: UInt16?
    var ticks: [UInt16] = []
    var malformed: String?
    var source = "specification"

    var testDescription: String { "\(packet) (\(source))" }

    /// Rows whose fields the format forces; the heart rate 0 stands for "no value".
    static let published: [MeasurementVector] = {
        let polar = "polarofficial/polar-ble-sdk BleHrClientTest.kt"
        let noop = "ryanbr/noop StandardHeartRateTest.kt"
        let tracks = "OpenTracksApp/OpenTracks BluetoothConnectionManagerHeartRateTest.java"
        let bumble = "encoded by google/bumble"
        return [
            MeasurementVector(packet: "00 ff", bpm: 255, source: polar),
            MeasurementVector(packet: "00 7f", bpm: 127, source: polar),
            MeasurementVector(packet: "01 80 80", bpm: 32896, source: polar),
            MeasurementVector(packet: "01 7f 7f", bpm: 32639, source: polar),
            MeasurementVector(packet: "06 00", contact: true, source: polar),
            MeasurementVector(packet: "04 00", contact: false, source: polar),
            MeasurementVector(packet: "02 00", source: polar),
            MeasurementVector(packet: "00 00", source: polar),
            MeasurementVector(packet: "09 00 00 ff ff", energy: 65535, source: polar),
            MeasurementVector(packet: "08 00 7f 80", energy: 32895, source: polar),
            MeasurementVector(packet: "10 00 ff ff", ticks: [65535], source: polar),
            MeasurementVector(packet: "11 00 00 ff ff 7f 80", ticks: [65535, 32895], source: polar),
            MeasurementVector(packet: "11 00 00 00 00", malformed: "RR interval 0 is 0", source: polar),
            MeasurementVector(packet: "00 48", bpm: 72, source: noop),
            MeasurementVector(packet: "01 40 01", bpm: 320, source: noop),
            MeasurementVector(packet: "10 3c 00 04", bpm: 60, ticks: [1024], source: noop),
            MeasurementVector(packet: "10 3a 00 02 00 04", bpm: 58, ticks: [512, 1024], source: noop),
            MeasurementVector(packet: "18 41 ff 00 00 04", bpm: 65, energy: 255, ticks: [1024], source: noop),
            MeasurementVector(packet: "", malformed: "empty value", source: noop),
            MeasurementVector(packet: "01 40", malformed: "16-bit heart rate cut to one octet", source: noop),
            MeasurementVector(packet: "02 3c", bpm: 60, source: tracks),
            MeasurementVector(packet: "01 01 01", bpm: 257, source: tracks),
            MeasurementVector(packet: "06 49", bpm: 73, contact: true, source: bumble),
            MeasurementVector(packet: "04 4a", bpm: 74, contact: false, source: bumble),
            MeasurementVector(packet: "01 2c 01", bpm: 300, source: bumble),
            MeasurementVector(packet: "16 3d 00 04", bpm: 61, contact: true, ticks: [1024], source: bumble),
            MeasurementVector(packet: "16 3e d0 03 e0 03", bpm: 62, contact: true, ticks: [976, 992], source: bumble),
            MeasurementVector(
                packet: "1e b4 d2 04 56 01 55 01 54 01", bpm: 180, contact: true, energy: 1234, ticks: [342, 341, 340],
                source: bumble),
            MeasurementVector(packet: "08 3c ff ff", bpm: 60, energy: 65535, source: bumble),
            MeasurementVector(
                packet: "1f 2c 01 07 00 00 01 00 02 00 03 00 04", bpm: 300, contact: true, energy: 7,
                ticks: [256, 512, 768, 1024], source: bumble),
        ]
    }()

    /// Rows that follow from the format alone, the damaged ones among them.
    static let derived = [
        MeasurementVector(packet: "16 4d 16 03", bpm: 77, contact: true, ticks: [790]),
        MeasurementVector(packet: "10 3c", bpm: 60),
        MeasurementVector(packet: "06 48", bpm: 72, contact: true),
        MeasurementVector(packet: "02 48", bpm: 72),
        MeasurementVector(packet: "08 46 0a 01", bpm: 70, energy: 266),
        MeasurementVector(packet: "f0 48 00 04", bpm: 72, ticks: [1024]),
        MeasurementVector(packet: "e6 5a", bpm: 90, contact: true),
        MeasurementVector(packet: "01 ff ff", bpm: 65535),
        MeasurementVector(packet: "0f 00 01 00 00", bpm: 256, contact: true, energy: 0),
        MeasurementVector(
            packet: "10 45 00 04 d0 03 e0 03 e9 03 94 02 8f 02 9f 02 00 06 bc 02", bpm: 69,
            ticks: [1024, 976, 992, 1001, 660, 655, 671, 1536, 700]),
        MeasurementVector(packet: "00", malformed: "no heart rate after the flags"),
        MeasurementVector(packet: "06", contact: true, malformed: "no heart rate after the flags"),
        MeasurementVector(packet: "08 48", bpm: 72, malformed: "energy expended missing"),
        MeasurementVector(packet: "08 48 10", bpm: 72, malformed: "energy expended cut to one octet"),
        MeasurementVector(packet: "18 41 ff", bpm: 65, malformed: "energy expended cut to one octet"),
        MeasurementVector(
            packet: "10 3c 00 04 ff", bpm: 60, ticks: [1024], malformed: "RR interval cut to one octet (ff)"),
        MeasurementVector(packet: "10 48 00 00", bpm: 72, malformed: "RR interval 0 is 0"),
        MeasurementVector(
            packet: "10 48 00 04 00 00 01 04 07", bpm: 72, ticks: [1024, 1025],
            malformed: "RR interval 1 is 0; RR interval cut to one octet (07)"),
        MeasurementVector(packet: "00 48 01 02", bpm: 72, malformed: "2 octets after the last field"),
        MeasurementVector(packet: "08 48 01 02 03", bpm: 72, energy: 513, malformed: "1 octet after the last field"),
    ]
}
