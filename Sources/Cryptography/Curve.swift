import CCrypto
import SMP

/// The curve P-256 (FIPS 186, D.1.2.3) and Diffie-Hellman on it.
enum Curve {
    /// Octets of a coordinate, of a private key and of a shared secret.
    static let length = 32

    static func makeKeyPair() throws(ToolboxError) -> KeyPair {
        let context = try unsafe Owned(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), "new key") {
            unsafe EVP_PKEY_CTX_free($0)
        }
        try require(unsafe EVP_PKEY_keygen_init(context.pointer), "begin key generation")
        try require(unsafe EVP_PKEY_CTX_set_group_name(context.pointer, "P-256"), "choose the curve")
        var made: OpaquePointer?
        let result = unsafe EVP_PKEY_generate(context.pointer, &made)
        let key = try unsafe Owned(result == 1 ? made : nil, "key generation") { unsafe EVP_PKEY_free($0) }
        return try keyPair(privateKey(of: key))
    }

    static func keyPair(_ privateKey: [UInt8]) throws(ToolboxError) -> KeyPair {
        let scalar = try number(privateKey, "a private key")
        let group = try unsafe Owned(
            EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), "find the curve"
        ) { unsafe EC_GROUP_free($0) }
        guard unsafe BN_is_zero(scalar.pointer) == 0,
            unsafe BN_cmp(scalar.pointer, EC_GROUP_get0_order(group.pointer)) < 0
        else { throw .failed("a private key outside the curve's order") }
        let point = try unsafe Owned(EC_POINT_new(group.pointer), "new point") { unsafe EC_POINT_free($0) }
        try require(
            unsafe EC_POINT_mul(group.pointer, point.pointer, scalar.pointer, nil, nil, nil), "multiply a point")
        let form = POINT_CONVERSION_UNCOMPRESSED
        var octets = [UInt8](repeating: 0, count: 1 + 2 * length)
        let count = unsafe EC_POINT_point2oct(group.pointer, point.pointer, form, &octets, octets.count, nil)
        guard count == octets.count else { throw .failed("libcrypto: a point of \(count) octets") }
        let publicKey = PublicKey(x: Array(octets[1...length]), y: Array(octets[(1 + length)...]))
        return KeyPair(privateKey: privateKey, publicKey: publicKey)
    }

    static func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        let peer = try key(of: peer)
        let own = try key(of: own)
        let context = try unsafe Owned(EVP_PKEY_CTX_new_from_pkey(nil, own.pointer, nil), "new derivation") {
            unsafe EVP_PKEY_CTX_free($0)
        }
        try require(unsafe EVP_PKEY_derive_init(context.pointer), "begin derivation")
        try require(unsafe EVP_PKEY_derive_set_peer(context.pointer, peer.pointer), "name the peer's key")
        var secret = [UInt8](repeating: 0, count: length)
        var count = length
        try require(unsafe EVP_PKEY_derive(context.pointer, &secret, &count), "derivation")
        guard count == length else { throw .failed("libcrypto: derivation gave \(count) octets") }
        return secret
    }
}

// MARK: - Keys as libcrypto has them

extension Curve {
    private static func number(_ octets: [UInt8], _ name: StaticString) throws(ToolboxError) -> Owned {
        try require(octets, count: length, name)
        return try unsafe Owned(BN_bin2bn(octets, Int32(length), nil), "new number") { unsafe BN_clear_free($0) }
    }

    private static func privateKey(of key: borrowing Owned) throws(ToolboxError) -> [UInt8] {
        var number: OpaquePointer?
        let result = unsafe EVP_PKEY_get_bn_param(key.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number)
        let scalar = try unsafe Owned(result == 1 ? number : nil, "read a private key") {
            unsafe BN_clear_free($0)
        }
        var octets = [UInt8](repeating: 0, count: length)
        let count = unsafe BN_bn2binpad(scalar.pointer, &octets, Int32(length))
        guard count == length else { throw .failed("libcrypto: a private key of \(count) octets") }
        return octets
    }

    private static func key(of pair: KeyPair) throws(ToolboxError) -> Owned {
        let scalar = try number(pair.privateKey, "a private key")
        let point = try octets(of: pair.publicKey)
        var key: OpaquePointer?
        let result = unsafe ccrypto_p256_key(&key, point, point.count, scalar.pointer)
        return try unsafe Owned(result == 1 ? key : nil, "take a pair of keys") { unsafe EVP_PKEY_free($0) }
    }

    /// The peer's key, checked: a point that lies elsewhere would give the private key away, a few bits at a time
    /// (CVE-2018-5383).
    private static func key(of peer: PublicKey) throws(ToolboxError) -> Owned {
        let point = try octets(of: peer)
        var made: OpaquePointer?
        guard unsafe ccrypto_p256_key(&made, point, point.count, nil) == 1 else { throw .notOnCurve }
        let key = try unsafe Owned(made, "take a public key") { unsafe EVP_PKEY_free($0) }
        let context = try unsafe Owned(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), "new check") {
            unsafe EVP_PKEY_CTX_free($0)
        }
        guard unsafe EVP_PKEY_public_check(context.pointer) == 1 else { throw .notOnCurve }
        return key
    }

    /// A point in the form without compression: 4, then both coordinates (SEC 1, 2.3.3).
    private static func octets(of point: PublicKey) throws(ToolboxError) -> [UInt8] {
        try require(point.x, count: length, "a coordinate")
        try require(point.y, count: length, "a coordinate")
        return [0x04] + point.x + point.y
    }
}
