import CCrypto
import SMP

/// AES-128 of single blocks (FIPS 197).
enum BlockCipher {
    /// Octets of a block and of a key.
    static let length = 16

    static func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try require(block, count: length, "a block")
        try require(key, count: length, "a key")
        let context = try unsafe Owned(EVP_CIPHER_CTX_new(), "new cipher") { unsafe EVP_CIPHER_CTX_free($0) }
        try require(unsafe EVP_EncryptInit_ex(context.pointer, EVP_aes_128_ecb(), nil, key, nil), "begin encryption")
        try require(unsafe EVP_CIPHER_CTX_set_padding(context.pointer, 0), "encrypt without padding")
        // libcrypto may want room for one block more than comes out.
        var output = [UInt8](repeating: 0, count: 2 * length)
        var count: Int32 = 0
        try require(unsafe EVP_EncryptUpdate(context.pointer, &output, &count, block, Int32(length)), "encryption")
        guard count == length else { throw .failed("libcrypto: encryption gave \(count) octets") }
        return Array(output.prefix(length))
    }
}
