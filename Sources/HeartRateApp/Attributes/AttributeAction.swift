import ATT
import GATT
import HCI
import Host
import Wire

/// What `gatt` does with a peer's attributes.
enum AttributeAction: Hashable, Sendable {
    case show
    case read(Choice)
    case write(Choice, [UInt8])
    case subscribe(Choice)

    /// Which attribute: by its type, the first one, or by its handle.
    enum Choice: Hashable, Sendable {
        case uuid(BluetoothUUID)
        case handle(Handle)
    }

    /// When a subscription ends by itself.
    struct Limits: Hashable, Sendable {
        var count: Int?
        var duration: Duration?
    }

    /// Reads the operands behind the address.
    init(_ operands: [String]) throws(UsageError) {
        guard let verb = operands.first else {
            self = .show
            return
        }
        let verbs = ["read", "write", "subscribe"]
        guard verbs.contains(verb) else {
            let nearest = verbs.nearest(to: verb).map { "; the nearest is '\($0)'" } ?? ""
            throw UsageError("'\(verb)' is nothing to do with an attribute\(nearest)", command: "gatt")
        }
        guard operands.count >= 2 else {
            throw UsageError("'\(verb)' needs an attribute: gatt ADDRESS \(verb) UUID|HANDLE", command: "gatt")
        }
        let choice = try Choice(operands[1])
        guard verb == "write" else {
            guard operands.count == 2 else {
                throw UsageError("'\(operands[2])' is one operand too many for '\(verb)'", command: "gatt")
            }
            self = verb == "read" ? .read(choice) : .subscribe(choice)
            return
        }
        guard operands.count == 3, let value = [UInt8](hexadecimal: operands[2]) else {
            throw UsageError(
                "'write' needs a value, two hexadecimal digits an octet: gatt ADDRESS write UUID|HANDLE HEX",
                command: "gatt")
        }
        self = .write(choice, value)
    }

    // MARK: Doing it

    func run(on peer: Peer, _ printer: AttributePrinter, _ limits: Limits) async throws {
        switch self {
        case .show:
            let database = try await peer.discover()
            let values = try await AttributeValues(reading: database, from: peer)
            try printer.print(database, values)
        case .read(.handle(let handle)):
            try printer.print(value: try await peer.read(handle), of: handle, uuid: nil)
        case .read(.uuid(let uuid)):
            let characteristic = try await characteristic(uuid, of: peer)
            let value = try await peer.read(characteristic.valueHandle)
            try printer.print(value: value, of: characteristic.valueHandle, uuid: uuid)
        case .write(.handle(let handle), let value):
            try await peer.write(value, to: handle)
        case .write(.uuid(let uuid), let value):
            let characteristic = try await characteristic(uuid, of: peer)
            if characteristic.properties.isDisjoint(with: [.write]),
                characteristic.properties.contains(.writeWithoutResponse)
            {
                try await peer.writeWithoutResponse(value, to: characteristic.valueHandle)
            } else {
                try await peer.write(value, to: characteristic.valueHandle)
            }
        case .subscribe(let choice):
            try await follow(choice, of: peer, printer, limits)
        }
    }

    private func characteristic(_ uuid: BluetoothUUID, of peer: Peer) async throws -> Characteristic {
        guard let found = try await peer.discover().characteristic(uuid) else {
            throw Failure(.protocolError, "the peer has no characteristic \(uuid)", remedy: Self.showAll)
        }
        return found
    }

    private static let showAll = "hr-raw gatt ADDRESS shows what it has."

    /// Prints what a characteristic sends until the limits, or the end of the connection.
    private func follow(_ choice: Choice, of peer: Peer, _ printer: AttributePrinter, _ limits: Limits) async throws {
        let characteristic = try await notifying(choice, in: peer.discover())
        let subscription = try await peer.subscribe(to: characteristic)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                for await delivery in subscription.notifications {
                    try printer.print(delivery, of: characteristic, of: peer)
                    if case .value = delivery { count += 1 }
                    if count == limits.count { return }
                }
                try Task.checkCancellation()
                throw HostError.disconnected(await peer.ending ?? .unspecifiedError)
            }
            if let duration = limits.duration { group.addTask { try await peer.central.wait(duration) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func notifying(_ choice: Choice, in database: Database) throws -> NotifyingCharacteristic {
        let characteristic =
            switch choice {
            case .uuid(let uuid): database.characteristic(uuid)
            case .handle(let handle): database.characteristic(at: handle)
            }
        guard let characteristic else {
            throw Failure(.protocolError, "the peer has no characteristic \(choice.text)", remedy: Self.showAll)
        }
        guard let configuration = characteristic.properties.preferredConfiguration else {
            throw HostError.peer(.cannotNotify(characteristic.uuid, characteristic.properties))
        }
        guard let descriptor = characteristic.descriptor(.clientCharacteristicConfiguration) else {
            throw HostError.peer(.configurationNotFound(characteristic.uuid, valueHandle: characteristic.valueHandle))
        }
        let service = database.services.first { $0.range.contains(characteristic.handle) }
        return NotifyingCharacteristic(
            service: service?.range ?? characteristic.range, uuid: characteristic.uuid,
            valueHandle: characteristic.valueHandle, properties: characteristic.properties,
            configurationHandle: descriptor.handle, configuration: configuration)
    }
}

extension AttributeAction.Choice {
    /// `2A37`, `0x0019`, `25`. Four and eight digits are a UUID: handles with so many begin with 0x.
    init(_ text: String) throws(UsageError) {
        if text.hasPrefix("0x"), text.count <= 6, let number = UInt16(text.dropFirst(2), radix: 16), number > 0 {
            self = .handle(Handle(number))
        } else if let uuid = BluetoothUUID(text) {
            self = .uuid(uuid)
        } else if let number = UInt16(text), number > 0 {
            self = .handle(Handle(number))
        } else {
            throw UsageError(
                "'\(text)' is neither a UUID, as 2A37, nor a handle, as 0x0019 or 25", command: "gatt")
        }
    }

    var text: String {
        switch self {
        case .uuid(let uuid): "\(uuid)"
        case .handle(let handle): "at handle \(handle)"
        }
    }
}
