import ATT
import GATT
import HeartRate
import Wire

extension AttributePDU {
    /// The PDU's fields, its lists taken apart.
    func described(
        _ pdu: ArraySlice<UInt8>, _ measurement: HeartRateMeasurement?, _ names: inout NameMemory
    ) -> DescribedField {
        var fields = opcode.isFromClient ? Self.clientFields(pdu) : Self.serverFields(pdu, &names)
        if let subject = handle ?? requested, let attributeType {
            fields.append(
                DescribedField(name: "Attribute", text: "\(subject) \(names.text(attributeType: attributeType))"))
        }
        if let configured {
            fields.append(DescribedField(name: "Of characteristic", text: names.text(attributeType: configured)))
        }
        if let measurement { fields.append(measurement.described) }
        return DescribedField(name: "ATT", text: "\(opcode) (\(opcode.hexadecimal))", children: fields)
    }

    private static func clientFields(_ pdu: ArraySlice<UInt8>) -> [DescribedField] {
        (try? ClientPDU(decoding: [UInt8](pdu)).described) ?? undecoded(pdu)
    }

    private static func serverFields(_ pdu: ArraySlice<UInt8>, _ names: inout NameMemory) -> [DescribedField] {
        guard let response = try? ServerPDU(decoding: [UInt8](pdu)) else { return undecoded(pdu) }
        return response.described + entries(of: response, &names)
    }

    private static func undecoded(_ pdu: ArraySlice<UInt8>) -> [DescribedField] {
        [DescribedField(name: "Parameters", text: pdu.dropFirst().hexadecimal)]
    }

    /// What the lists in responses hold.
    private static func entries(of response: ServerPDU, _ names: inout NameMemory) -> [DescribedField] {
        switch response {
        case .findInformation(let response):
            ((try? response.entries()) ?? []).map {
                DescribedField(name: $0.handle.description, text: names.text(attributeType: $0.type))
            }
        case .findByTypeValue(let response):
            ((try? response.groups()) ?? []).map { DescribedField(name: "Group", text: $0.description) }
        case .readByGroupType(let response):
            ((try? response.entries()) ?? []).map { entry in
                let uuid = BluetoothUUID(littleEndian: entry.value.span)
                return DescribedField(
                    name: entry.range.description, text: uuid.map { names.text(service: $0) } ?? entry.value.hexadecimal
                )
            }
        case .readByType(let response):
            ((try? response.entries()) ?? []).map {
                DescribedField(name: $0.handle.description, text: $0.value.hexadecimal)
            }
        default: []
        }
    }
}

extension HeartRateMeasurement {
    fileprivate var described: DescribedField {
        var fields = [DescribedField(name: "Heart Rate", text: beatsPerMinute.map { "\($0) bpm" } ?? "none")]
        let contactText = contact.map { $0 ? "detected" : "not detected" } ?? "not supported"
        fields.append(DescribedField(name: "Sensor Contact", text: contactText))
        if let energyExpended { fields.append(DescribedField(name: "Energy Expended", text: "\(energyExpended) kJ")) }
        for interval in intervals {
            fields.append(DescribedField(name: "RR-Interval", text: "\(interval) ms (\(interval.ticks))"))
        }
        if let malformed { fields.append(DescribedField(name: "Malformed", text: malformed)) }
        return DescribedField(name: "Heart Rate Measurement", text: "", children: fields)
    }
}
