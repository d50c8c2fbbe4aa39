import CCrypto
import SMP

/// Something that libcrypto made, whose insides its headers do not show, and that is given back to it at the end.
@safe struct Owned: ~Copyable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// - Parameter pointer: what libcrypto gave; nothing where it failed
    /// - Throws: `ToolboxError.failed`
    init(
        _ pointer: OpaquePointer?, _ step: StaticString, free: @escaping (OpaquePointer) -> Void
    ) throws(ToolboxError) {
        guard let pointer = unsafe pointer else { throw .failed("libcrypto: \(step)") }
        unsafe self.pointer = pointer
        unsafe self.free = free
    }

    deinit { unsafe free(pointer) }
}

/// Checks what a function of libcrypto answers: 1 where it did what it should.
///
/// - Throws: `ToolboxError.failed`, which names the step and none of what it worked on
func require(_ result: Int32, _ step: StaticString) throws(ToolboxError) {
    guard result == 1 else { throw .failed("libcrypto: \(step)") }
}

/// Checks that there are as many octets as a function of libcrypto will read.
func require(_ octets: [UInt8], count: Int, _ name: StaticString) throws(ToolboxError) {
    guard octets.count == count else { throw .failed("\(name) has \(octets.count) octets instead of \(count)") }
}
