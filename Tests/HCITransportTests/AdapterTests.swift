import Glibc
import Testing
import Wire

@testable import HCITransport

@Suite struct AdapterTests {
    private let peer = Address(rawValue: 0xF0F1_F2F3_F401)
    private let holder = AdapterHolder(program: "hr-raw", process: 42)

    private func adapter(_ index: UInt16 = 0, _ change: (inout Adapter) -> Void = { _ in }) -> Adapter {
        var adapter = Adapter(
            index: index, address: Address(rawValue: 0xAABB_CCDD_EE00 + UInt64(index)), bus: Adapter.Bus(rawValue: 1),
            isUp: false, isHeld: false, supportsLowEnergy: true, isPermitted: true)
        change(&adapter)
        return adapter
    }

    // MARK: The state

    @Test func aFreeAdapterIsOffOrOn() {
        #expect(adapter().state == .off)
        #expect(adapter { $0.isUp = true }.state == .on)
        #expect(adapter().state.isUsable)
        #expect(adapter().state.remedy == nil)
    }

    @Test func eachObstacleHasAStateAndARemedy() {
        let cases: [((inout Adapter) -> Void, AdapterState, AdapterState.Remedy)] = [
            ({ $0.supportsLowEnergy = false }, .unsupported, .useAnother),
            ({ $0.isPermitted = false }, .unauthorized, .grantPermission),
            ({ $0.block = .soft }, .blocked(.soft), .unblock),
            ({ $0.block = .hard }, .blocked(.hard), .moveSwitch),
            ({ $0.isHeld = true }, .busy(.holder(nil)), .endProgram(nil)),
            ({ $0.holder = holder }, .busy(.holder(holder)), .endProgram(holder)),
            ({ $0.isSettingUp = true }, .busy(.settingUp), .wait),
            ({ $0.connections = [peer] }, .busy(.connections([peer])), .takeOver([peer])),
        ]
        for (change, state, remedy) in cases {
            let adapter = adapter(0, change)
            #expect(adapter.state == state)
            #expect(adapter.obstacles == [state])
            #expect(!state.isUsable)
            #expect(state.remedy == remedy)
        }
    }

