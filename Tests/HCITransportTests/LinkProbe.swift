import HCI
import Wire

/// An owner of a link that keeps what it is told. It lives on the link's loop.
actor LinkProbe: ControllerLinkOwner {
    enum Told: Hashable, Sendable {
        case received([UInt8], Moment)
        case alarm(Moment)
        case ended(LinkEnd)
    }

    private let executor: any SerialExecutor
    nonisolated let link: any ControllerLink
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Everything the link has told while nobody waited.
    private var told: [Told] = []
    /// How much of that has been fetched. Taking it off the front each time would cost the square of what a fast clock tells.
    private var fetched = 0
    private var waiter: CheckedContinuation<Told, Never>?
    /// What each received packet is answered with, within the link's own call.
    private var answer: (@Sendable ([UInt8]) -> [UInt8]?)?

    init(_ link: any ControllerLink, answer: (@Sendable ([UInt8]) -> [UInt8]?)? = nil) {
        self.link = link
        self.answer = answer
        executor = link.executor
    }

    func activate() { link.activate(self) }

    func transmit(_ packet: [UInt8]) {
        let before = told.count
        link.transmit(packet)
        toldAtLastTransmit = told.count - before
    }

    /// How much the link told within the last call of `transmit`.
    private(set) var toldAtLastTransmit = 0

    /// How much the link has told that nobody has fetched.
    var toldCount: Int { told.count - fetched }

    func setAlarm(_ moment: Moment?) { link.setAlarm(moment) }

    func setAlarm(after duration: Duration) { link.setAlarm(link.now + duration) }

    func activateAndTransmit(_ packet: [UInt8]) {
        link.activate(self)
        link.transmit(packet)
    }

    func transmitAndShutDown(_ packet: [UInt8]) {
        link.transmit(packet)
        link.setAlarm(link.now)
        link.shutDown()
    }

    func shutDown() { link.shutDown() }

    var now: Moment { link.now }
    var civil: Timestamp { link.civilTime }

    /// The next thing the link tells, waited for.
    func next() async -> Told {
        if fetched < told.count {
            defer { fetched += 1 }
            return told[fetched]
        }
        return await withCheckedContinuation { waiter = $0 }
    }

    /// The next packet; `nil` when the link tells something else.
    func nextPacket() async -> [UInt8]? {
        guard case .received(let packet, _) = await next() else { return nil }
        return packet
    }

    private func tell(_ event: Told) {
        guard let waiter else { return told.append(event) }
        self.waiter = nil
        waiter.resume(returning: event)
    }

    nonisolated func linkReceived(_ packet: [UInt8], at moment: Moment) {
        assumeIsolated { probe in
            if let reply = probe.answer?(packet) { probe.link.transmit(reply) }
            probe.tell(.received(packet, moment))
        }
    }

    nonisolated func linkAlarm(at moment: Moment) {
        assumeIsolated { $0.tell(.alarm(moment)) }
    }

    nonisolated func linkEnded(_ reason: LinkEnd) {
        assumeIsolated { $0.tell(.ended(reason)) }
    }
}
