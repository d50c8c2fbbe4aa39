import Wire

/// Who listens to advertising reports. The first listener starts the scan, the last one to leave stops it.
struct ScanDesk {
    /// In the order in which they came.
    private var outlets: [(key: Int, outlet: Outlet<Sighting>)] = []
    private var errors: [Int: HostError] = [:]
    private var next = 0

    var isEmpty: Bool { outlets.isEmpty }

    /// Listeners, and errors that theirs have not been told.
    var count: Int { outlets.count + errors.count }

    mutating func open(bound: Int) -> (key: Int, stream: AsyncStream<Delivery<Sighting>>) {
        let (outlet, stream) = Outlet<Sighting>.make(bound: bound)
        next += 1
        outlets.append((next, outlet))
        return (next, stream)
    }

    mutating func deliver(_ sighting: Sighting) {
        for index in outlets.indices { outlets[index].outlet.send(sighting) }
    }

    /// Ends every stream; its reader is told why.
    mutating func end(_ error: HostError) {
        for (key, outlet) in outlets {
            errors[key] = error
            outlet.finish()
        }
        outlets = []
    }

    /// Closes one stream and tells why it had ended before, if it had.
    mutating func close(_ key: Int) -> HostError? {
        if let index = outlets.firstIndex(where: { $0.key == key }) { outlets.remove(at: index).outlet.finish() }
        return errors.removeValue(forKey: key)
    }
}

extension Central {
    /// Scans while `body` reads the reports; leaving the scope stops the scan, unless somebody else still listens.
    ///
    /// - Parameters:
    ///   - isActive: whether scan responses are asked for; a scan under way keeps its own way
    ///   - bound: reports that wait for the reader; what does not fit arrives as `.gap`
    /// - Throws: `HostError` where the controller refuses to scan or goes away, else what `body` throws
    public func withSightings<Result: Sendable>(
        isActive: Bool = true, bound: Int = 4096,
        _ body: (AsyncStream<Delivery<Sighting>>) async throws -> Result
    ) async throws -> Result {
        let isFirst = scans.isEmpty
        let (key, stream) = scans.open(bound: bound)
        do {
            if isFirst { _ = try await ask(.scan(isActive: isActive)) }
            let result = try await body(stream)
            if let error = leave(key), !Task.isCancelled { throw error }
            return result
        } catch {
            throw leave(key) ?? error
        }
    }

    private func leave(_ key: Int) -> HostError? {
        let error = scans.close(key)
        if error == nil, scans.isEmpty { tell(.stopScanning) }
        return error
    }
}