    @Test func theHardestObstacleComesFirst() {
        let adapter = adapter {
            $0.connections = [peer]
            $0.isHeld = true
            $0.block = .soft
            $0.isPermitted = false
            $0.supportsLowEnergy = false
        }
        #expect(
            adapter.obstacles == [
                .unsupported, .unauthorized, .blocked(.soft), .busy(.holder(nil)), .busy(.connections([peer])),
            ])
    }

    @Test func whatTheKernelDoesNotTellIsNoObstacle() {
        let adapter = adapter {
            $0.supportsLowEnergy = nil
            $0.isHeld = nil
            $0.address = nil
        }
        #expect(adapter.obstacles.isEmpty)
    }

    @Test func everyBusHasAName() {
        #expect(Adapter.Bus(rawValue: 1).description == "USB")
        #expect(Adapter.Bus(rawValue: 3).description == "UART")
        for number in UInt8.min...UInt8.max { #expect(!Adapter.Bus(rawValue: number).description.isEmpty) }
    }

    // MARK: The choice

    @Test func theFirstFreeAdapterIsChosen() throws {
        let adapters = [
            adapter(0) { $0.connections = [peer] }, adapter(1) { $0.isSettingUp = true }, adapter(2), adapter(3),
        ]
        #expect(try AdapterSelector.firstUsable.choose(from: adapters, takeOver: false).index == 2)
        #expect(try AdapterSelector.firstUsable.choose(from: adapters, takeOver: true).index == 2)
    }

    @Test func oneThatIsBeingSetUpIsWorthAWait() throws {
        let adapters = [adapter(0) { $0.block = .soft }, adapter(1) { $0.isSettingUp = true }]
        #expect(try AdapterSelector.firstUsable.choose(from: adapters, takeOver: false).index == 1)
    }

    @Test func liveConnectionsAreCutOnlyWhenAsked() throws {
        let adapters = [adapter(0) { $0.connections = [peer] }]
        #expect(throws: TransportError.liveConnections(adapter: 0, peers: [peer])) {
            try AdapterSelector.firstUsable.choose(from: adapters, takeOver: false)
        }
        #expect(try AdapterSelector.firstUsable.choose(from: adapters, takeOver: true).index == 0)
    }

    @Test func anAdapterIsFoundByItsAddressUnderAnyIndex() throws {
        let adapters = [adapter(0), adapter(5)]
        let address = Address(rawValue: 0xAABB_CCDD_EE05)
        #expect(try AdapterSelector.address(address).choose(from: adapters, takeOver: false).index == 5)
    }

    @Test func whoeverIsNotThereIsNamed() {
        #expect(throws: TransportError.noAdapter) { try AdapterSelector.firstUsable.choose(from: [], takeOver: false) }
        #expect(throws: TransportError.noSuchAdapter(.index(3))) {
            try AdapterSelector.index(3).choose(from: [adapter(0)], takeOver: false)
        }
    }

    @Test func eachRefusalIsItsOwnError() {
        let cases: [((inout Adapter) -> Void, TransportError)] = [
            ({ $0.supportsLowEnergy = false }, .lacksLowEnergy(adapter: 0)),
            ({ $0.isPermitted = false }, .notPermitted(operation: "open the user channel of hci0")),
            ({ $0.block = .soft }, .blocked(adapter: 0, hard: false)),
            ({ $0.block = .hard }, .blocked(adapter: 0, hard: true)),
            ({ $0.isHeld = true }, .held(adapter: 0, by: nil)),
            ({ $0.holder = holder }, .held(adapter: 0, by: holder)),
        ]
        for (change, error) in cases {
            #expect(throws: error) { try AdapterSelector.index(0).choose(from: [adapter(0, change)], takeOver: true) }
        }
    }

    @Test func eachErrorNumberIsItsOwnError() {
        let adapter = adapter(2) { $0.block = .hard }
        let cases: [(Int32, TransportError)] = [
            (EPERM, .notPermitted(operation: "bind")), (EACCES, .notPermitted(operation: "bind")),
            (EBUSY, .busy(adapter: 2)), (ERFKILL, .blocked(adapter: 2, hard: true)),
            (ENODEV, .noSuchAdapter(.index(2))), (ENETDOWN, .down(adapter: 2)), (EUSERS, .held(adapter: 2, by: nil)),
            (EBADFD, .wrongChannel(operation: "bind")), (EAFNOSUPPORT, .noBluetooth),
            (ETIMEDOUT, .doesNotStart(adapter: 2, errno: ETIMEDOUT)),
            (EINVAL, .system(errno: EINVAL, operation: "bind")),
        ]
        for (number, error) in cases {
            #expect(TransportError(adapter: adapter, errno: number, operation: "bind") == error)
        }
    }

    // MARK: The facts

    @Test func rfkillIsReadFromSysfs() throws {
        let folder = try TemporaryFolder()
        let inventory = AdapterInventory(root: folder.path, leaseFolders: [])
        #expect(inventory.block("hci0") == nil)
        for (entry, name, soft, hard) in [
            ("rfkill0", "phy0", "1", "1"), ("rfkill1", "hci0", "0", "0"), ("rfkill2", "hci1", "1", "0"),
            ("rfkill3", "hci2", "1", "1"),
        ] {
            try folder.write(name + "\n", to: "sys/class/rfkill/\(entry)/name")
            try folder.write(soft + "\n", to: "sys/class/rfkill/\(entry)/soft")
            try folder.write(hard + "\n", to: "sys/class/rfkill/\(entry)/hard")
        }
        #expect(inventory.block("hci0") == nil)
        #expect(inventory.block("hci1") == .soft)
        #expect(inventory.block("hci2") == .hard)
        #expect(inventory.block("hci3") == nil)
    }

    @Test func bluetoothdIsFoundAmongTheProcesses() throws {
        let folder = try TemporaryFolder()
        let inventory = AdapterInventory(root: folder.path, leaseFolders: [])
        try folder.write("bluetoothd-helper\n", to: "proc/12/comm")
        try folder.write("bluetoothd\n", to: "proc/self/comm")
        #expect(!inventory.isBluetoothDaemonRunning)
        try folder.write("bluetoothd\n", to: "proc/431/comm")
        #expect(inventory.isBluetoothDaemonRunning)
    }
}
