import ATT
import GATT
import HCI
import HeartRate
import L2CAP
import Wire

/// A phone that listens to four straps at a time, minutes each; or on a ride, to two and a power meter, while it goes on scanning.
struct HeartRatePhone {
    private var generator: SeededGenerator

    private let neighbourhood: Neighbourhood
    private let isRide: Bool

    /// - Parameter isRide: one record in eight is a heart rate then
    init(seed: UInt64, isRide: Bool) {
        generator = SeededGenerator(seed: seed)
        neighbourhood = Neighbourhood(seed: seed)
        self.isRide = isRide
    }

    private static let measurement = Handle(0x000E)
    private static let power = Handle(0x0015)

    /// From the connections to their ends: 10,000 records and more.
    mutating func record(on tape: inout Tape) {
        let handles = (1...(isRide ? 2 : 4)).map { ConnectionHandle(rawValue: $0) }
        for handle in handles { connect(handle, on: &tape) }
        var beats: [UInt16] = [62, 70, 81, 120]
        for _ in 0..<2500 where !tape.isFull {
            for (index, handle) in handles.enumerated() {
                let step = Int.random(in: -2...2, using: &generator)
                beats[index] = UInt16(clamping: min(200, max(40, Int(beats[index]) + step)))
                tape.receive(notification(beats[index], on: handle), after: isRide ? 100 : 250)
            }
            if isRide { ride(on: &tape, handles[0]) }
        }
        for handle in handles {
            tape.start(Disconnect { ($0.handle, $0.reason) = (handle, .remoteUserTerminated) })
            tape.receive(
                DisconnectionComplete { ($0.handle, $0.reason) = (handle, .terminatedByLocalHost) }.packet)
        }
    }

    /// What else a second of a ride brings.
    private mutating func ride(on tape: inout Tape, _ handle: ConnectionHandle) {
        for _ in 0..<6 {
            let watts = UInt16.random(in: 150...300, using: &generator)
            let value: [UInt8] = [0, 0, UInt8(truncatingIfNeeded: watts), UInt8(watts >> 8)]
            let pdu = HandleValueNotification(handle: Self.power, value: value).octets
            tape.receive(frame(pdu, on: handle, from: .peer), after: 50)
        }
        for _ in 0..<6 { tape.receive(neighbourhood.anyReport(&generator), after: 50) }
        for _ in 0..<2 { tape.receive(completion(handle), after: 50) }
    }

    private func completion(_ handle: ConnectionHandle) -> [UInt8] {
        NumberOfCompletedPackets { $0.completions = [.init(handle, count: 1)] }.packet
    }

    private mutating func notification(_ beats: UInt16, on handle: ConnectionHandle) -> [UInt8] {
        let ticks = 61440 / beats
        let intervals = [ticks, ticks + UInt16.random(in: 0...20, using: &generator)].map(RRInterval.init(ticks:))
        let value = HeartRateMeasurement(
            beatsPerMinute: beats, contact: true, energyExpended: nil,
            intervals: beats > 90 ? intervals : [intervals[1]]
        ).encoded()
        return frame(HandleValueNotification(handle: Self.measurement, value: value).octets, on: handle, from: .peer)
    }

    // MARK: Connecting

    private mutating func connect(_ handle: ConnectionHandle, on tape: inout Tape) {
        let peer = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F400 + UInt64(handle.rawValue)))
        tape.start(
            LECreateConnection {
                ($0.peer, $0.scanInterval, $0.scanWindow) = (peer, .init(rawValue: 96), .init(rawValue: 96))
            })
        tape.receive(
            LEConnectionComplete {
                ($0.handle, $0.peer, $0.interval) = (handle, peer, ConnectionInterval(rawValue: 39))
                $0.supervisionTimeout = SupervisionTimeout(rawValue: 500)
            }.packet, after: 300)
        for (request, response) in Self.discovery {
            tape.send(frame(request, on: handle, from: .host), after: 10)
            tape.receive(completion(handle), after: 20)
            tape.receive(frame(response, on: handle, from: .peer), after: 20)
        }
    }

    private enum Side { case host, peer }

    private func frame(_ pdu: [UInt8], on handle: ConnectionHandle, from side: Side) -> [UInt8] {
        Packet.acl(
            ACLPacket(
                handle: handle, boundary: side == .host ? .firstNonFlushable : .firstFlushable,
                payload: BasicFrame(channel: .attribute, payload: pdu).encoded)
        ).encoded
    }

    /// What is asked of a strap, and what it answers: its services, the heart-rate service's characteristics, the subscription.
    private static let discovery: [(request: [UInt8], response: [UInt8])] = [
        (ExchangeMTURequest { $0.clientRxMTU = 517 }.octets, ExchangeMTUResponse { $0.serverRxMTU = 247 }.octets),
        (
            ReadByGroupTypeRequest(HandleRange(Handle(1), Handle(0xFFFF)), type: .primaryService).octets,
            ReadByGroupTypeResponse(
                length: 6,
                attributeData: [
                    0x01, 0x00, 0x05, 0x00, 0x00, 0x18, 0x06, 0x00, 0x09, 0x00, 0x01, 0x18,
                    0x0C, 0x00, 0x12, 0x00, 0x0D, 0x18, 0x13, 0x00, 0x17, 0x00, 0x18, 0x18,
                ]
            ).octets
        ),
        (
            ReadByTypeRequest(HandleRange(Handle(0x000C), Handle(0x0012)), type: .characteristic).octets,
            ReadByTypeResponse(
                length: 7,
                attributeData: [
                    0x0D, 0x00, 0x10, 0x0E, 0x00, 0x37, 0x2A, 0x10, 0x00, 0x02, 0x11, 0x00, 0x38, 0x2A,
                ]
            ).octets
        ),
        (
            ReadByTypeRequest(HandleRange(Handle(0x0013), Handle(0x0017)), type: .characteristic).octets,
            ReadByTypeResponse(length: 7, attributeData: [0x14, 0x00, 0x10, 0x15, 0x00, 0x63, 0x2A]).octets
        ),
        (
            FindInformationRequest(HandleRange(Handle(0x000F), Handle(0x000F))).octets,
            [0x05, 0x01, 0x0F, 0x00, 0x02, 0x29]
        ),
        (WriteRequest { ($0.handle, $0.value) = (Handle(0x000F), [1, 0]) }.octets, WriteResponse().octets),
    ]
}
