import Testing

@testable import Host

/// What a reader who is too slow is told.
@Suite struct DeliveryTests {
    private func read(_ stream: AsyncStream<Delivery<Int>>) async -> [Delivery<Int>] {
        await stream.reduce(into: []) { $0.append($1) }
    }

    @Test func whatIsReadInTimeIsWhole() async {
        var (outlet, stream) = Outlet<Int>.make(bound: 3)
        for value in 1...3 { outlet.send(value) }
        outlet.finish()
        #expect(await read(stream) == [.value(1), .value(2), .value(3)])
    }

    /// The stream is full when it ends: how many did not fit is told all the same, last.
    @Test(arguments: 1...3) func theEndTellsWhatDidNotFit(_ missed: Int) async {
        var (outlet, stream) = Outlet<Int>.make(bound: 2)
        for value in 1...2 + missed { outlet.send(value) }
        outlet.finish()
        #expect(await read(stream) == [.value(1), .value(2), .gap(missed)])
    }

    @Test func aGapStandsWhereItIs() async {
        var (outlet, stream) = Outlet<Int>.make(bound: 2)
        for value in 1...5 { outlet.send(value) }
        var reader = stream.makeAsyncIterator()
        #expect(await reader.next() == .value(1))
        #expect(await reader.next() == .value(2))
        outlet.send(6)
        outlet.send(7)
        outlet.finish()
        #expect(await reader.next() == .gap(3))
        #expect(await reader.next() == .value(6))
        #expect(await reader.next() == .gap(1))
        #expect(await reader.next() == nil)
    }

    @Test func aReaderWhoHasLeftIsNoticed() {
        var outlet = Outlet<Int>.make(bound: 2).outlet
        let isRead = outlet.send(1)
        #expect(!isRead)
    }
}
