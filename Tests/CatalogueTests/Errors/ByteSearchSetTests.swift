import TestSupport
import Testing

@testable import Catalogue

struct ByteSearchSetTests {
    private func finds(_ needles: [String], in text: String) -> Bool {
        ByteSearchSet(needles.map { Array($0.utf8) }).findsAny(in: text.utf8.span)
    }

    @Test func `a needle is found wherever it stands, whole`() {
        let needles = ["abcd", "bcdefgh", "사용자"]
        for text in ["abcd", "xabcd", "abcdx", "--bcdefgh", "abcbcdefghx", "이 사용자는", "aabcaabcd"] {
            #expect(finds(needles, in: text))
        }
        for text in ["", "abc", "abc d", "bcdefg", "bcdefgabc", "사용", "ABCD"] {
            #expect(!finds(needles, in: text))
        }
    }

    @Test func `nothing is found where there is nothing to look for`() {
        #expect(!finds([], in: "abcd"))
    }

    @Test func `needles of many lengths are found in noise of few letters, and only there`() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let needles = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Self.noise(.random(in: ByteSearchSet.needleBytesMin...9, using: &random), &random)
            }
            let text = Self.noise(.random(in: 0...60, using: &random), &random)
            let expected = needles.contains { text.contains($0) }
            #expect(finds(needles, in: text) == expected, "\(needles) in \(text), seed \(seed)")
        }
    }

    @Test func `a needle longer than a skip can say is found`() {
        let long = String(repeating: "ab", count: 400)
        #expect(finds([long + "c"], in: "x" + long + long + "c"))
        #expect(!finds([long + "c"], in: long + long))
    }

    private static func noise(_ count: Int, _ random: inout some RandomNumberGenerator) -> String {
        String((0..<count).map { _ in "abc".randomElement(using: &random) ?? "a" })
    }
}
