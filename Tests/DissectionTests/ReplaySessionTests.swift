import ATT
import Capture
import Dissection
import GATT
import HCI
import HeartRate
import TestSupport
import Testing
import Wire

/// What the host in a capture saw.
private func replay(_ file: [UInt8], heartRateHandles: Set<Handle> = []) -> (
    events: [SessionEvent], session: ReplaySession
) {
    var reader = CaptureReader()
    var session = ReplaySession(heartRateHandles: heartRateHandles)
    var events: [SessionEvent] = []
    reader.feed(file)
    reader.finish()
    while let record = try? reader.next() { session.receive(record, into: &events) }
    session.finish(into: &events)
    return (events, session)
}

/// Packets in a row, a second apart, as the host saw them.
private func replay(packets: [(Record.Direction, String)]) -> [SessionEvent] {
    var file = Btsnoop.fileHeader()
    for (index, packet) in packets.enumerated() {
        Btsnoop.append(octets(packet.1), packet.0, at: Timestamp(microseconds: Int64(index) * 1_000_000), to: &file)
    }
    return replay(file).events
}

extension SessionEvent {
    fileprivate var link: LinkReport? { if case .link(let link) = content { link } else { nil } }
    fileprivate var device: DeviceReport? { if case .device(let device) = content { device } else { nil } }
    fileprivate var measurement: HeartRateMeasurement? {
        if case .heartRate(let measurement) = content { measurement } else { nil }
    }
    fileprivate var isGap: Bool { if case .gap = content { true } else { false } }
}

/// The packets of a small session with a sensor whose measurement has handle 0x0010 and descriptor 0x0011.
private enum Session {
    static let connected: [(Record.Direction, String)] = [
        (.received, "04 3e13 01 00 4000 00 01 01000000dec0 1800 0000 4800 00")
    ]
    static let discovered: [(Record.Direction, String)] = [
        (.sent, att("08 0100 ffff 0328")),
        (.received, att("09 07 0f00 10 1000 372a")),
        (.sent, att("04 1100 1100")),
        (.received, att("05 01 1100 0229")),
    ]
    static let subscribed: [(Record.Direction, String)] = [(.sent, att("12 1100 0100")), (.received, att("13"))]
    static let lost: [(Record.Direction, String)] = [(.received, "04 0504 00 4000 08")]

    static func beat(_ rate: UInt8) -> (Record.Direction, String) {
        (.received, att("1b 1000 00 " + [rate].hexadecimal))
    }

    /// An ATT PDU in an ACL packet on handle 0x0040.
    static func att(_ pdu: String) -> String {
        let pdu = octets(pdu)
        var packet: [UInt8] = [2, 0x40, 0x20]
        packet.append(littleEndian: UInt16(pdu.count + 4))
        packet.append(littleEndian: UInt16(pdu.count))
        packet += [4, 0]
        return (packet + pdu).hexadecimal
    }
}

@Suite struct ReplaySessionTests {
    @Test func aWholeSessionIsToldInItsOrder() throws {
        let (events, _) = replay(try fixture("captures/edge/le_session.btsnoop"))
        #expect(events.map(\.frame) == events.map(\.frame).sorted())
        let states: [LinkReport.State] = [
            .connecting, .connected, .subscribed, .disconnected, .reconnecting, .connected, .subscribed, .disconnected,
        ]
        #expect(events.compactMap { $0.link?.state } == states)
        #expect(events.compactMap { $0.link?.reason?.rawValue } == [0x16, 0x08])
        #expect(events.filter { $0.link != nil }.map(\.frame) == [13, 15, 57, 96, 97, 99, 101, 108])
        let measured = events.filter { $0.measurement != nil }.map(\.frame)
        #expect(measured.count == 36)
        #expect(measured.first == 58 && measured.contains(93) && measured.contains(102) && measured.last == 107)
        let device = try #require(events.compactMap(\.device).first)
        #expect(device.name == "Edge Strap")
        #expect(device.sensorLocation == .chest)
        #expect(device.battery?.percent == 87)
        #expect(events.allSatisfy { $0.peer?.address.description == "C0:DE:00:00:00:01" })
        let gaps = events.filter(\.isGap)
        #expect(gaps.count == 1 && gaps.first?.frame == 102)
    }

    @Test func theServicesAreWhatWasDiscovered() throws {
        for (name, count) in [("edge/le_session", 4), ("SYNTHETIC_bumble_hr_mtu247", 5)] {
            let (events, _) = replay(try fixture("captures/\(name).btsnoop"))
            let databases = events.compactMap { if case .services(let database) = $0.content { database } else { nil } }
            try #require(databases.count == 1)
            #expect(databases[0].services.count == count)
            let measurement = try #require(databases[0].characteristic(0x2A37, in: 0x180D))
            #expect(measurement.properties == .notify)
            #expect(measurement.descriptor(0x2902)?.handle == measurement.valueHandle.next)
        }
    }

