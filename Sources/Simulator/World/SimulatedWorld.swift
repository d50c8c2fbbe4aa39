public import HCI
public import SMP
public import Wire

/// A controller, the air around it and what lives there: all that a host needs of the world, as one value.
///
/// The same scenario, seed and calls give the same octets. Time is the caller's: a real clock, or one that a test moves.
public struct SimulatedWorld: VirtualController {
    private var controller: HostController
    private var air: Air
    /// The straps; each has the same place here and in the air.
    private var straps: [Strap]
    /// Other devices that the host has connected to, by their places in the air.
    private var strangers: [Int: Strap] = [:]
    private let noise: Noise
    private let toolbox: (any SecurityToolbox)?
    private let screen: HostScreen?
    /// The caller's time at which the world began: that of the first call. All moments within are counted from there.
    private var beginning: Moment?
    /// When the world has next something to do.
    private var due: Moment?

    /// - Parameter toolbox: the cryptography of all who are in it; one whose random numbers follow from a seed, where the world is to
    ///   play the same again. Without one nobody pairs, and the controller recognises no private addresses and does not claim to.
    /// - Parameter screen: what those see who wear the straps
    public init(
        _ scenario: Scenario, seed: UInt64 = 1, toolbox: (any SecurityToolbox)? = nil, screen: HostScreen? = nil
    ) {
        let noise = Noise(seed: seed)
        let crowd = Crowd(count: scenario.crowd, noise: noise.branch(2)).advertisers
        let plans = scenario.straps.map(AdvertiserPlan.init(strap:)) + scenario.others + crowd
        self.noise = noise
        self.toolbox = toolbox
        self.screen = screen
        controller = HostController(scenario.controller, noise: noise.branch(1), toolbox: toolbox)
        air = Air(
            plans.enumerated().map { number, plan in
                Advertiser(plan, number: number, noise: noise.branch(1000 + UInt64(number)), start: .zero)
            }, toolbox: toolbox)
        straps = scenario.straps.enumerated().map { number, plan in
            Strap(
                plan, noise: noise.branch(1_000_000 + UInt64(number)), start: .zero, toolbox: toolbox, screen: screen)
        }
    }

    // MARK: VirtualController

