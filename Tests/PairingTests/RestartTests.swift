import HCI
import Testing
import Wire

@testable import SMP

/// PDUs that come in the wrong place, at every point of every kind of pairing.
@Suite struct RestartTests {
    enum Kind: CaseIterable, Sendable {
        case legacyJustWorks, legacyPasskey, justWorks, comparison, passkey

        var policies: (central: PairingPolicy, peripheral: PairingPolicy) {
            let legacy: (inout PairingPolicy) -> Void = { $0.generation = .legacyOnly }
            return switch self {
            case .legacyJustWorks: (PairingPolicy(.noInputNoOutput, legacy), PairingPolicy())
            case .legacyPasskey: (PairingPolicy(.keyboardOnly, legacy), PairingPolicy(.displayOnly))
            case .justWorks: (PairingPolicy(), PairingPolicy())
            case .comparison: (PairingPolicy(.displayYesNo), PairingPolicy(.displayYesNo))
            case .passkey: (PairingPolicy(.keyboardOnly), PairingPolicy(.displayOnly))
            }
        }

        var level: SecurityLevel { self == .legacyJustWorks || self == .justWorks ? .encrypted : .authenticated }
    }

    /// A bench of that kind, in which both hand an identity out.
    private func bench(_ kind: Kind, seed: UInt64 = 1) throws -> Bench {
        var bench = Bench(central: kind.policies.central, peripheral: kind.policies.peripheral, seed: seed)
        for side in Bench.Side.allCases {
            try bench.configure(side) {
                $0.ownIdentity = OwnIdentity(resolvingKey: try secret(0xAB), address: $0.ownAddress)
            }
        }
        return bench
    }

    /// What the central sends from beginning to end.
    private func course(_ kind: Kind, _ side: Bench.Side) throws -> [PairingPDU] {
        var bench = try bench(kind)
        bench.run(.central, .secure(kind.level))
        #expect(bench[.central].secured.count == 1)
        return bench[side].transmitted
    }

    /// A second Pairing Request instead of whatever is next: the pairing is over, and the next has to wait.
    @Test(arguments: Kind.allCases) func pairingRestartedInTheMiddle(_ kind: Kind) throws {
        let course = try course(kind, .central)
        let request = try #require(course.first)
        for step in 1..<course.count {
            var bench = try bench(kind)
            bench.intercept = { from, pdu, number in
                [.init(to: from.other, pdu: from == .central && number == step ? request : pdu)]
            }
            bench.run(.central, .secure(kind.level))
            #expect(bench[.peripheral].failures == [.refused(.unspecifiedReason, .outOfPlace(.pairingRequest))])
            #expect(bench[.peripheral].reasons == [.unspecifiedReason])
            #expect(bench[.peripheral].bonds == [])
            #expect(bench.managers[.peripheral]?.isBusy == false)

            bench.send(to: .peripheral, request)
            #expect(bench[.peripheral].effects.last == .note(.refused(.pairingRequest, .repeatedAttempts)))
            #expect(bench[.peripheral].reasons == [.unspecifiedReason, .repeatedAttempts])
        }
    }

    /// Every PDU in every place where it does not belong, in either role: a reason, and the end.
    @Test(arguments: Kind.allCases, Bench.Side.allCases) func everyPDUInEveryPlace(_ kind: Kind, _ victim: Bench.Side)
        throws
    {
        let course = try course(kind, victim.other)
        for step in course.indices where step > 0 || victim == .central {
            for code in PairingCode.allDefined {
                let pdu = try PairingPDU.blank(code)
                guard pdu.code != course[step].code else { continue }
                var bench = try bench(kind)
                bench.intercept = { from, sent, number in
                    if from != victim, number > step { return [] }
                    return [.init(to: from.other, pdu: from != victim && number == step ? pdu : sent)]
                }
                bench.run(.central, .secure(kind.level))
                let comment: Comment = "\(code) for \(course[step].code), number \(step)"
                switch code {
                case .pairingFailed:
                    #expect(bench[victim].failures == [.peerRefused(.unspecifiedReason)], comment)
                case .securityRequest, .pairingKeypressNotification:
                    #expect(bench[victim].effects.contains(.note(.passedOver(code))), comment)
                    #expect(bench[victim].failures == [], comment)
                    bench.wait(.seconds(30))
                    #expect(bench[victim].failures == [.timedOut], comment)
                case _ where code.isKey && course[step].code.isKey:
                    // The order is not insisted on, and what was not announced is not taken.
                    bench.wait(.seconds(30))
                    #expect(bench[victim].failures.count == 1, comment)
                default:
                    #expect(bench[victim].failures == [.refused(.unspecifiedReason, .outOfPlace(code))], comment)
                    #expect(bench[victim].reasons == [.unspecifiedReason], comment)
                }
                #expect(bench[victim].bonds == [], comment)
                #expect(bench[victim].secured == [], comment)
            }
        }
    }

