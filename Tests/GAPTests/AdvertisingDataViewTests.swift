import GAP
import TestSupport
import Testing
import Wire

@Suite struct AdvertisingDataViewTests {
    @Test func findsAService() {
        for (text, isListed) in [
            ("02010603020d18", true), ("02010603030d18", true), ("020106 07030f180a180d18", true),
            ("020106030c0d18", false), ("0201060303180d", false), ("0303 0d", false), ("0203 0d", false),
            ("04030f180d", false), ("05030f0d1818", false), ("00 03030d18", false), ("", false),
            ("03140d18", false), ("110700000d1800000000000000000000000000", false),
        ] {
            let data = octets(text)
            #expect(AdvertisingDataView(data.span).lists(service: 0x180D) == isListed, "\(text)")
        }
    }

    @Test func walksTheStructures() {
        let data = octets("02010603020d180609414c504841")
        let view = AdvertisingDataView(data.span)
        var offset = 0
        #expect(view.next(&offset)?.type == .flags)
        #expect(view.next(&offset)?.data == 5..<7)
        #expect(view.next(&offset)?.offset == 7)
        #expect(view.next(&offset) == nil)
        #expect(offset == 14)
        #expect(view.first(.completeLocalName)?.data == 9..<14)
        #expect(view.first(.appearance) == nil)
        #expect(view.fault == nil)
        offset = -1
        #expect(view.next(&offset) == nil)
    }

    /// The view and the decoded values always say the same.
    @Test func agreesWithTheDecodedValues() {
        var generator = SeededGenerator(seed: 3)
        var found = 0
        for _ in 0..<20_000 {
            let data = randomData(&generator)
            let view = AdvertisingDataView(data.span)
            let decoded = AdvertisingData(decoding: data)

            var types: [ADType] = []
            var offset = 0
            while let structure = view.next(&offset) { types.append(structure.type) }
            #expect(decoded.values.map(\.type) == types)
            #expect(view.fault == decoded.faults.last { !$0.isInAStructure })

            let listed = decoded.values.contains { value in
                if case .services(let list) = value, list.width == .bits16 {
                    list.uuids.contains(0x180D)
                } else {
                    false
                }
            }
            #expect(view.lists(service: 0x180D) == listed)
            if listed { found += 1 }
        }
        #expect(found > 100)
    }

    /// Whatever a peer sends, what was sound of it goes out as it came in.
    @Test func soundDataIsEncodedAsItCame() {
        var generator = SeededGenerator(seed: 4)
        var sound = 0
        for _ in 0..<20_000 {
            let data = randomData(&generator)
            let decoded = AdvertisingData(decoding: data)
            guard decoded.faults.isEmpty, !data.contains(0) else { continue }
            #expect(decoded.encoded.count == data.count)
            #expect(AdvertisingData(decoding: decoded.encoded) == decoded)
            sound += 1
        }
        #expect(sound > 100)
    }

    /// Mostly structures of types that exist, sometimes with a wrong length.
    private func randomData(_ generator: inout SeededGenerator) -> [UInt8] {
        var data: [UInt8] = []
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            let length = UInt8.random(in: 0...9, using: &generator)
            data.append(length)
            data.append(UInt8.random(in: 1...0x31, using: &generator))
            for _ in 1..<max(1, length) {
                data.append(
                    [0x0D, 0x18, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0)
            }
        }
        return data.dropLast(Int.random(in: 0...1, using: &generator))
    }
}

extension AdvertisingData.Fault {
    fileprivate var isInAStructure: Bool {
        switch self {
        case .overrun, .earlyEnd: false
        default: true
        }
    }
}
