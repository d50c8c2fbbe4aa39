import HeartRate
import TestSupport
import Testing
import Wire

@Suite struct HeartRateMeasurementTests {
    @Test(arguments: RealMeasurement.all)
    func realDevices(_ real: RealMeasurement) {
        let measurement = HeartRateMeasurement(decoding: octets(real.packet))
        #expect(measurement.beatsPerMinute == real.beatsPerMinute)
        #expect(measurement.contact == real.contact)
        #expect(measurement.energyExpended == nil)
        #expect(measurement.intervals.map(\.ticks) == real.ticks)
        #expect(measurement.malformed == real.malformed)
        #expect(measurement.raw == octets(real.packet))
    }

    @Test(arguments: MeasurementVector.published + MeasurementVector.derived)
    func vectors(_ vector: MeasurementVector) {
        let measurement = HeartRateMeasurement(decoding: octets(vector.packet))
        #expect(measurement.beatsPerMinute == vector.bpm)
        #expect(measurement.contact == vector.contact)
        #expect(measurement.energyExpended == vector.energy)
        #expect(measurement.intervals.map(\.ticks) == vector.ticks)
        #expect(measurement.malformed == vector.malformed)
        #expect(measurement.raw == octets(vector.packet))
    }

    /// One strap always sends the flags 0x16 and one or two intervals (seen in TrackMyIndoorWorkout, lengths only).
    @Test func fourAndSixOctets() {
        #expect(HeartRateMeasurement(decoding: octets("16 50 00 03")).intervals == [RRInterval(ticks: 768)])
        #expect(HeartRateMeasurement(decoding: octets("16 50 00 03 33 03")).intervals.map(\.ticks) == [768, 819])
    }

    /// 72 to 65535 as in ryanbr/noop HrBroadcasterEncodeTest.kt, the rest hand-typed.
    @Test func encoding() {
        for (bpm, packet) in [(72, "0048"), (255, "00ff"), (256, "010001"), (320, "014001"), (65535, "01ffff")] {
            #expect(HeartRateMeasurement(beatsPerMinute: UInt16(bpm)).encoded() == octets(packet))
        }
        #expect(HeartRateMeasurement(beatsPerMinute: nil, contact: false).encoded() == octets("0400"))
        #expect(HeartRateMeasurement(beatsPerMinute: 72).encoded(wideRate: true) == octets("014800"))
        let full = HeartRateMeasurement(
            beatsPerMinute: 300, contact: true, energyExpended: 7,
            intervals: [RRInterval(ticks: 256), RRInterval(ticks: 512)])
        #expect(full.encoded() == octets("1f 2c01 0700 0001 0002"))
    }

    /// Every row that sound flags could have made comes out again as it went in.
    @Test func encodingIsTheInverse() {
        let sound = (MeasurementVector.published + MeasurementVector.derived).map { octets($0.packet) }
            .filter { packet in HeartRateMeasurement(decoding: packet).faults.isEmpty && packet[0] & 0xE0 == 0 }
        var unchanged = 0
        for packet in sound {
            let measurement = HeartRateMeasurement(decoding: packet)
            let wide = packet[0] & 1 == 1
            // Flags that say nothing by themselves are not sent: contact detected but unsupported, intervals, but none.
            let silent = packet[0] & 6 == 2 || packet[0] & 0x10 != 0 && measurement.intervals.isEmpty
            if !silent {
                #expect(measurement.encoded(wideRate: wide) == packet)
                unchanged += 1
            }
        }
        #expect(unchanged > 25)
    }

    /// Whatever is cut off, what stays whole reads the same and the end is told.
    @Test func cutAnywhere() {
        let whole = octets("1f 2c01 0700 0001 0002 0003")
        for count in 0..<whole.count {
            let cut = HeartRateMeasurement(decoding: Array(whole.prefix(count)))
            #expect(cut.beatsPerMinute == (count >= 3 ? 300 : nil))
            #expect(cut.contact == (count >= 1 ? true : nil))
            #expect(cut.energyExpended == (count >= 5 ? 7 : nil))
            #expect(cut.intervals.count == max(0, count - 5) / 2)
            #expect(cut.faults.isEmpty == (count >= 5 && count % 2 == 1), "\(count)")
        }
    }

    @Test func randomOctets() {
        var generator = SeededGenerator(seed: 37)
        for _ in 0..<5000 {
            let packet = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let measurement = HeartRateMeasurement(decoding: packet)
            #expect(measurement.raw == packet)
            #expect(measurement.beatsPerMinute != 0)
            #expect(measurement.intervals.allSatisfy { $0.ticks != 0 })
        }
    }

    @Test func intervalsAsText() {
        let expected: [(UInt16, String)] = [
            (768, "750.0"), (819, "799.805"), (790, "771.484"), (1024, "1000.0"), (512, "500.0"), (1, "0.977"),
            (65535, "63999.023"), (0, "0.0"), (945, "922.852"), (1059, "1034.18"), (975, "952.148"),
        ]
        for (ticks, text) in expected { #expect(RRInterval(ticks: ticks).description == text) }
        #expect(RRInterval(ticks: 819).milliseconds == 799.8046875)
        #expect(RRInterval(ticks: 768).duration == .milliseconds(750))
    }
}
