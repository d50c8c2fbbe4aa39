import Glibc

/// The terminal that the program was started on, whatever its standard input and output are.
final class Terminal: Sendable {
    private let descriptor: Int32
    private let turns = Turns()

    /// `nil` where there is none, or where somebody else has it: what runs in the background must not read from it.
    init?() {
        descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        guard tcgetpgrp(descriptor) == getpgrp() else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Asks, and reads one line. Who asks while another question is open has his turn afterwards.
    ///
    /// - Returns: `nil` at the end of input, after a signal, and where the task is cancelled
    func ask(_ question: String) async -> String? {
        await turns.take()
        let line = await askNow(question)
        await turns.give()
        return line
    }

    private func askNow(_ question: String) async -> String? {
        guard !Task.isCancelled else { return nil }
        let end = Waker()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { asker in
                // A person may take minutes: no thread that others need waits for that.
                startThread { [self] in
                    _ = tcflush(descriptor, TCIFLUSH)
                    write(question)
                    asker.resume(returning: readLine(until: end))
                }
            }
        } onCancel: {
            end.wake()
        }
    }

    func write(_ text: String) {
        var octets = Array(text.utf8)
        unsafe _ = octets.withUnsafeMutableBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// The terminal gives whole lines, and at most so many octets.
    private static let longest = 4096

    private func readLine(until end: Waker) -> String? {
        guard Interruption.wait(forInputOf: descriptor, orEndBy: end.descriptor) else {
            write("\n")
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }
}

/// Ends a wait in another thread: a pipe that has something to read from then on.
private final class Waker: Sendable {
    let descriptor: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        for end in [descriptor, writeEnd] where end >= 0 { close(end) }
    }

    func wake() {
        var octet: UInt8 = 0
        unsafe _ = Glibc.write(writeEnd, &octet, 1)
    }
}

/// Lets one after the other have something.
private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
