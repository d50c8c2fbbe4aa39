import ATT
import GATT
import HeartRate
import Wire

/// How a strap's heart-rate service is built: all ways that the specification allows, and some that it does not.
public enum HeartRateLayout: Hashable, Sendable {
    case usual
    /// A second service of the type before it, in which the measurement can be read and not notified.
    case behindAnother
    /// The service twice, the same both times; the first one measures.
    case twice
    /// The descriptor that switches notifications on stands behind others, one of them of the maker's own type.
    case describedAtLength
    /// Thirty characteristics of the maker's own before the measurement: several pages, in both widths of UUID.
    case behindThirtyOthers
    /// The service takes up the last handles of all.
    case atTheLastHandles
    /// The service stands far behind all others, with handles between that do not exist.
    case farBehind
    /// The measurement is indicated.
    case indicated
    /// The measurement can be notified and indicated.
    case notifiedOrIndicated
    /// The service has a declaration and nothing else.
    case empty
    /// 2A37 lacks the descriptor that switches notifications on.
    case withoutConfiguration
    /// 2A37 can be read and nothing else.
    case readOnly
    /// There is no 2A37.
    case withoutMeasurement
}

extension HeartRateLayout {
    /// The service, or the services, as the layout has them.
    func services(of plan: StrapPlan) -> [ServiceDefinition] {
        let rest = Self.rest(of: plan)
        let measurement = self.measurement(of: plan)
        switch self {
        case .usual, .describedAtLength, .indicated, .notifiedOrIndicated, .withoutConfiguration, .readOnly:
            return [ServiceDefinition(.heartRate, measurement + rest)]
        case .farBehind:
            return [ServiceDefinition(.heartRate, at: 0x1000, measurement + rest)]
        case .empty:
            return [ServiceDefinition(.heartRate)]
        case .withoutMeasurement:
            return [ServiceDefinition(.heartRate, rest)]
        case .behindAnother:
            let another = CharacteristicDefinition(.heartRateMeasurement, .read, value: [0x00, 0x00])
            return [ServiceDefinition(.heartRate, [another]), ServiceDefinition(.heartRate, measurement + rest)]
        case .twice:
            return Array(repeating: ServiceDefinition(.heartRate, measurement + rest), count: 2)
        case .behindThirtyOthers:
            let others = (0..<30).map { CharacteristicDefinition(Self.own(number: $0), .read) }
            return [ServiceDefinition(.heartRate, others + measurement + rest)]
        case .atTheLastHandles:
            // The declaration, three attributes of the measurement, two of each other characteristic.
            let count = 4 + 2 * UInt16(rest.count)
            return [ServiceDefinition(.heartRate, at: Handle(UInt16.max - count + 1), measurement + rest)]
        }
    }

    private func measurement(of plan: StrapPlan) -> [CharacteristicDefinition] {
        var measurement = CharacteristicDefinition(
            .heartRateMeasurement, .notify,
            configuration: .some(
                plan.refusesSubscription.map(Access.refused) ?? plan.security?.measurement?.access ?? .open))
        switch self {
        case .indicated: measurement.properties = .indicate
        case .notifiedOrIndicated: measurement.properties = [.notify, .indicate]
        case .withoutConfiguration: measurement.configuration = nil
        case .readOnly:
            measurement = CharacteristicDefinition(.heartRateMeasurement, .read, value: [0x00, 0x48])
        case .describedAtLength:
            measurement.configurationComesLast = true
            measurement.descriptors = [
                .init(.characteristicUserDescription, value: Array("Heart rate".utf8)),
                .init(Self.own(number: 98), value: [0x01]),
                .init(.characteristicPresentationFormat, value: [0x04, 0x00, 0xAF, 0x27, 0x01, 0x00, 0x00]),
            ]
        default: break
        }
        return [measurement]
    }

    /// All but the measurement.
    private static func rest(of plan: StrapPlan) -> [CharacteristicDefinition] {
        var rest: [CharacteristicDefinition] = []
        if plan.offers.contains(.location) {
            rest.append(.init(.bodySensorLocation, .read, value: [BodySensorLocation.chest.rawValue]))
        }
        if plan.offers.contains(.controlPoint) {
            rest.append(.init(.heartRateControlPoint, .write, asksOwner: true, longestValue: 1))
        }
        return rest
    }

    /// A type of the maker's own, of 128 bits or, every third, of 16.
    private static func own(number: UInt16) -> BluetoothUUID {
        number.isMultiple(of: 3)
            ? BluetoothUUID(0xFE00 + number)
            : BluetoothUUID(high: 0xFB00_5C80_02E7_F387 + UInt64(number) << 32, low: 0x1CAD_8ACD_2D8D_F0C8)
    }
}
