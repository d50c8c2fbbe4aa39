public import Wire

/// A length of time counted in units of its own, in two octets.
public protocol TimeUnits: AssignedNumber, Comparable where RawValue == UInt16 {
    /// The length of one unit.
    static var unit: Duration { get }
}

extension TimeUnits {
    /// The nearest number of units; saturates at 0 and 65,535.
    public init(_ duration: Duration) {
        let unit = Self.unit.wholeNanoseconds
        let (rounded, overflow) = duration.wholeNanoseconds.addingReportingOverflow(unit / 2)
        self.init(rawValue: overflow ? .max : UInt16(clamping: rounded / unit))
    }

    /// The time as such.
    public var duration: Duration { Self.unit * Int(rawValue) }

    /// The length in milliseconds.
    public var milliseconds: Double { Double(duration.wholeNanoseconds) / 1_000_000 }

    public var name: String? {
        var text: [UInt8] = []
        appendTime(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        writer.field(field) { writer in
            appendTime(to: &writer.octets)
            writer.octets.append(" (" as StaticString)
            appendHexadecimal(to: &writer.octets)
            writer.octets.append(UInt8(ascii: ")"))
        }
    }

    /// Appends the length with its unit: milliseconds, or seconds where one unit is a second or more.
    private func appendTime(to text: inout [UInt8]) {
        let isLong = Self.unit >= .seconds(1)
        let thousandths = Int(rawValue) * Int(Self.unit.wholeNanoseconds / 1000)
        text.append(thousandths: isLong ? thousandths / 1000 : thousandths)
        text.append(isLong ? " s" : " ms" as StaticString)
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A scan interval or scan window, in units of 0.625 ms (Core Vol 4, Part E, 7.8.10).
public struct ScanTime: TimeUnits {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static var unit: Duration { .microseconds(625) }
}

/// A connection interval, in units of 1.25 ms; 7.5 ms to 4 s are valid (Core Vol 4, Part E, 7.8.12).
public struct ConnectionInterval: TimeUnits {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static var unit: Duration { .microseconds(1250) }
}

/// How long a link may be silent before it counts as lost, in units of 10 ms; 100 ms to 32 s are valid (Core Vol 4, Part E, 7.8.12).
public struct SupervisionTimeout: TimeUnits {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static var unit: Duration { .milliseconds(10) }
}

/// A length of time in units of 0.625 ms, a slot of BR/EDR (Core Vol 2, Part B, 2.2).
struct Slots: TimeUnits {
    let rawValue: UInt16

    static var unit: Duration { .microseconds(625) }
}

/// The period of a scan, in units of 1.28 s (Core Vol 4, Part E, 7.8.65).
struct ScanPeriod: TimeUnits {
    let rawValue: UInt16

    static var unit: Duration { .milliseconds(1280) }
}

/// A length of time in seconds.
struct Seconds: TimeUnits {
    let rawValue: UInt16

    static var unit: Duration { .seconds(1) }
}
