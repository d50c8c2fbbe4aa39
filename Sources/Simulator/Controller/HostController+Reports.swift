import HCI
import Wire

extension HostController {
    /// An advertisement reaches the antenna.
    mutating func hear(_ advertisement: Advertisement, at now: Moment, into effects: inout [ControllerEffect]) {
        guard isListening, let recognition = recognise(advertisement.sender) else { return }
        if recognition.isResolved, let entry = recognition.entry {
            settings.resolvingList[entry].heard = advertisement.sender.address
        }
        if let initiation = settings.initiation, initiation.window.isOpen(at: now), advertisement.isConnectable,
            isWanted(advertisement, from: recognition, by: initiation)
        {
            establish(initiation, with: advertisement, from: recognition, at: now, into: &effects)
        } else if let scanning = settings.scanning, scanning.window.isOpen(at: now),
            !scanning.settings.filterPolicy.usesFilterAcceptList
                || settings.filterAcceptList.contains(recognition.identity)
        {
            report(advertisement, from: recognition, scanning, at: now, into: &effects)
        }
    }

    private func isWanted(
        _ advertisement: Advertisement, from recognition: Recognition, by initiation: Initiation
    ) -> Bool {
        if case .directed(let target) = advertisement.form {
            guard case .host = aim(of: target, from: recognition, initiation.ownAddressKind) else { return false }
        }
        return initiation.target.map { $0 == recognition.identity || $0 == advertisement.sender }
            ?? settings.filterAcceptList.contains(recognition.identity)
    }

    private mutating func report(
        _ advertisement: Advertisement, from recognition: Recognition, _ scanning: Scanning, at now: Moment,
        into effects: inout [ControllerEffect]
    ) {
        let advertiser = recognition.advertiser
        switch advertisement.form {
        case .extended:
            if scanning.isExtended { reportInPieces(advertisement, advertiser, at: now, into: &effects) }
            return
        case .directed(let target):
            let aim = aim(of: target, from: recognition, scanning.settings.ownAddressKind)
            reportDirected(advertisement, advertiser, target, aim, scanning, into: &effects)
            return
        case .connectable, .scannable, .nonConnectable: break
        }
        var parts: [AdvertisementPart] = []
        if isNew(advertiser, isScanResponse: false) { parts.append(AdvertisementPart(advertisement, advertiser)) }
        if scanning.settings.isActive, advertisement.isScannable, isNew(advertiser, isScanResponse: true) {
            parts.append(AdvertisementPart(responding: advertisement, advertiser))
        }
        reportCount &+= 1
        // Controllers put reports that are ready at the same time into one event; not all, and not always.
        let isJoined = noise.branch(2).bits(reportCount) & 3 == 0
        for group in isJoined ? [parts] : parts.map({ [$0] }) where !group.isEmpty {
            emit(group, isExtended: scanning.isExtended, into: &effects)
        }
    }

    /// What is for somebody else is not reported; what may be for the host, where it asked for that.
    private mutating func reportDirected(
        _ advertisement: Advertisement, _ advertiser: DeviceAddress, _ target: DeviceAddress, _ aim: Aim,
        _ scanning: Scanning, into effects: inout [ControllerEffect]
    ) {
        guard aim != .somebodyElse, aim != .unresolved || scanning.settings.filterPolicy.takesUnresolvedTargets,
            isNew(advertiser, isScanResponse: false)
        else { return }
        var part = AdvertisementPart(advertisement, advertiser)
        if case .host(let own) = aim {
            part.target = own
        } else if scanning.isExtended {
            part.target = DeviceAddress(.unresolved, target.address)
        } else {
            return emit(LEDirectedAdvertisingReport { $0.reports = [part.directedReport(to: target)] }, into: &effects)
        }
        emit([part], isExtended: scanning.isExtended, into: &effects)
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
        _ advertisement: Advertisement, _ advertiser: DeviceAddress, at now: Moment,
        into effects: inout [ControllerEffect]
    ) {
        guard isNew(advertiser, isScanResponse: false) else { return }
        var report = LEExtendedAdvertisingReport.Report()
        report.advertiser = advertiser
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
