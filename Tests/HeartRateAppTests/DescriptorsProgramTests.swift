import Foundation
import Testing

/// The program is started with some of its standard descriptors closed. What it opens itself must not take their place.
@Suite struct DescriptorsProgramTests {
    @Test(arguments: ["connect any --count 1", "scan --count 1", "gatt any read 2A19", "--version"])
    func aClosedOutputIsAnErrorAndNoHang(_ command: String) throws {
        let outcome = try BuiltProgram.shell("\"$HR\" --adapter sim \(command) >&-")
        #expect(outcome.status == 1)
        #expect(outcome.messages.contains("cannot write to standard output: Bad file descriptor"))
    }

    @Test func withAllOfThemClosedNothingIsWrittenElsewhere() throws {
        let folder = try TemporaryFolder()
        let capture = folder.url.appendingPathComponent("x.btsnoop")
        let outcome = try BuiltProgram.shell(
            "\"$HR\" --adapter sim --capture '\(capture.path)' -v gatt any read 2A19 <&- 2>&-")
        #expect(outcome.status == 0)
        #expect(outcome.output == "5b\n")
        let decoded = try BuiltProgram.run(["decode", capture.path])
        #expect(decoded.status == 0, "\(decoded.messages)")
        #expect(!String(decoding: try Data(contentsOf: capture), as: UTF8.self).contains("simulated"))
    }
}
