import HCI
import HeartRate
import Testing
import Wire

@testable import HeartRateApp
@testable import Host

/// What is said of a strap that told no heart rate until `--duration` was over.
@Suite struct StrapProgressTests {
    private let device = DeviceAddress(.random, Address(rawValue: 0xC000_0000_0001))

    private var connection: Connection {
        Connection(
            id: ConnectionID(handle: ConnectionHandle(rawValue: 0x40), generation: 1), peer: device,
            interval: ConnectionInterval(rawValue: 40), latency: 0,
            supervisionTimeout: SupervisionTimeout(rawValue: 500))
    }

    /// What is said after these.
    private func progress(after links: HeartRateEvent.LinkState...) -> (state: String, remedy: String) {
        var strap = StrapRun.Strap(name: "any")
        for link in links { strap.note(link) }
        return strap.progress
    }

    @Test func whatWasNotReachedNeedsToBeNear() {
        #expect(progress().state == "the adapter took all of it to get ready")
        #expect(progress(after: .searching).state == "it was not heard")
        #expect(progress(after: .searching).remedy.contains("worn"))
    }

    @Test func whatDidNotTalkIsWorthADiagnosis() {
        let calling = progress(after: .searching, .connecting(device))
        #expect(calling.state == "it does not answer when it is called")
        let silent = progress(after: .connecting(device), .connected(connection))
        #expect(silent.state == "it is connected and has not finished answering")
        let subscribed = progress(after: .connecting(device), .connected(connection), .subscribed(connection))
        #expect(subscribed.state == "it is subscribed to and sends nothing")
        for case let (_, remedy) in [calling, silent, subscribed] { #expect(remedy.contains("hr-raw diagnose")) }
    }

    @Test func whyItsLinksEndIsSaidWhileItIsTriedAgain() {
        let ended: [HeartRateEvent.LinkState] = [
            .connecting(device), .connected(connection), .disconnected(device, .remoteLowResources),
        ]
        for next in [nil, .connecting(device), .reconnecting(device), .connected(connection)]
            as [HeartRateEvent.LinkState?]
        {
            var strap = StrapRun.Strap(name: "any")
            for link in ended + [next].compactMap(\.self) { strap.note(link) }
            #expect(strap.progress.state.hasPrefix("its link ended: Remote Device Terminated"))
        }
        #expect(
            progress(after: .disconnected(device, .connectionTimeout), .subscribed(connection)).state
                == "it is subscribed to and sends nothing")
    }
}
