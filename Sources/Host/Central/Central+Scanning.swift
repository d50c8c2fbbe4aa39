import Wire

/// Who listens to advertising reports. The first listener starts the scan, the last one to leave stops it.
struct ScanDesk {
    private struct Listener {
        var key: Int
        var wantsResponses: Bool
        var outlet: Outlet<Sighting>
    }

    /// In the order in which they came.
    private var listeners: [Listener] = []
    private var errors: [Int: HostError] = [:]
    private var next = 0

    var isEmpty: Bool { listeners.isEmpty }

    /// Whether somebody wants scan responses.
    var isActive: Bool { listeners.contains(where: \.wantsResponses) }

    /// Listeners, and errors that theirs have not been told.
    var count: Int { listeners.count + errors.count }

    mutating func open(
        wantsResponses: Bool, bound: Int
    ) -> (key: Int, stream: AsyncStream<Delivery<Sighting>>) {
        let (outlet, stream) = Outlet<Sighting>.make(bound: bound)
        next += 1
        listeners.append(Listener(key: next, wantsResponses: wantsResponses, outlet: outlet))
        return (next, stream)
    }

    mutating func deliver(_ sighting: Sighting) {
        for index in listeners.indices { listeners[index].outlet.send(sighting) }
    }

    /// Ends every stream; its reader is told why.
    mutating func end(_ error: HostError) {
        for listener in listeners {
            errors[listener.key] = error
            listener.outlet.finish()
        }
        listeners = []
    }

    /// Closes one stream and tells why it had ended before, if it had.
    mutating func close(_ key: Int) -> HostError? {
        if let index = listeners.firstIndex(where: { $0.key == key }) { listeners.remove(at: index).outlet.finish() }
        return errors.removeValue(forKey: key)
    }
}

extension Central {
    /// Scans while `body` reads the reports; leaving the scope stops the scan, unless somebody else still listens.
    ///
    /// - Parameters:
    ///   - isActive: whether scan responses are asked for; they are as long as somebody wants them, and everybody gets them
    ///   - bound: reports that wait for the reader; what does not fit arrives as `.gap`
    /// - Throws: `HostError` where the controller refuses to scan or goes away, else what `body` throws
    public func withSightings<Result: Sendable>(
        isActive: Bool = true, bound: Int = 4096,
        _ body: (AsyncStream<Delivery<Sighting>>) async throws -> Result
    ) async throws -> Result {
        let isFirst = scans.isEmpty
        let (key, stream) = scans.open(wantsResponses: isActive, bound: bound)
        do {
            // To somebody new the scan is new: it asks for what he wants, and is fast again.
            if isFirst { _ = try await ask(.scan(isActive: isActive)) } else { tell(.scan(isActive: scans.isActive)) }
            let result = try await body(stream)
            if let error = leave(key), !Task.isCancelled { throw error }
            return result
        } catch {
            throw leave(key) ?? error
        }
    }

    private func leave(_ key: Int) -> HostError? {
        let wasActive = scans.isActive
        let error = scans.close(key)
        guard error == nil else { return error }
        if scans.isEmpty {
            tell(.stopScanning)
        } else if scans.isActive != wasActive {
            tell(.scan(isActive: scans.isActive))
        }
        return nil
    }
}
