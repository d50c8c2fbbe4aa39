import TestSupport
import Testing

/// Nothing public without a word on it, no target without tests.
@Suite struct CompletenessTests {
    @Test func publicNamesAreDocumented() throws {
        let sources = try SourceTree.shipped.get()
        let witnesses = Rule.standardWitnesses.union(Rule.witnesses(declaredIn: sources))
        #expect(Rule.undocumented(witnesses: witnesses).offences(in: sources, except: Allowance.all) == [])
    }

    @Test func everyTestTargetHasTests() throws {
        let layers = try Layers.ofThisPackage()
        let files = try SourceTree.tests.get().filter { $0.target.hasSuffix("Tests") }
        for (target, files) in Dictionary(grouping: files, by: \.target) {
            #expect(files.contains { !$0.lines(matching: #/@Test\b/#).isEmpty }, "\(target) has no test")
        }
        for layer in layers.uses {
            #expect(files.contains { $0.target == layer.name + "Tests" }, "\(layer.name) has no test target")
        }
    }
}
