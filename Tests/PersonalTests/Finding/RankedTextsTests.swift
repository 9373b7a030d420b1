import TestSupport
import Testing

@testable import Personal

@Suite("The best matches")
struct RankedTextsTests {
    private static let syllables = ["고", "양", "이", "사", "료"]

    @Test func `are the same and in the same order, however few of them are wanted`() throws {
        var random = SeededGenerator(seed: testSeed())
        func text() -> String {
            (0..<6).map { _ in (Self.syllables + [" "]).randomElement(using: &random) ?? "" }.joined()
        }
        for query in ["고양", "ㄱㅇ", "고야", "양이 사", "고양이사료"] {
            let words = try #require(TypedWords(query))
            // The index finds all that match, and more only where a look is needed.
            let values = (Int64(0)..<300).map { ($0, title: text(), others: [text(), text()]) }.filter { value in
                var one = RankedTexts(words)
                one.add(value.0, title: value.title, others: value.others)
                return words.needsLook || !one.ranked.isEmpty
            }
            var all = RankedTexts(words)
            for value in values { all.add(value.0, title: value.title, others: value.others) }
            for needed in [0, 1, 5, 20, 100, 1000] {
                var some = RankedTexts(words, needed: needed)
                for value in values { some.add(value.0, title: value.title, others: value.others) }
                #expect(some.numbers.prefix(needed) == all.numbers.prefix(needed), "\(needed) of \(query)")
                #expect(Set(some.numbers) == Set(all.numbers), "\(needed) of \(query)")
            }
        }
    }

    @Test func `of equal matches the latest come first, in whatever order they were added`() throws {
        var found = RankedTexts(try #require(TypedWords("고양이")))
        found.add(1, at: 1, title: "고양이", others: [])
        found.add(2, at: 3, title: "고양이", others: [])
        found.add(3, at: 2, title: "고양이", others: [])
        found.add(4, at: 2, title: "고양이", others: [])
        found.add(5, at: 4, title: "사료", others: ["고양이"])
        // The last one is the newest, but does not have the word in its title.
        #expect(found.numbers == [2, 3, 4, 1, 5])
    }
}

extension RankedTexts {
    fileprivate var numbers: [Int64] { ranked.map(\.value) }
}