    @Test func linksAndMTUOfARecordedRun() throws {
        let (events, _) = replay(try fixture("captures/SYNTHETIC_bumble_hr_mtu247.btsnoop"))
        let subscribed = try #require(events.first { $0.link?.state == .subscribed }?.link)
        #expect(subscribed.mtu == 247)
        #expect(subscribed.interval?.milliseconds == 15)
        let rates = events.compactMap(\.measurement).map(\.beatsPerMinute)
        #expect(rates == [72, 73, 74, 300, 61, 62, 180, 60, nil, 300])
    }

    @Test func aLostLinkLeavesAGapOnceMeasurementsComeAgain() throws {
        let first = Session.connected + Session.discovered + Session.subscribed + [Session.beat(70)] + Session.lost
        let again = Session.connected + Session.subscribed + [Session.beat(71), Session.beat(72)]
        let events = replay(packets: first + again)
        let gap = try #require(events.first { $0.isGap })
        let from = Timestamp(microseconds: 7_000_000)
        let to = Timestamp(microseconds: 12_000_000)
        #expect(gap.content == .gap(from: from, to: to, reason: "Connection Timeout"))
        #expect(events.filter(\.isGap).count == 1)
        // The descriptor was not discovered again: the peer is known.
        #expect(events.filter { $0.link?.state == .subscribed }.count == 2)
        #expect(events.compactMap { $0.measurement?.beatsPerMinute } == [70, 71, 72])
    }

    @Test func aPDUThatIsLostMayHaveBeenAMeasurement() {
        let start: (Record.Direction, String) = (.received, "02 4020 0400 1b00 0400")
        let events = replay(
            packets: Session.connected + Session.discovered + Session.subscribed + [
                Session.beat(70), start, Session.beat(71),
            ])
        #expect(events.filter(\.isGap).count == 1)
        #expect(events.compactMap { $0.measurement?.beatsPerMinute } == [70, 71])
    }

    @Test func recordsThatTheRecorderDroppedAreAGap() throws {
        let (events, _) = replay(try fixture("captures/edge/btsnoop_1002_h4.btsnoop"))
        let gaps = events.filter(\.isGap)
        #expect(gaps.map(\.frame) == [19])
    }

    @Test func longAndPairedReadsMakeTheDevice() throws {
        let reads: [(Record.Direction, String)] = [
            (.sent, Session.att("08 0100 ffff 0328")), (.received, Session.att("09 07 2000 02 2100 292a")),
            (.sent, Session.att("0a 2100")), (.received, Session.att("0b " + [UInt8]("Polar ".utf8).hexadecimal)),
            (.sent, Session.att("0c 2100 0600")),
            (.received, Session.att("0d " + [UInt8]("Electro\0".utf8).hexadecimal)),
            (.sent, Session.att("08 0100 ffff 192a")), (.received, Session.att("09 03 3000 57")),
        ]
        let events = replay(packets: Session.connected + reads)
        let device = try #require(events.compactMap(\.device).first)
        #expect(device.information.manufacturer == "Polar Electro")
        #expect(device.battery?.percent == 87)
        #expect(events.compactMap(\.device).count == 1)
    }

    @Test func aRefusedSubscriptionIsNone() {
        let refused: [(Record.Direction, String)] = [
            (.sent, Session.att("12 1100 0100")), (.received, Session.att("01 12 1100 05")),
        ]
        let events = replay(packets: Session.connected + Session.discovered + refused)
        #expect(events.allSatisfy { $0.link?.state != .subscribed })
    }

    @Test func anAttemptThatFailsIsToldWithItsPeer() {
        let attempt: [(Record.Direction, String)] = [
            (.sent, "01 0d20 19 6000 6000 00 01 01000000dec0 01 1800 2800 0000 4800 0000 0000"),
            (.received, "04 3e13 01 3e 0000 00 00 000000000000 0000 0000 0000 00"),
        ]
        let events = replay(packets: attempt)
        #expect(events.compactMap { $0.link?.state } == [.connecting, .disconnected])
        #expect(events.last?.link?.reason == .failedToBeEstablished)
        #expect(events.last?.peer?.address.description == "C0:DE:00:00:00:01")
    }

    @Test func measurementsThatTheHostItselfSentHaveNoAddress() {
        let served: [(Record.Direction, String)] = [
            (.received, Session.att("08 0100 ffff 0328")), (.sent, Session.att("09 07 0f00 10 1000 372a")),
            (.sent, Session.att("1b 1000 00 48")),
        ]
        let events = replay(packets: Session.connected + served)
        let measured = events.filter { $0.measurement != nil }
        #expect(measured.map(\.peer) == [nil])
    }

    @Test func whatCouldBeHeartRatesIsCountedAndNotClaimed() throws {
        let file = try fixture("captures/edge/midstream.btsnoop")
        let (events, session) = replay(file)
        #expect(events.allSatisfy { $0.measurement == nil })
        #expect(session.unclaimed == [0x0025: 5])
        #expect(replay(file, heartRateHandles: [0x0025]).events.compactMap(\.measurement).count == 5)
    }
}
