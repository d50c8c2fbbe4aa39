import Cryptography
import HCI
import Testing

@testable import SMP

/// Two Security Managers with each other: every pair of capabilities, both generations, with and without protection against a third
/// party, data by another way, and keys that are kept.
@Suite struct EveryPairTests {
    /// What of the other side's each side has got by another way.
    enum Data: CaseIterable, Sendable {
        case none, both, initiatorOnly, responderOnly
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var isSecureConnections: Bool
        var isProtected: Bool
        var isBonding: Bool
        var data: Data

        var testDescription: String {
            "\(isSecureConnections ? "Secure Connections" : "legacy"), \(isProtected ? "protected" : "unprotected"), "
                + "\(isBonding ? "bonding" : "not bonding"), data by another way: \(data)"
        }

        static let all: [Case] = [false, true].flatMap { generation in
            [false, true].flatMap { protection in
                [false, true].flatMap { bonding in
                    Data.allCases.map {
                        Case(isSecureConnections: generation, isProtected: protection, isBonding: bonding, data: $0)
                    }
                }
            }
        }
    }

    @Test(arguments: Case.all) func everyPairOfCapabilities(_ test: Case) throws {
        for (row, responder) in ModelTests.capabilities.enumerated() {
            for (column, initiator) in ModelTests.capabilities.enumerated() {
                let table = test.isSecureConnections ? ModelTests.secureConnections : ModelTests.legacy
                let models = expectedModels(test, table[row][column])
                var bench = try makeBench(test, initiator, responder, seed: UInt64(row * 5 + column))
                bench.run(.central, .secure(test.isProtected ? .authenticated : .encrypted))
                let isReached = !test.isProtected || models.initiator.isAuthenticated
                if isReached {
                    checkSuccess(bench, test, models, "\(initiator) with \(responder)")
                } else {
                    checkFailure(bench, test, initiator, "\(initiator) with \(responder)")
                }
            }
        }
    }

    private func expectedModels(
        _ test: Case, _ cell: ModelTests.Cell
    ) -> (initiator: AssociationModel, responder: AssociationModel) {
        let isOutOfBand = test.data == .both || (test.isSecureConnections && test.data != .none)
        if isOutOfBand { return (.outOfBand, .outOfBand) }
        return test.isProtected ? cell.models : (.justWorks, .justWorks)
    }

    private func makeBench(
        _ test: Case, _ initiator: IOCapability, _ responder: IOCapability, seed: UInt64
    ) throws -> Bench {
        var (central, peripheral) = (PairingPolicy(initiator), PairingPolicy(responder))
        central.generation = test.isSecureConnections ? .any : .legacyOnly
        central.isBonding = test.isBonding
        if test.data != .none { try addData(test, &central, &peripheral, seed: seed) }
        var bench = Bench(central: central, peripheral: peripheral, seed: seed)
        for side in Bench.Side.allCases {
            try bench.configure(side) { configuration in
                configuration.ownIdentity = OwnIdentity(
                    resolvingKey: try secret(side == .central ? 0xC1 : 0xD1), address: configuration.ownAddress)
            }
        }
        return bench
    }

    private func addData(
        _ test: Case, _ central: inout PairingPolicy, _ peripheral: inout PairingPolicy, seed: UInt64
    ) throws {
        let (atCentral, atPeripheral) = (test.data != .responderOnly, test.data != .initiatorOnly)
        var (mine, others) = (OutOfBand(), OutOfBand())
        if test.isSecureConnections {
            let tools = SeededToolbox(seed: seed + 5000)
            let (centrals, peripherals) = (try tools.makeOutOfBandData(), try tools.makeOutOfBandData())
            if atCentral { (mine.peer, others.own) = (peripherals.told, peripherals.own) }
            if atPeripheral { (others.peer, mine.own) = (centrals.told, centrals.own) }
        } else {
            if atCentral { mine.temporaryKey = try secret(0x77) }
            if atPeripheral { others.temporaryKey = try secret(0x77) }
        }
        central.outOfBand = mine
        peripheral.outOfBand = others
    }

    private func checkSuccess(
        _ bench: Bench, _ test: Case, _ models: (initiator: AssociationModel, responder: AssociationModel),
        _ comment: Comment
    ) {
        let level: SecurityLevel =
            !models.initiator.isAuthenticated
            ? .encrypted : test.isSecureConnections ? .authenticatedSecureConnections : .authenticated
        let expected = LinkProtection(
            level: level, keySize: 16, isBonded: test.isBonding, isSecureConnections: test.isSecureConnections)
        #expect(bench[.central].models == [models.initiator], comment)
        #expect(bench[.peripheral].models == [models.responder], comment)
        for side in Bench.Side.allCases {
            #expect(bench[side].failures == [], comment)
            #expect(bench[side].secured == [expected], comment)
            #expect(bench.managers[side]?.security == expected, comment)
            #expect(bench.managers[side]?.isBusy == false, comment)
            #expect(bench.managers[side]?.nextDeadline == nil, comment)
            #expect(bench[side].bonds.count == (test.isBonding ? 1 : 0), comment)
        }
        guard let centrals = bench[.central].bonds.first, let peripherals = bench[.peripheral].bonds.first else {
            return
        }
        #expect(centrals.centralKey != nil, comment)
        #expect(centrals.isSecureConnections == test.isSecureConnections, comment)
        // The same key under the name that each side knows it by.
        let others = test.isSecureConnections ? peripherals.centralKey : peripherals.peripheralKey
        #expect(centrals.centralKey == others, comment)
        #expect((centrals.level, peripherals.level) == (level, level), comment)
        #expect(centrals.identity == Bench.peripheralAddress, comment)
        #expect(peripherals.identity == Bench.centralAddress, comment)
        #expect(centrals.identityResolvingKey == (try? secret(0xD1)), comment)
        #expect(peripherals.identityResolvingKey == (try? secret(0xC1)), comment)
        #expect(centrals.ownIdentity == Bench.centralAddress, comment)
        #expect(peripherals.ownIdentity == Bench.peripheralAddress, comment)
    }

    /// Nobody here can vouch for the keys: that is said at once, and nothing is encrypted.
    private func checkFailure(_ bench: Bench, _ test: Case, _ initiator: IOCapability, _ comment: Comment) {
        #expect(bench[.central].failures == [.levelOutOfReach(.authenticated)], comment)
        #expect(bench[.central].keys == [], comment)
        let asksAtAll = initiator != .noInputNoOutput || test.data != .none && test.data != .responderOnly
        #expect(bench[.central].reasons == (asksAtAll ? [.authenticationRequirements] : []), comment)
        for side in Bench.Side.allCases {
            #expect(bench.managers[side]?.security == LinkProtection(), comment)
            #expect(bench[side].bonds == [], comment)
        }
    }
}
