import CCrypto
import SMP

/// AES-CMAC (RFC 4493).
enum MessageAuthentication {
    /// Octets of a key and of a tag.
    static let length = 16

    static func tag(of message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try require(key, count: length, "a key")
        let algorithm = try unsafe Owned(EVP_MAC_fetch(nil, "CMAC", nil), "find CMAC") { unsafe EVP_MAC_free($0) }
        let context = try unsafe Owned(EVP_MAC_CTX_new(algorithm.pointer), "new CMAC") {
            unsafe EVP_MAC_CTX_free($0)
        }
        try require(unsafe ccrypto_cmac_init(context.pointer, key, key.count), "begin CMAC")
        try require(unsafe EVP_MAC_update(context.pointer, message, message.count), "CMAC")
        var tag = [UInt8](repeating: 0, count: length)
        var count = 0
        try require(unsafe EVP_MAC_final(context.pointer, &tag, &count, length), "end CMAC")
        guard count == length else { throw .failed("libcrypto: CMAC gave \(count) octets") }
        return tag
    }
}
