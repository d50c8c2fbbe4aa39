import ATT
import GATT
import HCI
import Host
import Wire

extension AttributeAction {
    /// Does it, and prints what comes of it.
    ///
    /// - Returns: what is left to be followed
    func run(on peer: Peer, _ printer: AttributePrinter) async throws -> Subscription? {
        switch self {
        case .show:
            let database = try await peer.discover()
            let values = try await AttributeValues(reading: database, from: peer)
            try printer.print(database, values)
        case .read(let choices): try await read(choices, from: peer, printer)
        case .write(let choice, let value, let manner): try await write(value, to: choice, of: peer, manner)
        case .subscribe(let choice): return try await subscribe(to: choice, of: peer)
        }
        return nil
    }

    // MARK: Reading

    /// Reads neighbours that are given by their handles together, and each type by itself. The first refusal is the command's, once
    /// everything else is printed.
    private func read(_ choices: [Choice], from peer: Peer, _ printer: AttributePrinter) async throws {
        var failures: [any Error] = []
        for choice in choices.grouped {
            do {
                switch choice {
                case .handles(let handles): try await read(handles, from: peer, printer)
                case .uuid(let uuid): try await read(every: uuid, from: peer, printer)
                }
            } catch let error as HostError {
                guard case .peer = error else { throw error }
                failures.append(error)
            } catch let error as Failure {
                failures.append(error)
            }
        }
        if let first = failures.first { throw first }
    }

    private func read(_ handles: [Handle], from peer: Peer, _ printer: AttributePrinter) async throws {
        var failures: [GATTError] = []
        for (handle, content) in zip(handles, try await contents(of: handles, from: peer)) {
            switch content {
            case .success(let value): try printer.print(value: value, of: handle, uuid: nil)
            case .failure(let error): failures.append(error)
            }
        }
        if let first = failures.first { throw HostError.peer(first) }
    }

    private func read(every uuid: BluetoothUUID, from peer: Peer, _ printer: AttributePrinter) async throws {
        let entries = try await peer.read(every: uuid, raisesSecurity: true)
        if entries.isEmpty { throw Self.missing(.uuid(uuid)) }
        for entry in entries { try printer.print(value: entry.value, of: entry.handle, uuid: uuid) }
    }

    private func contents(of handles: [Handle], from peer: Peer) async throws -> [ReadEveryValue.Content] {
        if handles.count == 1, let handle = handles.first { return [.success(try await peer.read(handle))] }
        return try await peer.read(handles, raisesSecurity: true)
    }

    // MARK: Writing

    private func write(_ value: [UInt8], to choice: Choice, of peer: Peer, _ manner: Manner) async throws {
        let handle: Handle
        var offersNothingElse = false
        switch choice {
        case .handle(let chosen): handle = chosen
        case .uuid(let uuid):
            let characteristic = try await characteristic(uuid, of: peer)
            handle = characteristic.valueHandle
            offersNothingElse =
                characteristic.properties.intersection([.write, .writeWithoutResponse]) == .writeWithoutResponse
        }
        switch manner {
        case .asOffered where !offersNothingElse: try await peer.write(value, to: handle)
        case .asOffered, .withoutResponse: try await peer.writeWithoutResponse(value, to: handle)
        case .signed: try peer.writeSigned(value, to: handle)
        case .reliable: try await peer.writeReliably([WriteParts.Target(value, to: handle)])
        }
    }

    private func characteristic(_ uuid: BluetoothUUID, of peer: Peer) async throws -> Characteristic {
        let found = try await peer.discover().characteristics(uuid)
        guard let first = found.first else { throw Self.missing(.uuid(uuid)) }
        guard found.count == 1 else {
            throw Failure(
                .usage, "the peer has \(found.count) characteristics \(uuid)",
                remedy: "Name one by its handle: \(found.map { "\($0.valueHandle)" }.joined(separator: ", ")).")
        }
        return first
    }

    private static func missing(_ choice: Choice) -> Failure {
        Failure(
            .protocolError, "the peer has no characteristic \(choice.text)",
            remedy: "hr-raw gatt ADDRESS shows what it has.")
    }

    // MARK: Subscribing

    private func subscribe(to choice: Choice, of peer: Peer) async throws -> Subscription {
        try await peer.subscribe(to: try notifying(choice, in: peer.discover()))
    }

    private func notifying(_ choice: Choice, in database: Database) throws -> NotifyingCharacteristic {
        let characteristic =
            switch choice {
            case .uuid(let uuid): database.notifyingCharacteristic(uuid)
            case .handle(let handle): database.characteristic(at: handle)
            }
        guard let characteristic else {
            throw Self.missing(choice)
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

extension [AttributeAction.Choice] {
    /// What is read at a time.
    fileprivate enum Group {
        case handles([Handle])
        case uuid(BluetoothUUID)
    }

    fileprivate var grouped: [Group] {
        var groups: [Group] = []
        for choice in self {
            switch (choice, groups.last) {
            case (.uuid(let uuid), _): groups.append(.uuid(uuid))
            case (.handle(let handle), .handles(let handles)?): groups[groups.count - 1] = .handles(handles + [handle])
            case (.handle(let handle), _): groups.append(.handles([handle]))
            }
        }
        return groups
    }
}

extension Subscription {
    /// Prints what the characteristic sends until the limits, or the end of the connection.
    func follow(on peer: Peer, _ printer: AttributePrinter, _ limits: AttributeAction.Limits) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                for await delivery in notifications {
                    try printer.print(delivery, of: characteristic, of: peer)
                    if case .value = delivery { count += 1 }
                    if count == limits.count { return }
                }
                try Task.checkCancellation()
                if await peer.connection != nil { throw Self.changed }
                throw HostError.disconnected(await peer.ending ?? .unspecifiedError)
            }
            if let duration = limits.duration { group.addTask { try await peer.central.wait(duration) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static var changed: Failure {
        Failure(.protocolError, "the peer's attributes have changed", remedy: "Try again: they are found anew.")
    }
}

extension Database {
    /// All characteristics of that type, in whichever service.
    fileprivate func characteristics(_ uuid: BluetoothUUID) -> [Characteristic] {
        services.flatMap(\.characteristics).filter { $0.uuid == uuid }
    }

    /// The first characteristic of that type that sends its value, else the first.
    fileprivate func notifyingCharacteristic(_ uuid: BluetoothUUID) -> Characteristic? {
        let found = characteristics(uuid)
        return found.first { $0.properties.preferredConfiguration != nil } ?? found.first
    }
}
