public import Wire

/// What kind of device this is, and what it offers (Assigned Numbers, 2.8): 24 bits.
public struct ClassOfDevice: AssignedNumber {
    public let rawValue: UInt32

    public static var octetCount: Int { 3 }

    /// Keeps the low 24 bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

    /// The major class, with the minor one where it is known.
    public var name: String? {
        guard let major = Self.majors[major] else { return nil }
        return minorName.map { "\(major): \($0)" } ?? major
    }

    /// Bits 8 to 12.
    public var major: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) & 0x1F }

    /// Bits 2 to 7.
    public var minor: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 2) & 0x3F }

    /// What the device offers: bits 13 to 23.
    public var services: [String] {
        (13..<24).filter { rawValue >> UInt32($0) & 1 == 1 }.map { Self.services[$0] ?? "bit \($0)" }
    }

    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        writer.begin(field)
        writer.beginValue()
        appendHexadecimal(to: &writer.octets)
        writer.endValue()
        writer.openFields()
        writer.field("Major Device Class") { $0.octets.append(Self.majors[major] ?? "0x" + major.paddedHexadecimal) }
        writer.field("Minor Device Class") { $0.octets.append(minorName ?? "0x" + minor.paddedHexadecimal) }
        for service in services { writer.field(service) }
        writer.closeFields()
        writer.end()
    }

    private var minorName: String? {
        switch major {
        case 5: minor >> 4 == 0 ? Self.minors[major]?[minor] : Self.inputs[minor >> 4]
        case 6: Self.imaging.first { minor & $0.bit != 0 }?.name
        default: Self.minors[major]?[minor]
        }
    }

    private static let majors: [UInt8: String] = [
        0: "Miscellaneous", 1: "Computer", 2: "Phone", 3: "LAN / Network Access Point", 4: "Audio/Video",
        5: "Peripheral", 6: "Imaging", 7: "Wearable", 8: "Toy", 9: "Health", 31: "Uncategorized",
    ]

    private static let minors: [UInt8: [UInt8: String]] = [
        1: [
            1: "Desktop workstation", 2: "Server-class computer", 3: "Laptop", 4: "Handheld PC/PDA",
            5: "Palm-size PC/PDA", 6: "Wearable computer", 7: "Tablet",
        ],
        2: [1: "Cellular", 2: "Cordless", 3: "Smartphone", 4: "Wired modem or voice gateway", 5: "Common ISDN access"],
        4: [
            1: "Wearable headset", 2: "Hands-free", 4: "Microphone", 5: "Loudspeaker", 6: "Headphones",
            7: "Portable audio", 8: "Car audio", 9: "Set-top box", 10: "HiFi audio", 11: "VCR", 12: "Video camera",
            13: "Camcorder", 14: "Video monitor", 15: "Video display and loudspeaker", 16: "Video conferencing",
            18: "Gaming/toy",
        ],
        5: [
            1: "Joystick", 2: "Gamepad", 3: "Remote control", 4: "Sensing device", 5: "Digitizer tablet",
            6: "Card reader", 7: "Digital pen", 8: "Handheld scanner", 9: "Handheld gestural input device",
        ],
        7: [1: "Wristwatch", 2: "Pager", 3: "Jacket", 4: "Helmet", 5: "Glasses"],
        8: [1: "Robot", 2: "Vehicle", 3: "Doll/action figure", 4: "Controller", 5: "Game"],
        9: [
            1: "Blood pressure monitor", 2: "Thermometer", 3: "Weighing scale", 4: "Glucose meter", 5: "Pulse oximeter",
            6: "Heart/pulse rate monitor", 7: "Health data display", 8: "Step counter", 9: "Body composition analyzer",
            10: "Peak flow monitor", 11: "Medication monitor", 12: "Knee prosthesis", 13: "Ankle prosthesis",
        ],
    ]

    /// Peripherals by the two top bits of the minor class.
    private static let inputs: [UInt8: String] = [
        1: "Keyboard", 2: "Pointing device", 3: "Combo keyboard/pointing device",
    ]

    /// Imaging devices by bits of the minor class.
    private static let imaging: [(bit: UInt8, name: String)] = [
        (4, "Display"), (8, "Camera"), (16, "Scanner"), (32, "Printer"),
    ]

    private static let services: [Int: String] = [
        13: "Limited Discoverable Mode", 14: "LE Audio", 16: "Positioning", 17: "Networking", 18: "Rendering",
        19: "Capturing", 20: "Object Transfer", 21: "Audio", 22: "Telephony", 23: "Information",
    ]
}
