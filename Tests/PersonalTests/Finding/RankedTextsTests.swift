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
            let values = (0..<300).map { ($0, title: text(), others: [text(), text()]) }.filter { value in
                var one = RankedTexts<Int>(words)
                one.add(value.0, title: value.title, others: value.others)
                return words.needsLook || !one.sorted.isEmpty
            }
            var all = RankedTexts<Int>(words)
            for value in values { all.add(value.0, title: value.title, others: value.others) }
            for needed in [0, 1, 5, 20, 100, 1000] {
                var some = RankedTexts<Int>(words, needed: needed)
                for value in values { some.add(value.0, title: value.title, others: value.others) }
                #expect(some.sorted.prefix(needed) == all.sorted.prefix(needed), "\(needed) of \(query)")
                #expect(Set(some.sorted) == Set(all.sorted), "\(needed) of \(query)")
            }
        }
    }

    @Test func `of equal matches the latest come first, in whatever order they were added`() throws {
        var found = RankedTexts<String>(try #require(TypedWords("고양이")))
        found.add("old", at: 1, title: "고양이", others: [])
        found.add("new", at: 3, title: "고양이", others: [])
        found.add("between", at: 2, title: "고양이", others: [])
        found.add("later of the same time", at: 2, title: "고양이", others: [])
        found.add("newest, but not in its title", at: 4, title: "사료", others: ["고양이"])
        #expect(
            found.sorted
                == ["new", "between", "later of the same time", "old", "newest, but not in its title"]
        )
    }
}
