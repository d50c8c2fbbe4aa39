import HCI

// How the host's wishes read as commands. The extended family says the same as the legacy one, on the 1M PHY alone: straps
// advertise there, and a Coded PHY that was offered without need slows links down.

extension LESetScanParameters {
    init(_ parameters: ScanParameters, own: OwnAddressKind) {
        self.init()
        kind = parameters.isActive ? .active : .passive
        interval = parameters.interval
        window = parameters.window
        ownAddressKind = own
    }
}

extension LESetExtendedScanParameters {
    init(_ parameters: ScanParameters, own: OwnAddressKind) {
        self.init()
        ownAddressKind = own
        phys = .le1M
        var scan = Scan()
        scan.kind = parameters.isActive ? .active : .passive
        scan.interval = parameters.interval
        scan.window = parameters.window
        scans = [scan]
    }
}

extension HCI.ConnectionParameters {
    init(_ parameters: InitialParameters) {
        self.init()
        intervalMin = parameters.intervals.lowerBound
        intervalMax = parameters.intervals.upperBound
        latency = parameters.latency
        supervisionTimeout = parameters.supervisionTimeout
    }
}

extension LECreateConnection {
    /// - Parameter peer: `nil` for whoever is on the filter accept list
    init(_ peer: DeviceAddress?, _ parameters: InitialParameters, own: OwnAddressKind) {
        self.init()
        scanInterval = InitialParameters.scanInterval
        scanWindow = InitialParameters.scanWindow
        usesFilterAcceptList = peer == nil
        self.peer = peer ?? .zero
        ownAddressKind = own
        self.parameters = HCI.ConnectionParameters(parameters)
    }
}

extension LEExtendedCreateConnection {
    /// - Parameter peer: `nil` for whoever is on the filter accept list
    init(_ peer: DeviceAddress?, _ parameters: InitialParameters, own: OwnAddressKind) {
        self.init()
        ownAddressKind = own
        usesFilterAcceptList = peer == nil
        self.peer = peer ?? .zero
        phys = .le1M
        var initiation = Initiation()
        initiation.scanInterval = InitialParameters.scanInterval
        initiation.scanWindow = InitialParameters.scanWindow
        initiation.parameters = HCI.ConnectionParameters(parameters)
        initiations = [initiation]
    }
}
