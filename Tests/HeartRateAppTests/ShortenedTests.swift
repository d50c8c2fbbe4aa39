import Testing

@testable import HeartRateApp

@Suite struct ShortenedTests {
    @Test func longTextsAreShortened() {
        #expect("abcd".shortened(to: 4) == "abcd")
        #expect("abcde".shortened(to: 4) == "abcd…")
    }
}
