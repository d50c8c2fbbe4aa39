import ATT
import GATT
import Host
import Wire

/// Prints attributes: as JSON, or as a tree for people.
struct AttributePrinter: Sendable {
    let console: Console
    let isJSON: Bool

    // MARK: The whole database

    func print(_ database: Database, _ values: AttributeValues) throws(OutputError) {
        for service in database.services {
            if isJSON {
                try console.output.write { octets in
                    JSONWriter.line(to: &octets) { $0.service(service, values) }
                }
            } else {
                try printTree(service, values)
            }
        }
        for refusal in database.refusals {
            console.messages.warning("a part could not be discovered: \(Failure(refusal, peer: "the peer").message)")
        }
    }

    private func printTree(_ service: Service, _ values: AttributeValues) throws(OutputError) {
        let style = console.style
        let kind = service.isPrimary ? "" : "  secondary"
        try console.output.writeLine("\(style.bold("service \(service.uuid)"))  \(service.range)\(kind)")
        for include in service.includes {
            try console.output.writeLine("  includes \(include.uuid.map(\.description) ?? "?")  \(include.range)")
        }
        for characteristic in service.characteristics {
            let properties = style.faint(characteristic.properties.names.joined(separator: " "))
            let value = text(values[characteristic.valueHandle])
            try console.output.writeLine(
                "  \(characteristic.valueHandle)  \(characteristic.uuid)  \(properties)\(value)")
            for descriptor in characteristic.descriptors {
                try console.output.writeLine(
                    "    \(descriptor.handle)  \(descriptor.uuid)\(text(values[descriptor.handle], of: descriptor))")
            }
        }
    }

    private func text(_ content: AttributeValues.Content?, of descriptor: Descriptor? = nil) -> String {
        switch content {
        case .value(let value)? where descriptor?.meaning(of: value) != nil:
            "  = \(value.hexadecimal)  \(descriptor?.meaning(of: value) ?? "")"
        case .value(let value)?: "  = \(value.readable)"
        case .refused(let reason)?: "  (\(console.style.yellow(reason)))"
        case nil: ""
        }
    }

    // MARK: One value

    func print(value: [UInt8], of handle: Handle, uuid: BluetoothUUID?) throws(OutputError) {
        guard isJSON else { return try console.output.writeLine(value.readable) }
        try console.output.write { octets in
            JSONWriter.line(to: &octets) { $0.value(value, of: handle, uuid: uuid) }
        }
    }

    func print(
        _ delivery: Delivery<AttributeNotification>, of characteristic: NotifyingCharacteristic, of peer: Peer
    ) throws(OutputError) {
        switch delivery {
        case .gap(let count):
            console.messages.warning("\(count) values were missed: the reader of the output is too slow")
        case .value(let notification):
            let time = peer.central.civilTime(at: notification.moment)
            guard isJSON else {
                let stamp = console.style.faint(time.timeOfDay)
                return try console.output.writeLine("\(stamp)  \(notification.value.readable)")
            }
            try console.output.write { octets in
                JSONWriter.line(to: &octets) { writer in
                    writer.value(
                        notification.value, of: characteristic.valueHandle, uuid: characteristic.uuid, at: time)
                }
            }
        }
    }
}

extension JSONWriter {
    /// A service, with the values of its attributes where they were read.
    mutating func service(_ service: Service, _ values: AttributeValues? = nil) {
        event("service")
        key("uuid")
        string(service.uuid.description)
        key("handle")
        integer(service.range.first.rawValue)
        key("end_handle")
        integer(service.range.last.rawValue)
        key("primary")
        bool(service.isPrimary)
        key("includes")
        array { writer in for include in service.includes { writer.include(include) } }
        key("characteristics")
        array { writer in
            for characteristic in service.characteristics { writer.characteristic(characteristic, values) }
        }
    }

    private mutating func include(_ include: IncludedService) {
        object { writer in
            if let uuid = include.uuid {
                writer.key("uuid")
                writer.string(uuid.description)
            }
            writer.key("handle")
            writer.integer(include.range.first.rawValue)
            writer.key("end_handle")
            writer.integer(include.range.last.rawValue)
        }
    }

    private mutating func characteristic(_ characteristic: Characteristic, _ values: AttributeValues?) {
        object { writer in
            writer.key("uuid")
            writer.string(characteristic.uuid.description)
            writer.key("handle")
            writer.integer(characteristic.handle.rawValue)
            writer.key("value_handle")
            writer.integer(characteristic.valueHandle.rawValue)
            writer.key("properties")
            writer.array { writer in for name in characteristic.properties.names { writer.string(name) } }
            writer.content(values?[characteristic.valueHandle])
            writer.key("descriptors")
            writer.array { writer in
                for descriptor in characteristic.descriptors {
                    writer.object { writer in
                        writer.key("uuid")
                        writer.string(descriptor.uuid.description)
                        writer.key("handle")
                        writer.integer(descriptor.handle.rawValue)
                        writer.content(values?[descriptor.handle])
                    }
                }
            }
        }
    }

    private mutating func content(_ content: AttributeValues.Content?) {
        switch content {
        case .value(let value)?:
            key("value")
            hexadecimal(value)
        case .refused(let reason)?:
            key("error")
            string(reason)
        case nil: break
        }
    }

    fileprivate mutating func value(
        _ value: [UInt8], of handle: Handle, uuid: BluetoothUUID?, at time: Timestamp? = nil
    ) {
        event("value", at: time)
        if let uuid {
            key("uuid")
            string(uuid.description)
        }
        key("handle")
        integer(handle.rawValue)
        key("value")
        hexadecimal(value)
    }
}

extension [UInt8] {
    /// The octets in hexadecimal, and as text where that is what they are.
    fileprivate var readable: String {
        let isText = count > 1 && allSatisfy { (0x20...0x7E).contains($0) }
        return isText ? "\(hexadecimal)  \"\(String(decoding: self, as: UTF8.self))\"" : hexadecimal
    }
}
