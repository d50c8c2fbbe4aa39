import Testing

@testable import HCITransport

@Suite struct ThreadPrivilegesTests {
    private let networkAdministration: UInt64 = 1 << 12

    private func thread(_ identity: Int32, user: Int = 1000, permitted: String) -> ThreadPrivileges {
        ThreadPrivileges(
            identity: identity,
            status: """
                Name:\thci loop
                State:\tS (sleeping)
                Uid:\t\(user)\t\(user)\t\(user)\t\(user)
                CapPrm:\t\(permitted)
                CapEff:\t0000000000000000
                NoNewPrivs:\t1
                """)
    }

    @Test func onlyTheKeeperMayKeep() {
        #expect(!thread(5, permitted: "0000000000001000").exceeds(networkAdministration, on: 5))
        #expect(thread(6, permitted: "0000000000001000").exceeds(networkAdministration, on: 5))
        #expect(!thread(6, permitted: "0000000000000000").exceeds(networkAdministration, on: 5))
    }

    @Test func theKeeperKeepsNoMoreThanItShould() {
        #expect(thread(5, permitted: "0000000000003000").exceeds(networkAdministration, on: 5))
        #expect(thread(5, permitted: "0000000000001000").exceeds(0, on: 5))
    }

    @Test func aThreadThatIsStillRootHasTooMuch() {
        #expect(thread(6, user: 0, permitted: "0000000000000000").exceeds(networkAdministration, on: 5))
    }

    @Test func whatCannotBeReadCountsAsTooMuch() {
        #expect(ThreadPrivileges(identity: 6, status: "State:\tS").exceeds(networkAdministration, on: 5))
    }
}
