import HCITransport
import Wire

/// `hr-raw adapters`: lists the Bluetooth adapters of this machine and what stands in the way of using each.
struct AdaptersCommand: Command {
    static let description = CommandDescription(
        "adapters", summary: "List the Bluetooth adapters, and what stands in the way of using each",
        options: [.restore, .follow],
        discussion: """
            An adapter that a killed run left down is shown as such; --restore puts it up again.
            """,
        examples: ["hr-raw adapters", "sudo hr-raw adapters --restore"])

    private let restores: Bool
    private let staysOn: Bool
    private let isJSON: Bool

    var follows: Bool { staysOn }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        restores = arguments.has(.restore)
        staysOn = arguments.has(.follow)
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        do {
            if restores { try restore(console) }
            if staysOn {
                _ = try await Interruption.untilRequested { try await follow(console) }
            } else {
                let adapters = try Adapters.list()
                try show(adapters, console)
                if adapters.isEmpty { throw TransportError.noAdapter }
            }
        } catch let error as TransportError {
            throw Failure(error)
        }
    }

    private func restore(_ console: Console) throws {
        for restoration in try Adapters.pendingRestorations() {
            try Adapters.restore(restoration)
            console.messages.note("hci\(restoration.index) is up again")
        }
    }

    private func follow(_ console: Console) async throws {
        for try await adapters in try Adapters.changes(on: EventLoop()) {
            try show(adapters, console)
            if adapters.isEmpty { console.messages.note("no adapter") }
        }
    }

    private func show(_ adapters: [Adapter], _ console: Console) throws(OutputError) {
        for adapter in adapters {
            if isJSON {
                try console.output.write { octets in JSONWriter.line(to: &octets) { $0.adapter(adapter) } }
            } else {
                try show(adapter, console)
            }
        }
    }

    private func show(_ adapter: Adapter, _ console: Console) throws(OutputError) {
        let style = console.style
        let address = adapter.address?.description ?? "no address yet"
        let state = adapter.state.isUsable ? style.green(adapter.state.text) : style.yellow(adapter.state.text)
        try console.output.writeLine("\(style.bold(adapter.name))  \(address)  \(adapter.bus)  \(state)")
        for obstacle in adapter.obstacles {
            try console.output.writeLine("      \(obstacle.text)\(obstacle.remedy.map { ": \($0.text)" } ?? "")")
        }
        if let restoration = adapter.restoration {
            try console.output.writeLine(
                "      left down by \(restoration.holder.program) (process \(restoration.holder.process)), which was killed: "
                    + "sudo hr-raw adapters --restore")
        }
        if adapter.isManaged, adapter.state.isUsable {
            try console.output.writeLine("      bluetoothd loses it while hr-raw uses it")
        }
    }
}

extension AdapterState {
    /// The state's name in JSON, and the first word of its text.
    fileprivate var name: String {
        switch self {
        case .absent: "absent"
        case .unsupported: "unsupported"
        case .unauthorized: "unauthorized"
        case .blocked: "blocked"
        case .busy: "busy"
        case .off: "off"
        case .on: "on"
        }
    }

    fileprivate var text: String {
        switch self {
        case .absent: "absent"
        case .unsupported: "unsupported: no Bluetooth LE"
        case .unauthorized: "unauthorized: CAP_NET_ADMIN is missing"
        case .blocked(.soft): "blocked by rfkill"
        case .blocked(.hard): "blocked by a switch of this machine"
        case .busy(.settingUp): "busy: being set up"
        case .busy(.holder(let holder?)): "busy: in use by \(holder.program) (process \(holder.process))"
        case .busy(.holder(nil)): "busy: in use by another program"
        case .busy(.connections(let peers)):
            "busy: carries other programs' connections (\(peers.map(\.description).joined(separator: ", ")))"
        case .off: "off"
        case .on: "on"
        }
    }
}

extension AdapterState.Remedy {
    fileprivate var text: String {
        switch self {
        case .plugIn: "plug an adapter in"
        case .useAnother: "use another adapter"
        case .grantPermission: "use sudo, or once: sudo setcap cap_net_admin,cap_net_raw+ep $(command -v hr-raw)"
        case .unblock: "rfkill unblock bluetooth"
        case .moveSwitch: "move the switch, or press the key"
        case .wait: "wait a moment"
        case .endProgram: "end that program"
        case .takeOver: "--take-over uses it all the same, and ends them"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func adapter(_ adapter: Adapter) {
        event("adapter")
        key("name")
        string(adapter.name)
        if let address = adapter.address {
            key("address")
            self.address(address)
        }
        key("bus")
        string(adapter.bus.description)
        key("up")
        bool(adapter.isUp)
        key("state")
        string(adapter.state.name)
        if !adapter.connections.isEmpty {
            key("connections")
            array { writer in for peer in adapter.connections { writer.address(peer) } }
        }
        if let holder = adapter.holder {
            key("holder")
            string(holder.program)
            key("holder_pid")
            integer(holder.process)
        }
        if let remedy = adapter.state.remedy {
            key("remedy")
            string(remedy.text)
        }
    }
}

extension Option {
    fileprivate static let restore = Option("restore", help: "put adapters up again that a killed run left down")
    fileprivate static let follow = Option("follow", help: "go on, and list them again whenever something changes")
}
