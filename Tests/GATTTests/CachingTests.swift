import ATT
import GATT
import TestSupport
import Testing
import Wire

/// What a client may keep of a server's handles, and how it finds out that it still holds (Core Vol 3, Part G, 2.5.2).
@Suite struct CachingTests {
    private static let hash = (0..<16).map { UInt8($0) }

    private func strap(_ attributes: [CharacteristicDefinition]?, front: [ServiceDefinition] = [])
        -> [ServiceDefinition]
    {
        let generic = attributes.map { [ServiceDefinition(.genericAttribute, $0)] } ?? []
        return generic + front + [
            ServiceDefinition(.heartRate, [CharacteristicDefinition(.heartRateMeasurement, .notify)])
        ]
    }

    private let serviceChanged = CharacteristicDefinition(.serviceChanged, .indicate)
    private let hashed = CharacteristicDefinition(.databaseHash, .read, value: CachingTests.hash)
    /// Four attributes, of which the last is a descriptor as the one that was there.
    private let front = ServiceDefinition(0xFEF0, [CharacteristicDefinition(0xFEF1, .notify)])

    private func find(in peer: ServerPeer) throws -> NotifyingCharacteristic {
        try #require(run(FindNotifyingCharacteristic(.heartRateMeasurement, in: .heartRate), with: peer).result?.value)
    }

    private func learn(_ peer: inout ServerPeer) throws -> Caching {
        let found = try find(in: peer)
        return try #require(run(LearnCaching(found), with: &peer).result?.value)
    }

    // MARK: Learning

    @Test func aServerWithServiceChanged() throws {
        var peer = ServerPeer(strap([serviceChanged]))
        let caching = try learn(&peer)
        #expect(caching.hasServiceChanged == true)
        #expect(caching.serviceChanged == 3)
        #expect(caching.databaseHash == nil)
        #expect(peer.told.contains(.configured(3, .indications)))
    }

    @Test func aServerWithAHash() throws {
        var peer = ServerPeer(strap([serviceChanged, hashed]))
        let caching = try learn(&peer)
        #expect(caching.hasServiceChanged == true)
        #expect(caching.databaseHash == Self.hash)
        #expect(caching.doHandlesHold)
    }

    @Test(arguments: [false, true]) func aServerWithoutServiceChanged(_ hasService: Bool) throws {
        var peer = ServerPeer(strap(hasService ? [] : nil))
        let caching = try learn(&peer)
        #expect(caching.hasServiceChanged == false)
        #expect(caching.serviceChanged == nil)
    }

    /// A refusal to search is no word on what there is.
    @Test(arguments: [0x06, 0x05, 0x0E, 0x10] as [UInt8]) func aServerThatDoesNotTell(_ code: UInt8) throws {
        let peer = RulePeer { request, _ in [0x01, request[0], 0x01, 0x00, code] }
        let found = try find(in: ServerPeer(strap(nil)))
        let caching = try #require(run(LearnCaching(found), with: peer).result?.value)
        #expect(caching.hasServiceChanged == nil)
    }

    @Test func aServiceChangedThatMayNotBeSubscribedToIsKnownAllTheSame() throws {
        var protected = serviceChanged
        protected.configuration = .encrypted
        var peer = ServerPeer(strap([protected]))
        let caching = try learn(&peer)
        #expect(caching.hasServiceChanged == true)
        #expect(caching.serviceChanged == nil)
        protected.configuration = nil
        peer = ServerPeer(strap([protected]))
        #expect(try learn(&peer).hasServiceChanged == true)
    }

    @Test func aHashThatMayNotBeReadIsNone() throws {
        var peer = ServerPeer(
            strap([serviceChanged, CharacteristicDefinition(.databaseHash, .read, value: Self.hash, read: .encrypted)]))
        #expect(try learn(&peer).databaseHash == nil)
        peer = ServerPeer(strap([serviceChanged, CharacteristicDefinition(.databaseHash, .read, value: [1, 2, 3])]))
        #expect(try learn(&peer).databaseHash == nil)
    }

    /// The attributes changed between their discovery and the reading of the hash: the hash must not stand for the old handles.
    @Test func aHashOfOtherHandlesProvesNothing() throws {
        let old = try find(in: ServerPeer(strap([serviceChanged, hashed])))
        let moved = ServerPeer(strap([serviceChanged, hashed], front: [front]))
        let caching = try #require(run(LearnCaching(old), with: moved).result?.value)
        #expect(!caching.doHandlesHold)
    }

    @Test func aBrokenServerTeachesNothing() throws {
        let found = try find(in: ServerPeer(strap(nil)))
        let outcome = run(LearnCaching(found), with: RulePeer(always: "07 0500 0200 0100 0100"))
        #expect(outcome.result?.error != nil)
    }

