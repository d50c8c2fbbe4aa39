import TestSupport

/// Packets of pairings as a capture of the central's host would hold them, in the form that `dissect` takes.
enum PairingTape {
    /// A PDU of the Security Manager in one ACL packet of handle 0x0040.
    static func pdu(_ direction: Character, _ text: String) -> String { fragments(direction, text, of: 251)[0] }

    /// The same in packets of so many octets of data each.
    static func fragments(_ direction: Character, _ text: String, of size: Int) -> [String] {
        let payload = octets(text)
        var rest = ([UInt8(payload.count), 0, 6, 0] + payload)[...]
        var packets: [String] = []
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            let boundary = packets.isEmpty ? (direction == ">" ? "20" : "00") : "10"
            packets.append(
                "\(direction) 02 40\(boundary) \(hexadecimal([UInt8(piece.count), 0])) \(hexadecimal(piece))")
        }
        return packets
    }

    static func hexadecimal(_ octets: some Sequence<UInt8>) -> String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: LE Secure Connections

    static let secureLTK = "63598a14094b946effae5e538602a36c"
    private static let identityKey = "101112131415161718191a1b1c1d1e1f"
    private static let signingKey = "202122232425262728292a2b2c2d2e2f"
    private static let peersIdentityKey = "303132333435363738393a3b3c3d3e3f"

    /// Just Works, published (apache/mynewt-nimble nimble/host/test/src/ble_sm_sc_test.c, peer_jw_iio3_rio3), from the responder's
    /// view there and the initiator's here; with made-up keys handed out, which that one has none of.
    static let secureConnections =
        [
            connected,
            pdu("<", "01 03 00 09 10 02 06"), pdu(">", "02 03 00 09 10 02 06"),
            pdu(
                "<",
                "0c bcf2d8a5dba3956c99f9110d4d2ef0bdee9b69b6cd8874be40e8e5ccdc884453"
                    + "bfa9820e187a14f877fd8e922af85d39d16d921f387499dc6c2c9423f97256ab"),
            pdu(
                ">",
                "0c 728cd188d7be49b2c55c95b364e01232b6c9476337385b9c1e1b1a0609e23185"
                    + "193a296962d630e7e84863dc00730a707d2e29cc917771b175b8f7dcb0e29110"),
            pdu(">", "03 82edd062913d967f13c50d022b5e4316"), pdu("<", "04 a4345fb3af734364cd191b5b87583166"),
            pdu(">", "04 c091fbb377a2020bc6cd6c0451454539"), pdu("<", "0d 82651d02ed891344041a147c329a1e7d"),
            pdu(">", "0d 063c284ae5484b51654e145e2fddfa22"),
            "< 01 19 20 1c 4000 0000000000000000 0000 \(secureLTK)", "> 04 0f 04 00 01 1920", "> 04 08 04 00 4000 01",
        ]
        + fragments(">", "08 \(peersIdentityKey)", of: 9)
        + [
            pdu(">", "09 01 010203040506")
        ] + fragments(">", "0a \(signingKey)", of: 27)
        + [
            pdu("<", "08 \(identityKey)"), pdu("<", "09 00 060504030201"),
            "< 01 27 20 27 01 010203040506 \(peersIdentityKey) \(identityKey)", "> 04 0e 04 01 2720 00",
        ]

    // MARK: Legacy pairing

    static let shortTermKey = "62a06dae16427 9 5b9bf4b0e8f0e11f9a".replacing(" ", with: "")
    static let legacyLTK = "404142434445464748494a4b4c4d4e4f"

    /// Passkey entry, each side with a key for the other. The values are made up, and so not those of one passkey.
    static let legacy =
        [
            connected,
            pdu(">", "0b 05"),
            pdu("<", "01 04 00 05 10 03 03"), pdu(">", "02 00 00 05 10 03 03"),
            pdu("<", "03 1e1e3fef878988ead2a74dc5bef13b86"), pdu(">", "03 8f8e8d8c8b8a89888786858483828180"),
            pdu("<", "04 e0702ec64e3826 0eaed065615783d557".replacing(" ", with: "")),
            pdu(">", "04 00ffeeddccbbaa998877665544332211"),
            "< 01 19 20 1c 4000 0000000000000000 0000 \(shortTermKey)", "> 04 0f 04 00 01 1920",
            "> 04 08 04 00 4000 01",
        ]
        + fragments(">", "06 \(legacyLTK)", of: 5)
        + [
            pdu(">", "07 3412 0807060504030201"), pdu(">", "08 \(peersIdentityKey)"), pdu(">", "09 00 010203040506"),
            pdu("<", "06 \(signingKey)"), pdu("<", "07 7856 f8f7f6f5f4f3f2f1"), pdu("<", "08 \(identityKey)"),
            pdu("<", "09 00 060504030201"),
        ]

    /// The keys in both tapes, as they are written there.
    static let keys = [
        secureLTK, identityKey, signingKey, peersIdentityKey, shortTermKey, legacyLTK,
    ].map { octets($0) }
}
