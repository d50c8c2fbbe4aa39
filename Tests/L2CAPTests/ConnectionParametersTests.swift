import L2CAP
import Testing

@Suite struct ConnectionParametersTests {
    @Test(arguments: [
        ConnectionParameters(intervalMin: 250, intervalMax: 400, latency: 0, timeout: 600),
        ConnectionParameters(intervalMin: 6, intervalMax: 6, latency: 0, timeout: 10),
        ConnectionParameters(intervalMin: 6, intervalMax: 3200, latency: 0, timeout: 3200),
        ConnectionParameters(intervalMin: 6, intervalMax: 25, latency: 499, timeout: 3200),
        ConnectionParameters(intervalMin: 40, intervalMax: 40, latency: 0, timeout: 11),
    ])
    func possible(_ parameters: ConnectionParameters) {
        #expect(parameters.fault == nil)
    }

    @Test(arguments: [
        (5, 400, 0, 600, ConnectionParameters.Fault.intervalOutOfRange),
        (6, 3201, 0, 3200, .intervalOutOfRange),
        (0xFFFF, 0xFFFF, 0, 3200, .intervalOutOfRange),
        (7, 6, 0, 600, .intervalsCrossed),
        (6, 6, 500, 3200, .latencyOutOfRange),
        (6, 6, 0xFFFF, 3200, .latencyOutOfRange),
        (6, 6, 0, 9, .timeoutOutOfRange),
        (6, 6, 0, 3201, .timeoutOutOfRange),
        // Exactly twice the interval is not longer than it: 2 · 50 ms = 100 ms.
        (40, 40, 0, 10, .timeoutTooShort),
        (6, 26, 499, 3200, .timeoutTooShort),
    ])
    func impossible(
        _ intervalMin: UInt16, _ intervalMax: UInt16, _ latency: UInt16, _ timeout: UInt16,
        _ fault: ConnectionParameters.Fault
    ) {
        let parameters = ConnectionParameters(
            intervalMin: intervalMin, intervalMax: intervalMax, latency: latency, timeout: timeout)
        #expect(parameters.fault == fault)
    }
}
