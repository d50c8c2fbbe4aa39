import Glibc

/// A descriptor with exactly one owner, closed when the owner lets go.
struct OwnedDescriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// Takes what a call of `CHCI` answered.
    init(checked result: Int32, _ operation: StaticString) throws(TransportError) {
        number = try check(result, operation)
    }

    consuming func close() {}

    /// Gives the descriptor up without closing it: it is open as long as the process.
    consuming func keptOpen() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { _ = Glibc.close(number) }
}

/// Passes on what a call of `CHCI` answered, or throws its error number.
@discardableResult
func check(_ result: Int32, _ operation: StaticString) throws(TransportError) -> Int32 {
    guard result >= 0 else { throw .system(errno: -result, operation: operation.description) }
    return result
}