    public mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        advance(to: now, into: &output)
        let now = local(now)
        var effects: [ControllerEffect] = []
        controller.receive(packet, at: now, into: &effects)
        settle(effects, at: now, into: &output)
        due = earliest
    }

    public mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        sleepThroughGap(until: now)
        let now = local(now)
        while let due, due <= now { step(at: due, into: &output) }
    }

    public var nextDeadline: Moment? {
        guard let beginning, let due else { return nil }
        return beginning.later(by: due.nanoseconds)
    }

    // MARK: What a test may know

    /// The rules of HCI that the host broke, the first ones.
    public var offences: [Offence] { controller.offences }

    /// The handles of the connections that exist.
    public var connections: [ConnectionHandle] { controller.links.map(\.handle) }

    /// ACL packets from the host that hold a buffer now.
    public var buffersInUse: Int { controller.buffersInUse }

    /// Whether the controller scans, and whether it tries to connect.
    public var isScanning: Bool { controller.settings.scanning != nil }
    /// Whether the host's controller is trying to connect.
    public var isInitiating: Bool { controller.settings.initiation != nil }

    /// ACL packets from the host that hold a buffer now, of one connection.
    public func buffersInUse(on handle: ConnectionHandle) -> Int {
        controller.links.first { $0.handle == handle }?.toPeer.count ?? 0
    }

    // MARK: What goes wrong

    /// A connection ends at once, for a reason that need not make sense. Its device takes the link for lost.
    ///
    /// - Parameter isTold: whether the host hears of it
    mutating func endConnection(
        _ handle: ConnectionHandle, reason: Status, isTold: Bool, at now: Moment
    ) -> [[UInt8]] {
        disturb(at: now) { controller, effects in
            controller.breakLink(handle, reason: reason, isTold: isTold, into: &effects)
        }
    }

    /// The controller begins anew by itself, as after power-on, and says nothing of it.
    mutating func restart(at now: Moment) {
        _ = disturb(at: now) { controller, effects in controller.restart(into: &effects) }
    }

    /// So many devices that nobody has heard of advertise at the same moment.
    mutating func flood(_ count: Int, at now: Moment, into output: inout [[UInt8]]) {
        let base = noise.branch(3).bits(UInt64(bitPattern: now.nanoseconds))
        let moment = local(now)
        output += disturb(at: now) { controller, effects in
            for number in 0..<UInt64(max(count, 0)) {
                let address = Address(rawValue: (base &+ number) >> 18 | 0b01 << 46)
                let stranger = Advertisement(
                    device: -1, sender: DeviceAddress(.random, address), form: .nonConnectable,
                    data: [0x02, 0x01, 0x04], scanResponse: [], level: -80)
                controller.hear(stranger, at: moment, into: &effects)
            }
        }
    }

    private mutating func disturb(
        at now: Moment, _ change: (inout HostController, inout [ControllerEffect]) -> Void
    ) -> [[UInt8]] {
        var output: [[UInt8]] = []
        var effects: [ControllerEffect] = []
        change(&controller, &effects)
        settle(effects, at: local(now), into: &output)
        due = earliest
        return output
    }

    // MARK: Time

    /// The caller's time as the world's.
    private mutating func local(_ now: Moment) -> Moment {
        let beginning = beginning ?? now
        self.beginning = beginning
        return Moment(nanoseconds: now.nanoseconds(since: beginning))
    }

    /// A machine that slept, or a clock that jumped: the world stood still meanwhile, so that nobody has to make up for hours.
    private mutating func sleepThroughGap(until now: Moment) {
        guard let beginning, let nextDeadline else { return }
        let late = now.nanoseconds(since: nextDeadline)
        if late > Self.longestGap { self.beginning = beginning.later(by: late - Self.longestGap) }
    }

    /// An hour, in nanoseconds.
    private static let longestGap: Int64 = 3_600_000_000_000

    private var earliest: Moment? {
        var earliest = Earliest(controller.nextDeadline)
        for index in straps.indices { earliest.consider(straps[index].nextDeadline) }
        for stranger in strangers.values { earliest.consider(stranger.nextDeadline) }
        earliest.consider(air.nextDeadline)
        return earliest.moment
    }

    /// Does one of the things that are due at `due`: the controller's first, then the straps', then the air's.
    private mutating func step(at due: Moment, into output: inout [[UInt8]]) {
        var effects: [ControllerEffect] = []
        if isDue(controller.nextDeadline, at: due) {
            controller.advance(to: due, into: &effects)
        } else if let device = dueDevice(at: due) {
            var acts: [StrapEffect] = []
            withDevice(device, at: due) { $0.advance(to: due, into: &acts) }
            apply(acts, of: device, at: due, into: &effects)
        } else if let heard = air.next(upTo: due), isOnAir(heard.advertisement.device, at: due) {
            controller.hear(directed(heard.advertisement, at: due), at: due, into: &effects)
        }
        settle(effects, at: due, into: &output)
        self.due = earliest
    }

    private func isDue(_ moment: Moment?, at now: Moment) -> Bool { moment.map { $0 <= now } ?? false }

    private func dueDevice(at now: Moment) -> Int? {
        straps.firstIndex { isDue($0.nextDeadline, at: now) }
            ?? strangers.keys.sorted().first { isDue(strangers[$0]?.nextDeadline, at: now) }
    }

    // MARK: Between controller and devices

    /// Carries the controller's effects out, and what follows from them, until nothing more follows.
    private mutating func settle(_ effects: [ControllerEffect], at now: Moment, into output: inout [[UInt8]]) {
        var waiting = effects
        var next = 0
        while next < waiting.count {
            switch waiting[next] {
            case .host(let packet):
                output.append(packet)
            case .peer(let device, let event):
                var acts: [StrapEffect] = []
                withDevice(device, at: now) { $0.handle(event, at: now, into: &acts) }
                if case .disconnected = event { strangers[device] = nil }
                apply(acts, of: device, at: now, into: &waiting)
            }
            next += 1
        }
        air.listen(controller.isListening, at: now)
    }

    private mutating func apply(
        _ acts: [StrapEffect], of device: Int, at now: Moment, into effects: inout [ControllerEffect]
    ) {
        for act in acts {
            switch act {
            case .send(let frame):
                // A strap whose memory is full drops what it has to say.
                _ = controller.send(frame, from: device, at: now)
            case .leave(let reason): controller.leave(device, reason: reason, at: now)
            case .provide(let key): controller.provide(key, from: device, at: now)
            case .vanish(let isEstablished): controller.lose(device, isEstablished: isEstablished, at: now)
            case .requestParameters(let parameters):
                controller.requestParameters(parameters, by: device, into: &effects)
            }
        }
    }

    private mutating func withDevice(_ device: Int, at now: Moment, _ body: (inout Strap) -> Void) {
        if straps.indices.contains(device) {
            body(&straps[device])
        } else {
            var stranger = strangers[device] ?? makeStranger(device, at: now)
            body(&stranger)
            strangers[device] = stranger
        }
    }

    /// A device of the crowd that somebody connected to: it has a name and nothing to measure.
    private func makeStranger(_ device: Int, at now: Moment) -> Strap {
        var plan = StrapPlan(address: air.address(of: device, at: now) ?? .zero, name: "Simulated stranger")
        plan.offers = .deviceInformation
        plan.parameterWish = nil
        return Strap(
            plan, noise: noise.branch(2_000_000 + UInt64(device)), start: now, toolbox: toolbox, screen: screen)
    }

    /// A strap that has its central advertises to that alone.
    private func directed(_ advertisement: Advertisement, at now: Moment) -> Advertisement {
        guard straps.indices.contains(advertisement.device), advertisement.isConnectable,
            let target = straps[advertisement.device].advertisesTo(at: now)
        else { return advertisement }
        var advertisement = advertisement
        advertisement.form = .directed(to: target)
        return advertisement
    }

    private func isOnAir(_ device: Int, at now: Moment) -> Bool {
        straps.indices.contains(device) ? straps[device].isAdvertising(at: now) : strangers[device] == nil
    }
}
