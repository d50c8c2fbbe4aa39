import ATT
import Capture
import Dissection
import HCI
import TestSupport
import Testing
import Wire

/// The frames of a capture that a filter admits.
private func frames(_ name: String, _ set: (inout RecordFilter) -> Void) throws -> [Int] {
    var filter = RecordFilter()
    set(&filter)
    #expect(!filter.isEmpty)
    return dissect(try fixture("captures/edge/\(name).btsnoop")).filter { filter.admits($0) }.map(\.record.frame)
}

@Suite struct RecordFilterTests {
    @Test func nothingAskedForAdmitsAll() throws {
        var filter = RecordFilter()
        #expect(filter.isEmpty)
        let all = dissect(try fixture("captures/edge/zero_length.btsnoop"))
        #expect(all.allSatisfy { filter.admits($0) })
    }

    @Test func severalOfOneKindMeanAnyAndSeveralKindsMeanAll() throws {
        let commands = try frames("btsnoop_1002_h4") { $0.kinds = [.command] }
        let events = try frames("btsnoop_1002_h4") { $0.kinds = [.event] }
        #expect(!commands.isEmpty && !events.isEmpty)
        #expect(try frames("btsnoop_1002_h4") { $0.kinds = [.command, .event] } == (commands + events).sorted())
        let connection = try frames("btsnoop_1002_h4") { $0.handles = [ConnectionHandle(rawValue: 0x0040)] }
        let both = try frames("btsnoop_1002_h4") {
            $0.kinds = [.event]
            $0.handles = [ConnectionHandle(rawValue: 0x0040)]
        }
        #expect(!both.isEmpty)
        #expect(both == connection.filter(events.contains))
    }

    @Test func typesAreTold() throws {
        #expect(try frames("btsnoop_1002_h4") { $0.kinds = [.sco] } == [19, 20])
        #expect(try frames("btsnoop_1002_h4") { $0.kinds = [.iso] } == [21, 22])
        let notes = try frames("btsnoop_2001_monitor") { $0.kinds = [.note] }
        #expect(notes.prefix(4) == [1, 2, 3, 4])
        #expect(try frames("zero_length") { $0.kinds = [.other] } == [3])
    }

    @Test func anAddressIsFoundWhereverARecordIsAboutIt() throws {
        let strap = try #require(Address("C0:DE:00:00:00:01"))
        let found = try frames("le_session") { $0.addresses = [strap] }
        // Two reports, the connection's command and its event, all data of both links, and their ends.
        #expect(found.prefix(4) == [9, 10, 13, 15])
        #expect(found.contains(56) && found.last == 108)
        #expect(try frames("le_session") { $0.addresses = [.zero] }.count < 5)
        #expect(try frames("three_reports") { $0.addresses = [Address(rawValue: 0xC0DE_0000_0002)] } == [1, 2])
    }

    @Test func aConnectionIsFoundAlsoInAnEventAboutSeveral() {
        var filter = RecordFilter()
        filter.handles = [ConnectionHandle(rawValue: 0x0041)]
        // Number Of Completed Packets of 0x0040 and 0x0041, of 0x0040 and 0x0042, and one cut short.
        let all = dissect([
            "> 04 13 09 02 4000 0100 4100 0100", "> 04 13 09 02 4000 0100 4200 0100", "> 04 13 09 02 4000 0100 41",
        ])
        #expect(all.map { filter.admits($0) } == [true, false, false])
    }

    @Test func attributesAreFoundByPDUHandleAndType() throws {
        let notifications = try frames("le_session") { $0.attributes = [.opcode(.handleValueNotification)] }
        #expect(notifications.count == 36)
        #expect(try frames("le_session") { $0.attributes = [.handle(0x000C)] } == notifications)
        // Also the configuration of the characteristic, and its response.
        #expect(
            try frames("le_session") { $0.attributes = [.type(0x2A37)] }
                == ([56, 57, 100, 101] + notifications).sorted())
        #expect(try frames("le_session") { $0.attributes = [.handle(0x000D)] } == [56, 57, 100, 101])
        let all = try frames("le_session") { $0.attributes = [.any] }
        #expect(all.count > 60 && !all.contains(15))
    }

    @Test func pdusHaveTheNamesOfTheSpecification() {
        #expect(AttributeSelector.opcodes(named: "write-command") == [.writeCommand, .signedWriteCommand])
        #expect(AttributeSelector.opcodes(named: "Confirmation") == [.handleValueConfirmation])
        #expect(AttributeSelector.opcodes(named: "NOTIFICATION").count == 2)
        #expect(AttributeSelector.opcodes(named: "read request").contains(.readRequest))
        #expect(AttributeSelector.opcodes(named: "notif").isEmpty)
        #expect(AttributeSelector.opcodes(named: "").isEmpty && AttributeSelector.opcodes(named: " -").isEmpty)
        #expect(AttributeSelector.words.contains("indication"))
    }

    @Test func timesCountFromTheFirstRecordOrByTheClock() throws {
        let second = try frames("le_session") {
            $0.start = .after(.seconds(1))
            $0.end = .after(.seconds(2))
        }
        let clock = try frames("le_session") {
            $0.start = Timestamp("2024-02-29T23:59:59.5Z").map(RecordFilter.Bound.at)
            $0.end = Timestamp("2024-03-01T00:00:00.5Z").map(RecordFilter.Bound.at)
        }
        #expect(second == clock)
        // Both ends are within: four records a second.
        #expect(second.count == 5)
        let stream = dissect(try fixture("captures/google__bumble__hci_data_001.bin"))
        var filter = RecordFilter()
        filter.start = .after(.zero)
        #expect(stream.allSatisfy { !filter.admits($0) })
    }
}
