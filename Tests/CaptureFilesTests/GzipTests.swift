import CaptureFiles
import TestSupport
import Testing
import Wire

/// What a gzip file holds, fed in pieces, and what ended it.
func decompress(_ file: [UInt8], piece: Int = 4096) -> (octets: [UInt8], error: GzipError?) {
    var octets: [UInt8] = []
    do throws(GzipError) {
        var reader = try GzipReader()
        for start in stride(from: 0, to: file.count, by: piece) {
            reader.feed([UInt8](file[start..<min(start + piece, file.count)]))
            while let more = try reader.next() { octets += more }
        }
        reader.finish()
        while let more = try reader.next() { octets += more }
        return (octets, nil)
    } catch {
        return (octets, error)
    }
}

/// A gzip file of one member.
func compress(_ octets: [UInt8], piece: Int = 1000) throws -> [UInt8] {
    var writer = try GzipWriter()
    var file: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: piece) {
        writer.write(octets[start..<min(start + piece, octets.count)], to: &file)
    }
    writer.finish(to: &file)
    return file
}

@Suite struct GzipTests {
    /// `printf 'hello hello hello\n' | gzip -n`
    private let hello = octets("1f8b0800000000000003 cb48cdc9c957c840905c003b7c8adf 12000000")

    @Test func aFileOfGzipItselfIsRead() {
        for piece in [1, 3, 100] {
            let (text, error) = decompress(hello, piece: piece)
            #expect(String(decoding: text, as: UTF8.self) == "hello hello hello\n")
            #expect(error == nil)
        }
    }

    @Test func membersFollowEachOther() throws {
        let file = try compress([1, 2, 3]) + compress([]) + compress([4]) + [0, 0, 0]
        for piece in [1, 5, 1000] {
            let (octets, error) = decompress(file, piece: piece)
            #expect(octets == [1, 2, 3, 4])
            #expect(error == nil)
        }
    }

    @Test func whatWasCompressedComesBack() throws {
        var generator = SeededGenerator(seed: 1)
        for count in [0, 1, 1000, 700_000] {
            // Half of it compresses well.
            let plain = (0..<count).map { $0 % 2 == 0 ? 7 : UInt8(truncatingIfNeeded: generator.next()) }
            let file = try compress(plain)
            let (octets, error) = decompress(file)
            #expect(octets == plain)
            #expect(error == nil)
            #expect(try compress(plain, piece: 77) == file || count > 1000)
        }
    }

    @Test func aCutFileGivesWhatIsThereAndSaysSo() throws {
        let plain = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let file = try compress(plain)
        for count in 1..<file.count {
            let (octets, error) = decompress([UInt8](file[..<count]), piece: 100)
            #expect(plain.starts(with: octets))
            #expect(error == .cut(offset: count))
        }
    }

    @Test func damageIsToldWithItsPlace() throws {
        var file = try compress([UInt8](repeating: 1, count: 1000))
        file[file.count - 6] ^= 1
        let (octets, error) = decompress(file)
        #expect(octets.count == 1000)
        guard case .damaged(let offset, let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(offset == file.count - 4)
        #expect(text == "incorrect data check")
        #expect(decompress(hello + [1, 2]).error == .notAMember(offset: hello.count))
        #expect(decompress([0x1F, 0x8C, 8, 0]).error != nil)
    }

    @Test func aBombComesInPieces() throws {
        let file = try compress([UInt8](repeating: 0, count: 20_000_000), piece: 1_000_000)
        #expect(file.count < 30_000)
        var reader = try GzipReader()
        reader.feed(file)
        reader.finish()
        var count = 0
        while let octets = try reader.next() {
            #expect(octets.count <= 1 << 18)
            count += octets.count
        }
        #expect(count == 20_000_000)
    }

    @Test func randomOctetsEndInAnErrorOrAnEnd() throws {
        var generator = SeededGenerator(seed: 5)
        let good = try compress((0..<2000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        for _ in 0..<500 {
            var file = good
            for _ in 0..<3 {
                file[Int.random(in: 0..<file.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            let whole = decompress(file, piece: file.count)
            let pieces = decompress(file, piece: 7)
            #expect(whole.octets == pieces.octets)
            #expect(whole.error == pieces.error)
        }
    }
}
