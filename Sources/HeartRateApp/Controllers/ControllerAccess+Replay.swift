import HCITransport
import Host
import Replay

extension ControllerAccess {
    /// Runs with a recording in the place of the controller.
    func run<Result: Sendable>(
        over file: String, _ matching: Matching?, _ session: ControllerSession,
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> End<Result> {
        var input = try CaptureInput(path: file)
        let (recording, damage) = try input.readWhole(session.console.output)
        let standIn = try standIn(recording, of: file, matching, session)
        let end: End<Result>
        do {
            end = .finished(try await session.run(over: standIn, body))
        } catch HostError.linkEnded(.recordingEnded) {
            end = .recordingEnded
        } catch {
            // What the host did otherwise may be why.
            if let difference = await standIn.procedureDifference() { session.console.messages.note("\(difference)") }
            throw error
        }
        try await judge(standIn, isAsked: matching == .equivalently, session.console)
        if let damage { throw damage }
        return end
    }

    private func standIn(
        _ recording: Recording, of file: String, _ matching: Matching?, _ session: ControllerSession
    ) throws -> StandIn {
        do throws(Unplayable) {
            let standIn = try StandIn(recording, matching, on: session.loop)
            let way =
                switch standIn.matching {
                case .strictly: "packet by packet"
                case .equivalently: "with what it tells of its devices"
                }
            session.console.messages.note("replayed: '\(file)' answers as the controller, \(way); no radio")
            return standIn
        } catch {
            throw Failure(
                .badInput, "'\(file)' cannot answer as a controller: \(error)",
                remedy: "hr-raw replay shows what the host in it saw.")
        }
    }

    /// Tells what the host did otherwise than the recorded one. Who asked for equivalence has failed by it, but not by ending early.
    private func judge(_ standIn: StandIn, isAsked: Bool, _ console: Console) async throws {
        if isAsked, let difference = await standIn.procedureDifference(ofDoneAlone: true) {
            throw Failure(.failure, "\(difference)")
        }
        if let difference = await standIn.procedureDifference() { console.messages.note("\(difference)") }
    }
}