    /// Every PDU cut short, and one octet too long, in its place.
    @Test(arguments: Kind.allCases, Bench.Side.allCases) func everyPDUMalformed(_ kind: Kind, _ victim: Bench.Side)
        throws
    {
        let course = try course(kind, victim.other)
        for step in course.indices where step > 0 || victim == .central {
            let whole = course[step].encoded
            for octets in [[], Array(whole.prefix(1)), Array(whole.dropLast()), whole + [0]] {
                var bench = try bench(kind)
                bench.intercept = { from, pdu, number in
                    from != victim && number >= step ? [] : [.init(to: from.other, pdu: pdu)]
                }
                bench.run(.central, .secure(kind.level))
                bench.send(to: victim, octets: octets)
                let code = octets.first.map { PairingCode(rawValue: $0) }
                #expect(bench[victim].failures == [.refused(.invalidParameters, .malformed(code))])
                #expect(bench[victim].reasons == [.invalidParameters])
                #expect(bench[victim].bonds == [])
            }
        }
    }

    /// Reserved codes change nothing, in whatever place.
    @Test(arguments: Kind.allCases) func reservedCodesArePassedOver(_ kind: Kind) throws {
        var bench = try bench(kind)
        bench.intercept = { from, pdu, _ in
            let reserved = PairingPDU.other(PairingCode(rawValue: 0x7F), [1, 2, 3])
            return [.init(to: from.other, pdu: pdu)]
                + (pdu.code == .pairingFailed ? [] : [.init(to: from, pdu: reserved)])
        }
        bench.run(.central, .secure(kind.level))
        for side in Bench.Side.allCases {
            #expect(bench[side].secured.count == 1)
            #expect(bench[side].failures == [])
        }
    }

    /// What means nothing gives no more time, however often it comes.
    @Test func chatterIsSilence() throws {
        let chatter = try [
            PairingPDU.blank(.signingInformation), .blank(.pairingKeypressNotification), .blank(.securityRequest),
            .other(PairingCode(rawValue: 0x40), []),
        ]
        for pdu in chatter {
            var bench = try bench(.justWorks)
            bench.intercept = { from, pdu, _ in
                pdu.code == .identityAddressInformation ? [] : [.init(to: from.other, pdu: pdu)]
            }
            bench.run(.central, .secure(.encrypted))
            for _ in 0..<29 {
                bench.wait(.seconds(1))
                bench.send(to: .central, pdu)
            }
            #expect(bench[.central].failures == [])
            bench.wait(.seconds(1))
            #expect(bench[.central].failures == [.timedOut], "\(pdu)")
        }
    }

    /// Silence in every place: after 30 s, and not before, it is the end of the link.
    @Test(arguments: Kind.allCases, Bench.Side.allCases) func silenceInEveryPlace(_ kind: Kind, _ victim: Bench.Side)
        throws
    {
        let course = try course(kind, victim.other)
        for step in course.indices where step > 0 || victim == .central {
            var bench = try bench(kind)
            bench.intercept = { from, pdu, number in
                from != victim && number >= step ? [] : [.init(to: from.other, pdu: pdu)]
            }
            bench.run(.central, .secure(kind.level))
            bench.wait(.milliseconds(29_999))
            #expect(bench[victim].failures == [])
            #expect(bench.managers[victim]?.isBusy == true)
            bench.wait(.milliseconds(1))
            #expect(bench[victim].failures == [.timedOut])
            #expect(bench[victim].effects.last == .disconnect(.authenticationFailure))
            #expect(bench[victim].bonds == [])
            // Nothing more on this link.
            let count = bench[victim].effects.count
            bench.send(to: victim, course[0])
            #expect(bench[victim].effects.dropFirst(count) == [.note(.passedOver(course[0].code))])
            bench.run(victim, .secure(.authenticatedSecureConnections))
            #expect(bench[victim].effects.last == .failed(.timedOut))
            #expect(bench[victim].transmitted.count == bench[victim].effects[..<count].count { $0.isTransmission })
            #expect(bench.managers[victim]?.nextDeadline == nil)
        }
    }
}

extension SecurityManager.Effect {
    fileprivate var isTransmission: Bool { if case .transmit = self { true } else { false } }
}

extension PairingCode {
    /// All that are no reserved codes.
    static let allDefined = (UInt8(0x01)...0x0E).map { PairingCode(rawValue: $0) }
}

extension PairingPDU {
    /// A PDU of sound values that mean nothing.
    static func blank(_ code: PairingCode) throws -> PairingPDU {
        let lengths = [7, 7, 17, 17, 2, 17, 11, 17, 8, 17, 2, 65, 17, 2]
        var octets = [UInt8](repeating: 8, count: lengths[Int(code.rawValue) - 1])
        octets[0] = code.rawValue
        return try PairingPDU(decoding: octets)
    }
}

extension PairingCode {
    /// Whether it hands a key out.
    fileprivate var isKey: Bool {
        (PairingCode.encryptionInformation.rawValue...PairingCode.signingInformation.rawValue).contains(rawValue)
    }
}
