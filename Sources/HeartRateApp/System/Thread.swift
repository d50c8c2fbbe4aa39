import Glibc

/// Runs `body` on a thread of its own, which nobody waits for.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let context = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context)
    if result == 0 {
        pthread_detach(thread)
    } else {
        unsafe Unmanaged<Box>.fromOpaque(context).release()
    }
}