    // MARK: What is to be seen first

    private func known(_ found: NotifyingCharacteristic, _ hasServiceChanged: Bool?, _ hash: [UInt8]?) -> KnownHandles {
        KnownHandles(
            service: .heartRate, characteristic: found, hasServiceChanged: hasServiceChanged, databaseHash: hash,
            learnt: Timestamp(microseconds: 0))
    }

    @Test func theProofIsTheCheapestThatIsEnough() throws {
        let found = try find(in: ServerPeer(strap(nil)))
        #expect(known(found, false, nil).proof == .none)
        #expect(known(found, false, Self.hash).proof == .none)
        #expect(known(found, true, Self.hash).proof == .hash(Self.hash))
        #expect(known(found, nil, Self.hash).proof == .hash(Self.hash))
        #expect(known(found, true, nil).proof == .types)
        #expect(known(found, nil, nil).proof == .types)
    }

    @Test(arguments: [nil, CachingTests.hash]) func unchangedHandlesHold(_ hash: [UInt8]?) throws {
        let peer = ServerPeer(strap([serviceChanged, hashed]))
        let outcome = run(ProveHandles(known(try find(in: peer), true, hash)), with: peer)
        #expect(outcome.result == .success(.hold))
        #expect(outcome.requests.count == 1)
    }

    @Test(arguments: [nil, CachingTests.hash]) func movedHandlesDoNot(_ hash: [UInt8]?) throws {
        let found = try find(in: ServerPeer(strap([serviceChanged, hashed])))
        var changed = hashed
        changed.value[0] ^= 1
        let moved = ServerPeer(strap([serviceChanged, changed], front: [front]))
        let outcome = run(ProveHandles(known(found, true, hash)), with: moved)
        #expect(outcome.result == .success(.stale))
        #expect(outcome.requests.count == 1)
    }

    /// Five types fit into a response: a descriptor further behind takes one request more.
    @Test func aDescriptorFarBehindIsReached() throws {
        let descriptors = (0..<6).map { _ in DescriptorDefinition(.characteristicUserDescription, value: [0x41]) }
        let service = ServiceDefinition(
            .heartRate,
            [
                CharacteristicDefinition(
                    .heartRateMeasurement, .notify, configuration: nil,
                    descriptors: descriptors + [.init(.clientCharacteristicConfiguration, value: [0, 0], write: .open)])
            ])
        let peer = ServerPeer([service])
        let outcome = run(ProveHandles(known(try find(in: peer), true, nil)), with: peer)
        #expect(outcome.result == .success(.hold))
        #expect(outcome.requests.count == 2)
    }

    /// Value and descriptor stand where they stood, and the descriptor is another characteristic's now.
    @Test(arguments: [
        ("05 01 1200 372A 1300 0129 1400 0129 1500 0229", ProveHandles.Finding.hold),
        ("05 01 1200 372A 1300 0328 1400 392A 1500 0229", .stale),
    ])
    func aDescriptorBehindADeclarationIsAnothers(_ answer: String, _ finding: ProveHandles.Finding) {
        let characteristic = NotifyingCharacteristic(
            service: HandleRange(0x0010, 0x0016), uuid: .heartRateMeasurement, valueHandle: 0x0012, properties: .notify,
            configurationHandle: 0x0015, configuration: .notifications)
        let outcome = run(ProveHandles(typesOf: characteristic), with: RulePeer(always: answer))
        #expect(outcome.result == .success(finding))
    }

    @Test func aProofEndsWhateverIsAnswered() throws {
        let found = try find(in: ServerPeer(strap(nil)))
        for answer in [
            "05 01 0300 372A", "05 01 0100 0229", "05 02 0300 372A", "05", "01 04 0300 0E", "09 02 0300",
            "09 03 0300 01",
        ] {
            for hash in [nil, Self.hash] {
                let outcome = run(ProveHandles(known(found, true, hash)), with: RulePeer(always: answer))
                #expect(
                    outcome.result == .success(.stale)
                        || outcome.result
                            == .failure(.timedOut(request: hash == nil ? .findInformationRequest : .readByTypeRequest))
                )
            }
        }
    }

    @Test func aLinkThatIsGoneIsNoProofOfAnything() throws {
        let found = try find(in: ServerPeer(strap(nil)))
        for hash in [nil, Self.hash] {
            var procedure = ProveHandles(known(found, true, hash))
            _ = procedure.start()
            #expect(procedure.receive(.failure(.disconnected)) == .finished(.failure(.disconnected)))
        }
    }
}
