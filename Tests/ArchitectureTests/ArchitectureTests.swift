import TestSupport
import Testing

/// Holds the sources to what Docs/Architecture.md says of them.
@Suite struct ArchitectureTests {
    let sources: [SwiftSource]
    let layers: Layers

    init() throws {
        sources = try SourceTree.shipped.get()
        layers = try Layers.ofThisPackage()
    }

    @Test func theTableAndTheSourcesAreRead() {
        #expect(layers.uses.count >= 14)
        #expect(sources.count > layers.uses.count)
        let targets = Set(sources.map(\.target))
        for layer in layers.uses { #expect(targets.contains(layer.name), "\(layer.name) has no sources") }
    }

    @Test func layersStandOnLowerOnes() {
        #expect(layers.upwardUses == [])
    }

    @Test func importsPointDown() {
        #expect(layers.importRule.offences(in: sources, except: Allowance.all) == [])
    }

    @Test(arguments: Rule.traps.map(\.name))
    func nothingTrapsOrHidesARace(_ name: String) throws {
        let rule = try #require(Rule.traps.first { $0.name == name })
        #expect(rule.offences(in: sources, except: Allowance.all) == [])
    }

    @Test func filesAndFoldersAreOfAReadableSize() throws {
        let all = try sources + SourceTree.tests.get()
        #expect(Rule.length.offences(in: all, except: Allowance.all) == [])
        #expect(Rule.crowdedFolders(in: all) == [])
    }

    @Test func everyAllowanceIsStillNeeded() throws {
        let rules = Rule.traps + [Rule.length, layers.importRule]
        for allowance in Allowance.all {
            let rule = try #require(rules.first { $0.name == allowance.rule }, "no rule is called so: \(allowance)")
            let file = try #require(sources.first { $0.path == allowance.path }, "no such file: \(allowance)")
            #expect(!rule.offences(file).isEmpty, "no longer needed: \(allowance)")
            #expect(!allowance.reason.isEmpty)
        }
    }
}
