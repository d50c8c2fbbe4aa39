public import ATT
import GATT
import Host
import Wire

/// What a strap tells besides its heart rate. All of it is optional; a refusal of any of it is no failure.
extension HeartRateMonitor {
    /// How often the battery is read where it does not notify. Straps last for months; half an hour loses nothing.
    private static let batteryPeriod: Duration = .seconds(1800)

    /// Reads everything once, then keeps an eye on the battery until the connection or the subscription ends.
    ///
    /// - Returns: whether the energy was reset
    /// - Throws: why the energy was not reset, which the user asked for, unless the link was lost; nothing else
    func readDetails(_ subscription: Subscription, of peer: Peer, resetsEnergy: Bool) async throws -> Bool {
        let rest = tact.rest
        // The user's wish does not wait.
        var hasResetEnergy = resetsEnergy && rest > .zero ? try await resetEnergy(of: peer) : false
        guard await passes(rest, of: peer) else { return hasResetEnergy }
        var details = tact.known
        try? await peer.tune(.heartRate)
        try? await peer.learnHandles(of: subscription, in: HeartRateUUID.heartRateService)
        let heartRate = try? await peer.discover(service: HeartRateUUID.heartRateService)
        if resetsEnergy, !hasResetEnergy { hasResetEnergy = try await resetEnergy(of: peer, service: heartRate) }
        if let value = await value(of: HeartRateUUID.bodySensorLocation, in: heartRate, of: peer) {
            details.sensorLocation = try? BodySensorLocation(decoding: value.span)
        }
        let information = try? await peer.discover(service: HeartRateUUID.deviceInformationService)
        for characteristic in DeviceInformation.characteristics {
            guard let value = await value(of: characteristic, in: information, of: peer) else { continue }
            try? details.information.record(value.span, of: characteristic)
        }
        let battery = try? await peer.discover(service: HeartRateUUID.batteryService)
        details.battery = await batteryLevel(in: battery, of: peer) ?? details.battery
        // What was cut off by the end says nothing of the strap.
        guard await peer.connection != nil else {
            tact.wasCutOff(knowing: details)
            return hasResetEnergy
        }
        // Nor does what stood where something else stands now; it is asked for again.
        guard !Task.isCancelled else { return hasResetEnergy }
        tact.wasAnswered(details)
        emit(.details(details))
        await watchBattery(battery, of: peer, details: details)
        return hasResetEnergy
    }

    /// Leaves a strap alone that had better not be asked yet. Meanwhile nobody is to wait for more than is known of it.
    ///
    /// - Returns: whether the link has lasted
    private func passes(_ rest: Duration, of peer: Peer) async -> Bool {
        guard rest > .zero else { return true }
        if let details = tact.takeUntold() { emit(.details(details)) }
        guard (try? await central.wait(rest)) != nil else { return false }
        return await peer.connection != nil
    }

    private func resetEnergy(of peer: Peer) async throws -> Bool {
        try await resetEnergy(of: peer, service: try? peer.discover(service: HeartRateUUID.heartRateService))
    }

    /// - Returns: whether it was done; the link may have been lost before
    private func resetEnergy(of peer: Peer, service: Service?) async throws -> Bool {
        guard let controlPoint = service?.characteristic(HeartRateUUID.controlPoint) else {
            guard !Task.isCancelled, await peer.connection != nil else { return false }
            throw HeartRateMonitorError.noControlPoint
        }
        do {
            try await peer.write(HeartRateControlPoint.resetEnergyExpended.encoded, to: controlPoint.valueHandle)
            return true
        } catch HostError.disconnected {
            return false
        } catch HostError.peer(.refused(_, _, let code)) {
            throw HeartRateMonitorError.resetRefused(code)
        }
    }

    private func value(of uuid: BluetoothUUID, in service: Service?, of peer: Peer) async -> [UInt8]? {
        guard let characteristic = service?.characteristic(uuid) else { return nil }
        return try? await peer.read(characteristic.valueHandle)
    }

    private func batteryLevel(in service: Service?, of peer: Peer) async -> BatteryLevel? {
        guard let value = await value(of: HeartRateUUID.batteryLevel, in: service, of: peer) else { return nil }
        return try? BatteryLevel(decoding: value.span)
    }

    /// Tells the details again whenever the battery changes: by notification where and as long as the strap offers it, else by reading.
    private func watchBattery(_ service: Service?, of peer: Peer, details: StrapDetails) async {
        guard let characteristic = service?.characteristic(HeartRateUUID.batteryLevel) else { return }
        var details = details
        func note(_ level: BatteryLevel?) {
            guard let level, level != details.battery else { return }
            details.battery = level
            emit(.details(details))
        }
        if characteristic.properties.contains(.notify),
            let subscription = try? await peer.subscribe(
                service: HeartRateUUID.batteryService, characteristic: HeartRateUUID.batteryLevel)
        {
            for await case .value(let notification) in subscription.notifications {
                note(try? BatteryLevel(decoding: notification.value.span))
            }
        }
        while (try? await central.wait(Self.batteryPeriod)) != nil, await peer.connection != nil {
            // By then something else may stand where it was.
            note(await batteryLevel(in: try? peer.discover(service: HeartRateUUID.batteryService), of: peer))
        }
    }
}

/// Why a heart-rate monitor could not do what it was asked, beyond what the host says.
public enum HeartRateMonitorError: Error, Hashable, Sendable {
    /// The strap has no Heart Rate Control Point, and so counts no energy that could be reset.
    case noControlPoint
    /// The strap refused to reset the energy. The code 0x80 is the service's own: `HeartRateServiceError`.
    case resetRefused(ErrorCode)
}
