import HCI
import Wire

/// A virtual controller at work for one host: the link carries what the host says, and carries back the answers.
actor ControllerSession {
    private nonisolated let link: any ControllerLink
    private nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private var controller: any VirtualController
    private var end: LinkEnd?
    private var waiter: CheckedContinuation<Void, Never>?

    init(_ controller: any VirtualController, over link: any ControllerLink) {
        self.controller = controller
        self.link = link
        executor = link.executor
    }

    /// Serves the host until it leaves, which the result tells, or the task is cancelled.
    func run() async -> LinkEnd? {
        link.activate(self)
        advance(to: link.now)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard end == nil, !Task.isCancelled else { return continuation.resume() }
                waiter = continuation
            }
        } onCancel: {
            link.perform { self.assumeIsolated { $0.leave() } }
        }
        link.shutDown()
        return end
    }

    private func advance(to moment: Moment) {
        var output: [[UInt8]] = []
        if let deadline = controller.nextDeadline, deadline <= moment { controller.advance(to: moment, into: &output) }
        send(output)
    }

    private func receive(_ packet: [UInt8], at moment: Moment) {
        var output: [[UInt8]] = []
        controller.receive(packet, at: moment, into: &output)
        send(output)
    }

    private func send(_ packets: [[UInt8]]) {
        for packet in packets { link.transmit(packet) }
        link.setAlarm(controller.nextDeadline)
    }

    private func leave() {
        waiter?.resume()
        waiter = nil
    }
}

extension ControllerSession: ControllerLinkOwner {
    nonisolated func linkReceived(_ packet: [UInt8], at moment: Moment) {
        assumeIsolated { $0.receive(packet, at: moment) }
    }

    nonisolated func linkAlarm(at moment: Moment) {
        assumeIsolated { $0.advance(to: moment) }
    }

    nonisolated func linkEnded(_ reason: LinkEnd) {
        assumeIsolated { session in
            session.end = reason
            session.leave()
        }
    }
}
