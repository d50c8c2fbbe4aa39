import HCI
import Wire

extension HostController {
    /// An advertisement reaches the antenna.
    mutating func hear(_ advertisement: Advertisement, at now: Moment, into effects: inout [ControllerEffect]) {
        if let initiation = settings.initiation, initiation.window.isOpen(at: now), advertisement.isConnectable,
            isWanted(advertisement.sender, by: initiation)
        {
            establish(initiation, with: advertisement, at: now, into: &effects)
        } else if let scanning = settings.scanning, scanning.window.isOpen(at: now),
            !scanning.settings.filterPolicy.usesFilterAcceptList
                || settings.filterAcceptList.contains(advertisement.sender)
        {
            report(advertisement, scanning, at: now, into: &effects)
        }
    }

    private func isWanted(_ sender: DeviceAddress, by initiation: Initiation) -> Bool {
        initiation.target.map { $0 == sender } ?? settings.filterAcceptList.contains(sender)
    }

    private mutating func report(
        _ advertisement: Advertisement, _ scanning: Scanning, at now: Moment, into effects: inout [ControllerEffect]
    ) {
        guard advertisement.form != .extended else {
            if scanning.isExtended { reportInPieces(advertisement, at: now, into: &effects) }
            return
        }
        var parts: [AdvertisementPart] = []
        if isNew(advertisement.sender, isScanResponse: false) { parts.append(AdvertisementPart(advertisement)) }
        if scanning.settings.isActive, advertisement.isScannable,
            isNew(advertisement.sender, isScanResponse: true)
        {
            parts.append(AdvertisementPart(responding: advertisement))
        }
        reportCount &+= 1
        // Controllers put reports that are ready at the same time into one event; not all, and not always.
        let isJoined = noise.branch(2).bits(reportCount) & 3 == 0
        for group in isJoined ? [parts] : parts.map({ [$0] }) where !group.isEmpty {
            emit(group, isExtended: scanning.isExtended, into: &effects)
        }
    }

    private mutating func isNew(_ device: DeviceAddress, isScanResponse: Bool) -> Bool {
        settings.scanning?.filter?.isNew(device, isScanResponse: isScanResponse) ?? true
    }

    private func emit(_ parts: [AdvertisementPart], isExtended: Bool, into effects: inout [ControllerEffect]) {
        if isExtended {
            emit(LEExtendedAdvertisingReport { $0.reports = parts.map(\.extendedReport) }, into: &effects)
        } else {
            emit(LEAdvertisingReport { $0.reports = parts.map(\.legacyReport) }, into: &effects)
        }
    }

    /// Long data comes in several events, and others' reports come between them.
    private mutating func reportInPieces(
        _ advertisement: Advertisement, at now: Moment, into effects: inout [ControllerEffect]
    ) {
        guard isNew(advertisement.sender, isScanResponse: false) else { return }
        var report = LEExtendedAdvertisingReport.Report()
        report.advertiser = advertisement.sender
        report.secondaryPHY = .le1M
        report.setID = UInt8(truncatingIfNeeded: advertisement.device & 0x0F)
        report.rssi = SignalLevel(dBm: advertisement.level)
        var due = now
        var rest = advertisement.data[...]
        repeat {
            report.data = Array(rest.prefix(Self.pieceLength))
            rest = rest.dropFirst(Self.pieceLength)
            report.kind = ExtendedAdvertisingKind(rawValue: rest.isEmpty ? 0 : 0b01 << 5)
            schedule(PendingPiece(due: due, report: report))
            due = due + .milliseconds(3)
        } while !rest.isEmpty
    }

    private mutating func schedule(_ piece: PendingPiece) {
        guard pieces.count < Self.mostPieces else { return }
        pieces.schedule(piece)
    }

    /// Octets of data that fit one event.
    private static let pieceLength = 229
    private static let mostPieces = 256
}

/// What one report tells: an advertisement, or the answer to a scan request.
private struct AdvertisementPart {
    private let kind: AdvertisingKind
    private let extendedKind: ExtendedAdvertisingKind
    private let sender: DeviceAddress
    private let data: [UInt8]
    private let level: Int8

    init(_ advertisement: Advertisement) {
        switch advertisement.form {
        case .connectable:
            kind = .connectable
            extendedKind = [.legacy, .scannable, .connectable]
        case .scannable:
            kind = .scannable
            extendedKind = [.legacy, .scannable]
        case .nonConnectable, .extended:
            kind = .nonConnectable
            extendedKind = .legacy
        }
        sender = advertisement.sender
        data = advertisement.data
        level = advertisement.level
    }

    init(responding advertisement: Advertisement) {
        kind = .scanResponse
        let answered: ExtendedAdvertisingKind = [.legacy, .scanResponse, .scannable]
        extendedKind = advertisement.isConnectable ? answered.union(.connectable) : answered
        sender = advertisement.sender
        data = advertisement.scanResponse
        level = advertisement.level
    }

    var legacyReport: LEAdvertisingReport.Report {
        .init {
            $0.kind = kind
            $0.advertiser = sender
            $0.data = data
            $0.rssi = SignalLevel(dBm: level)
        }
    }

    var extendedReport: LEExtendedAdvertisingReport.Report {
        .init {
            $0.kind = extendedKind
            $0.advertiser = sender
            $0.data = data
            $0.rssi = SignalLevel(dBm: level)
        }
    }
}
