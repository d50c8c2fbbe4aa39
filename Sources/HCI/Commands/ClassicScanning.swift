// How a BR/EDR device looks for others, and lets itself be found and connected to.

public import Wire

/// What a BR/EDR device listens for (Core Vol 4, Part E, 7.3.18).
public struct ScanEnable: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "No scans"
        case 1: "Inquiry scan"
        case 2: "Page scan"
        case 3: "Inquiry scan and page scan"
        default: nil
        }
    }
}

/// How a BR/EDR device listens (Core Vol 4, Part E, 7.3.48 and 7.3.52).
public struct ClassicScanType: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "Standard scan"
        case 1: "Interlaced scan"
        default: nil
        }
    }
}

/// In which event inquiry results come (Core Vol 4, Part E, 7.3.50).
public struct InquiryMode: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "Standard inquiry result"
        case 1: "Inquiry result with RSSI"
        case 2: "Inquiry result with RSSI or extended inquiry result"
        default: nil
        }
    }
}

/// The lower address part that an inquiry calls (Core Vol 3, Part C, 5.2.2; Assigned Numbers, 2.2).
public struct InquiryAccessCode: AssignedNumber {
    public let rawValue: UInt32

    public static var octetCount: Int { 3 }

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0x9E8B00: "Limited Inquiry"
        case 0x9E8B33: "General Inquiry"
        default: nil
        }
    }
}

/// How long to page somebody (Core Vol 4, Part E, 7.3.16).
public struct WritePageTimeout: Command {
    public static let opcode = Opcode(rawValue: 0x0C18)

    /// Units of 0.625 ms.
    public var timeout: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.time("Page_Timeout", &timeout, in: Slots.self)
    }
}

/// Whether others find this device and connect to it (Core Vol 4, Part E, 7.3.18).
public struct WriteScanEnable: Command {
    public static let opcode = Opcode(rawValue: 0x0C1A)

    public var scans = ScanEnable(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Scan_Enable", &scans)
    }
}

/// How often to listen for inquiries (Core Vol 4, Part E, 7.3.22).
public struct WriteInquiryScanActivity: Command {
    public static let opcode = Opcode(rawValue: 0x0C1E)

    public var interval = ScanTime(rawValue: 0)
    public var window = ScanTime(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Inquiry_Scan_Interval", &interval)
        try pass.number("Inquiry_Scan_Window", &window)
    }
}

/// Which inquiries to answer (Core Vol 4, Part E, 7.3.45).
public struct WriteCurrentIACLAP: Command {
    public static let opcode = Opcode(rawValue: 0x0C3A)

    public var codes: [Code] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt8(clamping: codes.count)
        try pass.uint8("Num_Current_IAC", &count)
        try pass.list("IAC", &codes, count: Int(count))
    }

    /// One inquiry access code.
    public struct Code: Fielded, Hashable {
        public var lap = InquiryAccessCode(rawValue: 0)

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("IAC_LAP", &lap)
        }
    }
}

/// How to listen for inquiries (Core Vol 4, Part E, 7.3.48).
public struct WriteInquiryScanType: Command {
    public static let opcode = Opcode(rawValue: 0x0C43)

    public var type = ClassicScanType(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Scan_Type", &type)
    }
}

/// In which event inquiry results come (Core Vol 4, Part E, 7.3.50).
public struct WriteInquiryMode: Command {
    public static let opcode = Opcode(rawValue: 0x0C45)

    public var mode = InquiryMode(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Inquiry_Mode", &mode)
    }
}

/// How to listen for pages (Core Vol 4, Part E, 7.3.52).
public struct WritePageScanType: Command {
    public static let opcode = Opcode(rawValue: 0x0C47)

    public var type = ClassicScanType(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Page_Scan_Type", &type)
    }
}
