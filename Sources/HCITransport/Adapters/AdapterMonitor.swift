import CHCI
import Glibc
import Wire

/// Hears from the kernel when adapters come, go, or change: by the management channel and rfkill. Needs no privilege.
actor AdapterMonitor {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private let channel: ManagementChannel
    private var radio: OwnedDescriptor?
    private var channelWatch: Watch?
    private var radioWatch: Watch?
    private var alarm: LoopAlarm?
    private var hasNews = false
    private var waiter: CheckedContinuation<Void, Never>?
    private var isOver = false

    /// - Throws: `TransportError.noBluetooth`, `.system`.
    init(on loop: EventLoop) throws(TransportError) {
        self.loop = loop
        channel = try ManagementChannel()
        // Not there without rfkill in the kernel; some systems let only the user at the screen read it.
        if let radio = try? OwnedDescriptor(opening: "/dev/rfkill", O_RDONLY | O_NONBLOCK) {
            self.radio = consume radio
        } else {
            radio = nil
        }
    }

    /// A watch has to end before its descriptor is closed; stored properties go in an order that nobody should rely on.
    isolated deinit {
        channelWatch = nil
        radioWatch = nil
        alarm = nil
    }

    /// Waits until something has happened since the last call, or the moment has come. Cancellation ends the wait.
    func wait(until deadline: Moment? = nil) async {
        start()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !hasNews, !isOver else { return continuation.resume() }
                waiter = continuation
                alarm?.set(deadline)
            }
        } onCancel: {
            loop.reactor.post { self.assumeIsolated { $0.cancel() } }
        }
        hasNews = false
    }

    private func start() {
        guard alarm == nil else { return }
        alarm = LoopAlarm(on: loop) { [weak self] _ in self?.assumeIsolated { $0.wake() } }
        channelWatch = try? loop.reactor.watch(channel.number, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.readChannel() }
        }
        if let radio = radio?.number {
            radioWatch = try? loop.reactor.watch(radio, for: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.readRadio() }
            }
        }
        subscribe()
    }

    /// An adapter that came has to be asked about before the kernel tells of it.
    private func subscribe() {
        guard let control = try? AdapterControl(), let indices = try? control.indices() else { return }
        for index in indices { channel.subscribe(to: index) }
    }

    private func readChannel() {
        guard channel.drain() else { return }
        subscribe()
        tell()
    }

    private func readRadio() {
        guard let radio = radio?.number else { return }
        var buffer = [UInt8](repeating: 0, count: 64)
        var isNews = false
        // One event a read.
        while unsafe read(radio, &buffer, buffer.count) > 0 { isNews = true }
        if isNews { tell() }
    }

    private func tell() {
        hasNews = true
        wake()
    }

    private func cancel() {
        isOver = true
        wake()
    }

    private func wake() {
        alarm?.set(nil)
        waiter?.resume()
        waiter = nil
    }
}
