import Testing
import Wire

@testable import GAP

@Suite struct RecencyTableTests {
    @Test func theOneNotTouchedGoesFirst() {
        var table = RecencyTable<String, Int>(capacity: 2)
        #expect(table.set("a", to: 1) == nil)
        #expect(table.set("b", to: 2) == nil)
        #expect(table.set("a", to: 3) == nil)
        let evicted = table.set("c", to: 4)
        #expect(evicted?.key == "b")
        #expect(evicted?.value == 2)
        #expect(table.entries.map(\.key) == ["c", "a"])
        #expect(table["a"] == 3)
    }

    @Test func aCapacityOfNothingIsOne() {
        var table = RecencyTable<Int, Int>(capacity: 0)
        _ = table.set(1, to: 1)
        #expect(table.set(2, to: 2)?.key == 1)
        #expect(table.remove(2) == 2)
        #expect(table.isEmpty)
    }

    /// Against a list that is searched from end to end.
    @Test func agreesWithAPlainList() {
        var generator = SeededGenerator(seed: 1)
        for capacity in [1, 2, 3, 7] {
            var table = RecencyTable<UInt64, Int>(capacity: capacity)
            var plain: [(key: UInt64, value: Int)] = []
            for step in 0..<3000 {
                let key = generator.next() % 10
                let place = plain.firstIndex { $0.key == key }
                if generator.next() % 4 == 0 {
                    #expect(table.remove(key) == place.map { plain.remove(at: $0).value })
                } else {
                    if let place { plain.remove(at: place) }
                    plain.insert((key, step), at: 0)
                    let expected = plain.count > capacity ? plain.removeLast() : nil
                    let evicted = table.set(key, to: step)
                    #expect(evicted?.key == expected?.key)
                    #expect(evicted?.value == expected?.value)
                }
                #expect(table.entries.map(\.key) == plain.map(\.key))
                #expect(table.entries.map(\.value) == plain.map(\.value))
                #expect(table.count == plain.count)
            }
        }
    }
}
