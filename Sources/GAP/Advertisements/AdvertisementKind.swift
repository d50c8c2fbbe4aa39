public import HCI

/// What an advertisement was on air, whichever kind of report told of it.
public struct AdvertisementKind: Hashable, Sendable {
    private let pdu: PDU

    /// Whether the sender can be connected to; `nil` where the report does not say, as for a legacy scan response.
    public let isConnectable: Bool?

    private enum PDU: Hashable {
        case legacy(AdvertisingKind)
        /// A legacy PDU with properties that none has.
        case unknownLegacy
        case extended(isScanResponse: Bool)
    }

    /// From a legacy report (Core Vol 4, Part E, 7.7.65.2).
    public init(_ kind: AdvertisingKind) {
        pdu = .legacy(kind)
        isConnectable =
            switch kind {
            case .connectable, .directed: true
            case .scannable, .nonConnectable: false
            default: nil
            }
    }

    /// From an extended report (Core Vol 4, Part E, 7.7.65.13).
    public init(_ kind: ExtendedAdvertisingKind) {
        pdu =
            if let legacy = kind.legacyKind {
                .legacy(legacy)
            } else if kind.contains(.legacy) {
                .unknownLegacy
            } else {
                .extended(isScanResponse: kind.contains(.scanResponse))
            }
        isConnectable = kind.contains(.connectable)
    }

    /// Whether it was the answer to a scan request.
    public var isScanResponse: Bool {
        switch pdu {
        case .legacy(let kind): kind == .scanResponse
        case .unknownLegacy: false
        case .extended(let isScanResponse): isScanResponse
        }
    }

    /// The PDU's name, `AUX` for every extended one; `nil` for a reserved kind.
    public var name: String? {
        switch pdu {
        case .legacy(let kind): kind.name
        case .unknownLegacy: nil
        case .extended: "AUX"
        }
    }
}
