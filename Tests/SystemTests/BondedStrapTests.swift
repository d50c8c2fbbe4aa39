import GAP
import HCI
import SMP
import Simulator
import Testing
import Wire

@testable import Host

/// Straps that were paired before: the host encrypts before anything else, knows them under any of their addresses, and is not taken in.
@Suite struct BondedStrapTests {
    private static let identity = DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_53_01))

    /// Pairs with the first strap and streams until it ends the link.
    private func met(
        _ name: String, _ adjust: (inout SecuritySetup) -> Void = { _ in }
    ) throws -> Stage {
        var stage = Stage(try #require(Scenario.named(name)), adjust)
        #expect(stage.start() == nil)
        let heard = stage.findStrap()
        let target = try #require(heard)
        guard case .subscribed(let id) = stage.subscribe(to: target) else {
            Issue.record("\(name): not subscribed")
            return stage
        }
        let hasEnded = stage.pass { $0.ending(of: id) != nil }
        #expect(hasEnded)
        stage.pass(.seconds(4))
        #expect(stage.values.count >= 25)
        stage.beginCourse()
        return stage
    }

    @Test func eachIsHere() {
        let names = Set(Self.lasting + ["forgetful", "new-battery"])
        #expect(Set(Scenario.bonded.map(\.name)) == names)
    }

    private static let lasting = [
        "security-request", "subscribed", "bonded-only", "directed", "rotating", "rotating-public",
        "rotating-unresolved",
    ]

    /// Again and again, and after the host was started anew: encrypted first, subscribed again all the same, and never paired twice.
    @Test(arguments: lasting.filter { $0 != "security-request" }) func isMetAgain(_ name: String) throws {
        // Who hides is not called by name.
        let adjust = { (setup: inout SecuritySetup) in if name == "directed" { setup.ownAddress = .public } }
        var stage = try met(name, adjust)
        let identity = try #require(stage.bonds.first?.identity)
        #expect(
            identity
                == (name == "rotating-public"
                    ? DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_01)) : Self.identity))
        for round in 1...3 {
            if round == 3 {
                #expect(stage.answer(to: .stop) == .success(.done))
                stage.restartHost(adjust)
                #expect(stage.start() == nil)
            }
            stage.beginCourse()
            let before = stage.values.count
            guard case .subscribed(let id) = stage.subscribe(to: identity) else {
                Issue.record("\(name), round \(round): not subscribed")
                return
            }
            #expect(stage.course.first == Stage.encryption)
            #expect(!stage.course.contains(Stage.pairing) && stage.course.filter { $0 == 0x12 }.count == 1)
            #expect(stage.engine.links[id.handle]?.connection.security.isBonded == true)
            let hasEnded = stage.pass { $0.ending(of: id) != nil }
            #expect(hasEnded)
            #expect(stage.values.count >= before + 25)
            stage.pass(.seconds(4))
        }
        #expect(stage.bonds.count == 1)
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    /// It asks by itself; the host pairs, and later encrypts, once.
    @Test func itsOwnRequestIsHonoured() throws {
        let scenario = try #require(Scenario.named("security-request"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        for round in 1...2 {
            stage.beginCourse()
            guard case .subscribed(let id) = stage.subscribe(to: Self.identity) else {
                Issue.record("not subscribed")
                return
            }
            stage.pass(.seconds(5))
            #expect(stage.engine.links[id.handle]?.connection.security.level == .encrypted)
            #expect(stage.course.filter { $0 == Stage.pairing }.count == (round == 1 ? 1 : 0))
            #expect(stage.course.filter { $0 == Stage.encryption }.count == 1)
            #expect(stage.answer(to: .disconnect(id)) == .success(.done))
            stage.pass(.seconds(1))
        }
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    /// 0x06: nothing is asked of it, the bond is kept, and the user can pair anew.
    @Test(arguments: ["forgetful", "new-battery"]) func aForgottenBondIsTheUsersToReplace(_ name: String) throws {
        var stage = try met(name)
        let bond = try #require(stage.bonds.first)
        guard
            case .success(.connected(let connection)) = stage.answer(
                to: .connect(Self.identity, .heartRate, within: .seconds(30)))
        else {
            Issue.record("not connected")
            return
        }
        #expect(stage.subscribe(on: connection.id) == .failed(.security(.keyMissing)))
        #expect(stage.course == [Stage.encryption])
        #expect(stage.engine.identities[Self.identity] == bond)
        #expect(stage.bonds.count == 1)
        guard case .success(.secured(let protection)) = stage.answer(to: .pair(connection.id, .encrypted)) else {
            Issue.record("not paired")
            return
        }
        #expect(protection.level == .encrypted && protection.isBonded)
        #expect(stage.bonds.count == 2 && stage.bonds.last?.centralKey != bond.centralKey)
        guard case .subscribed = stage.subscribe(on: connection.id) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.remains() == [])
    }

    /// What it was subscribed to comes before it is asked for, and is not lost.
    @Test func whatItRemembersIsToldAtOnce() throws {
        var stage = try met("subscribed")
        let before = stage.values.count
        guard case .subscribed(let id) = stage.subscribe(to: Self.identity) else {
            Issue.record("not subscribed")
            return
        }
        stage.pass(.seconds(10))
        #expect(stage.values.count >= before + 8)
        #expect(stage.ending(of: id) == nil)
    }

    // MARK: Addresses

    /// Whoever recognises it, the controller or the host, it is told by its identity, under each of its addresses.
    @Test(arguments: ["rotating", "rotating-unresolved", "rotating-public"])
    func aRotatingAddressIsTheIdentityToUs(_ name: String) throws {
        var stage = try met(name)
        let identity = try #require(stage.bonds.first?.identity)
        let first = try #require(stage.connections.first)
        let before = stage.sightings.count
        #expect(stage.answer(to: .scan(isActive: true)) == .success(.done))
        stage.pass(.seconds(100))
        #expect(stage.answer(to: .stopScanning) == .success(.done))
        let heard = stage.sightings[before...].map(\.advertisement.advertiser)
        #expect(heard.count > 100)
        let kind: AddressKind = name == "rotating-public" ? .publicIdentity : .randomIdentity
        #expect(Set(heard) == [DeviceAddress(kind, identity.address)])
        guard case .subscribed = stage.subscribe(to: identity) else {
            Issue.record("not subscribed")
            return
        }
        let second = try #require(stage.connections.last)
        #expect(second.peer.address == identity.address)
        #expect(second.airAddress.randomness == .resolvable && second.airAddress != first.airAddress)
    }

    /// The same where the controller could recognise it and must not.
    @Test func theHostRecognisesItByItselfWhereItIsTold() throws {
        var stage = try met("rotating") { $0.usesControllerPrivacy = false }
        guard case .subscribed = stage.subscribe(to: Self.identity) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.course.first == Stage.encryption)
    }

    /// Before there is a bond it is a stranger under every address.
    @Test func withoutABondARotatingAddressIsWhatItIs() throws {
        var stage = Stage(try #require(Scenario.named("rotating")))
        #expect(stage.start() == nil)
        #expect(stage.answer(to: .scan(isActive: true)) == .success(.done))
        stage.pass(.seconds(100))
        let heard = Set(stage.sightings.map(\.advertisement.advertiser))
        #expect((3...5).contains(heard.count))
        #expect(heard.allSatisfy { $0.kind == .random && $0.randomness == .resolvable })
        #expect(stage.subscribe(to: Self.identity, within: .seconds(20)) == .failed(.timedOut(.connecting)))
    }

    /// The host shows itself under another private address as time passes, and those that know its key recognise it.
    @Test func theHostsOwnAddressIsPrivateOnceThereAreBonds() throws {
        var stage = try met("bonded-only")
        var own: [DeviceAddress] = []
        for _ in 1...3 {
            guard case .subscribed(let id) = stage.subscribe(to: Self.identity) else {
                Issue.record("not subscribed")
                return
            }
            own.append(try #require(stage.connections.last).ownAddress)
            #expect(stage.answer(to: .disconnect(id)) == .success(.done))
            stage.pass(.seconds(1000))
        }
        let key = try #require(stage.engine.ownKey)
        #expect(Set(own).count == 3)
        for address in own { #expect(try stage.toolbox.resolves(address.address, with: key)) }
        #expect(stage.remains() == [])
    }
}
