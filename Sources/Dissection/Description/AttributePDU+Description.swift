import ATT
import GATT
import HeartRate
import Wire

extension AttributePDU {
    /// Writes the PDU's fields, its lists taken apart.
    func describe(
        _ pdu: ArraySlice<UInt8>, _ measurement: HeartRateMeasurement?, to writer: inout FieldWriter,
        _ names: NameMemory
    ) {
        writer.begin("ATT")
        writer.beginValue()
        writer.octets.append(opcode.description)
        writer.octets.append(" (" as StaticString)
        opcode.appendHexadecimal(to: &writer.octets)
        writer.octets.append(UInt8(ascii: ")"))
        writer.endValue()
        writer.openFields()
        if opcode.isFromClient {
            Self.describeRequest([UInt8](pdu), to: &writer)
        } else {
            Self.describeResponse([UInt8](pdu), to: &writer, names)
        }
        describeAttribute(to: &writer, names)
        measurement?.describe(to: &writer)
        writer.closeFields()
        writer.end()
    }

    /// What the PDUs before this one tell about the attribute.
    private func describeAttribute(to writer: inout FieldWriter, _ names: NameMemory) {
        if let subject = handle ?? requested, let attributeType {
            writer.field("Attribute") { writer in
                subject.appendHexadecimal(to: &writer.octets)
                writer.octets.append(UInt8(ascii: " "))
                names.append(attributeType: attributeType, to: &writer)
            }
        }
        if let configured {
            writer.field("Of characteristic") { names.append(attributeType: configured, to: &$0) }
        }
    }

    private static func describeRequest(_ pdu: [UInt8], to writer: inout FieldWriter) {
        guard let request = try? ClientPDU(decoding: pdu) else { return describeUndecoded(pdu, to: &writer) }
        request.describe(to: &writer)
    }

    private static func describeResponse(_ pdu: [UInt8], to writer: inout FieldWriter, _ names: NameMemory) {
        guard let response = try? ServerPDU(decoding: pdu) else { return describeUndecoded(pdu, to: &writer) }
        response.describe(to: &writer)
        describeEntries(of: response, to: &writer, names)
    }

    private static func describeUndecoded(_ pdu: [UInt8], to writer: inout FieldWriter) {
        writer.field("Parameters") { $0.octets.append(lowerHexadecimal: pdu.dropFirst()) }
    }

    /// What the lists in responses hold.
    private static func describeEntries(of response: ServerPDU, to writer: inout FieldWriter, _ names: NameMemory) {
        switch response {
        case .findInformation(let response):
            for entry in (try? response.entries()) ?? [] {
                writer.field(
                    { $0.octets.append(entry.handle.description) },
                    { names.append(attributeType: entry.type, to: &$0) })
            }
        case .findByTypeValue(let response):
            for group in (try? response.groups()) ?? [] {
                writer.field("Group") { $0.octets.append(group.description) }
            }
        case .readByGroupType(let response):
            for entry in (try? response.entries()) ?? [] {
                writer.begin { $0.octets.append(entry.range.description) }
                writer.beginValue()
                if let uuid = BluetoothUUID(littleEndian: entry.value.span) {
                    names.append(service: uuid, to: &writer)
                } else {
                    writer.octets.append(lowerHexadecimal: entry.value)
                }
                writer.endValue()
                writer.end()
            }
        case .readByType(let response):
            for entry in (try? response.entries()) ?? [] {
                writer.field(
                    { $0.octets.append(entry.handle.description) },
                    { $0.octets.append(lowerHexadecimal: entry.value) })
            }
        default: break
        }
    }
}

extension HeartRateMeasurement {
    fileprivate func describe(to writer: inout FieldWriter) {
        writer.group("Heart Rate Measurement") { writer in
            writer.field("Heart Rate") { writer in
                guard let beatsPerMinute else { return writer.octets.append("none" as StaticString) }
                writer.octets.append(decimal: beatsPerMinute)
                writer.octets.append(" bpm" as StaticString)
            }
            writer.field("Sensor Contact") { writer in
                switch contact {
                case true: writer.octets.append("detected" as StaticString)
                case false: writer.octets.append("not detected" as StaticString)
                case nil: writer.octets.append("not supported" as StaticString)
                }
            }
            if let energyExpended {
                writer.field("Energy Expended") { writer in
                    writer.octets.append(decimal: energyExpended)
                    writer.octets.append(" kJ" as StaticString)
                }
            }
            for interval in intervals {
                writer.field("RR-Interval") { writer in
                    writer.octets.append(thousandths: interval.microseconds)
                    writer.octets.append(" ms (" as StaticString)
                    writer.octets.append(decimal: interval.ticks)
                    writer.octets.append(UInt8(ascii: ")"))
                }
            }
            if let malformed { writer.field("Malformed") { $0.append(malformed) } }
        }
    }
}
