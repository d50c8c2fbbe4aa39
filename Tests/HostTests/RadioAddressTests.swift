import HCI
import Testing
import Wire

@testable import Host

private let strap = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
private let identity = DeviceAddress(.random, Address(rawValue: 0xC000_0000_0001))
private let hidden = Address(rawValue: 0x0123_4567_89AB)
private let next = Address(rawValue: 0x0BA9_8765_4321)
private let first = Ticket(rawValue: 1)

/// Under which address the radio scans and connects (Core Vol 4, Part E, 7.8.4: it cannot be changed meanwhile).
struct RadioAddressTests {
    private var radio = Radio()
    private var actions: [Radio.Action] = []
    private let now = Moment.zero
    private let scan: ScanParameters

    init() {
        var scan = ScanParameters.fast(isActive: true)
        scan.ownAddress = .private
        self.scan = scan
    }

    private mutating func start(_ identity: DeviceAddress) {
        var own = OwnAddresses()
        own.identity = identity
        own.private = hidden
        radio.resume(usingList: false, as: own, at: now, into: &actions)
    }

    private mutating func taken() -> [Radio.Action] {
        defer { actions = [] }
        return actions
    }

    private mutating func succeed(_ command: Radio.Command) { radio.answered(command, nil, at: now, into: &actions) }

    private mutating func connect(_ use: OwnAddressUse) -> InitialParameters {
        var parameters = InitialParameters.heartRate
        parameters.ownAddress = use
        radio.connect(first, to: strap, parameters: parameters, deadline: now + .seconds(30), at: now, into: &actions)
        return parameters
    }

    @Test mutating func theAddressIsSetBeforeTheScan() {
        start(.zero)
        radio.want(scan: scan, at: now, into: &actions)
        #expect(taken() == [.command(.setRandomAddress(hidden))])
        succeed(.setRandomAddress(hidden))
        #expect(taken() == [.command(.setScanParameters(scan))])
    }

    @Test mutating func aPublicIdentityNeedsNoAddressToConnect() {
        start(DeviceAddress(.public, Address(rawValue: 1)))
        let parameters = connect(.identity)
        #expect(taken() == [.command(.createConnection(strap, parameters))])
        #expect(radio.initiatedAs.kind == .public)
    }

    @Test mutating func aStaticIdentityTakesThePrivateAddressesPlace() {
        start(identity)
        radio.want(scan: scan, at: now, into: &actions)
        succeed(.setRandomAddress(hidden))
        succeed(.setScanParameters(scan))
        succeed(.startScan(scan))
        let parameters = connect(.identity)
        succeed(.stopScan)
        #expect(taken().last == .command(.setRandomAddress(identity.address)))
        succeed(.setRandomAddress(identity.address))
        #expect(taken() == [.command(.createConnection(strap, parameters))])
        #expect(radio.initiatedAs == identity)
    }

    @Test mutating func aNewAddressInterruptsTheScan() {
        start(.zero)
        radio.want(scan: scan, at: now, into: &actions)
        succeed(.setRandomAddress(hidden))
        succeed(.setScanParameters(scan))
        succeed(.startScan(scan))
        actions = []
        radio.renew(privateAddress: next, at: now, into: &actions)
        #expect(taken() == [.command(.stopScan)])
        succeed(.stopScan)
        #expect(taken() == [.command(.setRandomAddress(next))])
        succeed(.setRandomAddress(next))
        #expect(taken() == [.command(.setScanParameters(scan))])
    }

    @Test mutating func aNewAddressLeavesAnInitiationAlone() {
        start(.zero)
        let parameters = connect(.private)
        succeed(.setRandomAddress(hidden))
        succeed(.createConnection(strap, parameters))
        actions = []
        radio.renew(privateAddress: next, at: now, into: &actions)
        #expect(taken() == [])
        #expect(radio.initiatedAs == DeviceAddress(.random, hidden))
    }

    private mutating func refuse(_ status: Status) -> HostError {
        let refusal = HostError.command(.refused(LESetRandomAddress.opcode, status))
        actions = []
        radio.answered(.setRandomAddress(hidden), refusal, at: now, into: &actions)
        return refusal
    }

    @Test mutating func withoutTheAddressThereIsNoScan() {
        start(.zero)
        radio.want(scan: scan, at: now, into: &actions)
        let refusal = refuse(.hardwareFailure)
        #expect(taken() == [.scanFailed(refusal)])
        #expect(radio.isIdle)
    }

    @Test mutating func withoutTheAddressThereIsNoConnection() {
        start(.zero)
        _ = connect(.private)
        let refusal = refuse(.hardwareFailure)
        #expect(taken() == [.connectFailed(first, refusal)])
    }

    /// A cancel was lost, and the controller still initiates: it is told again, and only then given up.
    @Test mutating func whatTheControllerIsStillAtIsCancelledOnce() {
        start(.zero)
        radio.want(scan: scan, at: now, into: &actions)
        _ = refuse(.commandDisallowed)
        #expect(taken() == [.command(.cancelConnection)])
        radio.connectionFailed(.unknownConnectionIdentifier, at: now, into: &actions)
        #expect(taken() == [.command(.setRandomAddress(hidden))])
        let refusal = refuse(.commandDisallowed)
        #expect(taken() == [.scanFailed(refusal)])
        // The next may try the same again.
        let parameters = connect(.private)
        _ = refuse(.commandDisallowed)
        #expect(taken() == [.command(.cancelConnection)])
        radio.connectionFailed(.unknownConnectionIdentifier, at: now, into: &actions)
        succeed(.setRandomAddress(hidden))
        #expect(taken().last == .command(.createConnection(strap, parameters)))
    }
}
