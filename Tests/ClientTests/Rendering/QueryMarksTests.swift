import Testing

@testable import Client

struct QueryMarksTests {
    /// The marked pieces of a text.
    private func marked(_ query: String, in text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return QueryMarks(query: query).ranges(in: text).map { range in
            String(String.UnicodeScalarView(scalars[range]))
        }
    }

    @Test(arguments: [
        ("고양이", "우리 고양이가 길고양이를", ["고양이", "고양이"]), ("고양이 사료", "사료와 고양이", ["사료", "고양이"]),
        ("CAT", "A cat, Cats and a bobcat", ["cat", "Cat"]), ("go", "go Google 고go", ["go", "go"]),
        ("스위프트", "Swift", []), ("ネコ", "黒ネコの本", ["ネコ"]), ("c++", "C and c++", ["c++"]),
        ("straße", "STRAßE", ["STRAßE"]), ("2024", "2024년", ["2024"]), ("!?", "!?", []), ("", "a", []),
        ("cafe", "Café", ["Café"]), ("кот", "кот, скот", ["кот"]),
    ])
    func `words are found where a reader sees them`(query: String, text: String, found: [String]) {
        #expect(marked(query, in: text) == found)
    }

    @Test func `both normal forms are the same word`() {
        let apart = "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}"
        #expect(QueryMarks(query: "고양").ranges(in: "길\(apart)이") == [1..<6])
        #expect(QueryMarks(query: apart).ranges(in: "길고양이") == [1..<3])
        #expect(QueryMarks(query: "cafe\u{301}").ranges(in: "Café") == [0..<4])
    }

    @Test func `a whole grapheme is marked, and ranges that meet are one`() {
        #expect(QueryMarks(query: "고양 양이").ranges(in: "고양이") == [0..<3])
        #expect(QueryMarks.joined([4..<6, 0..<2, 2..<3, 5..<9]) == [0..<3, 4..<9])
    }

    @Test func `no more words are looked for than the limit`() {
        let words = (0...QueryMarks.wordsMax).map { "w\($0)x" }
        #expect(marked(words.joined(separator: " "), in: words.joined(separator: " ")).count == QueryMarks.wordsMax)
    }
}
