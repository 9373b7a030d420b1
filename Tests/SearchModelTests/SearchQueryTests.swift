import SearchModel
import TestSupport
import Testing

@Suite("A query")
struct SearchQueryTests {
    @Test(arguments: [
        ("고양이", "고양이"), ("  고양이 ", "고양이"), ("고양이   사료", "고양이 사료"), ("\t고양이\n\r사료\u{0}", "고양이 사료"),
        ("고양이\u{3000}\u{A0}사료", "고양이 사료"), ("\u{1100}\u{1161}", "\u{AC00}"), ("e\u{301}", "\u{E9}"),
        ("a\u{7}b", "a b"), ("\u{85}a\u{2028}", "a"), ("Cat", "Cat"), ("\"exact words\"", "\"exact words\""),
    ])
    func `has one spelling`(written: String, canonical: String) {
        let text = SearchQuery(written)?.text
        // Scalar by scalar, since strings compare equal whatever their normal form.
        #expect(text.map { Array($0.unicodeScalars) } == Array(canonical.unicodeScalars))
    }

    @Test(arguments: ["", " ", "\n\t\u{3000}", "\0", "\u{1}\u{7F}"]) func `is nothing without words`(written: String) {
        #expect(SearchQuery(written) == nil)
    }

    @Test(arguments: [
        ("고양ㅇ", true, true), ("고ㅏ", true, true), ("고양ᄋ", true, true), ("고양\u{FFB7}", true, true), ("ㄱ", false, true),
        ("cat ㅁ", false, true), ("ㅋㅋㅋ", false, false), ("안녕ㅋㅋ", false, false), ("고양이", false, false),
        ("catㅁ", false, false), ("ㅠㅠ", false, false), ("a", false, false),
    ])
    func `is unfinished with one jamo behind a syllable, or alone while it is typed`(
        text: String,
        isUnfinished: Bool,
        isWhileTyping: Bool
    ) {
        #expect(SearchQuery(text)?.isUnfinished(whileTyping: false) == isUnfinished)
        #expect(SearchQuery(text)?.isUnfinished(whileTyping: true) == isWhileTyping)
    }

    @Test func `has 1,024 bytes and not one more`() {
        #expect(SearchQuery(String(repeating: "a", count: 1024))?.text.utf8.count == 1024)
        #expect(SearchQuery(String(repeating: "a", count: 1025)) == nil)
        #expect(SearchQuery(String(repeating: "고", count: 341)) != nil)
        #expect(SearchQuery(String(repeating: "고", count: 341) + "a") != nil)
        #expect(SearchQuery(String(repeating: "고", count: 341) + "ab") == nil)
        #expect(SearchQuery(String(repeating: " ", count: 2000) + "a") != nil)
        // Counted when composed: three bytes from nine.
        #expect(SearchQuery(String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 341)) != nil)
        #expect(SearchQuery(String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 342)) == nil)
    }

    @Test func `is spelled alike whether its text is plain or not`() {
        var random = SeededGenerator(seed: testSeed())
        let parts: [String] = [
            " ", "a", "~", "고", "양", "\u{AC00}", "\u{D7A3}", "\u{3041}", "\u{3096}", "\u{30A1}", "\u{30FA}", "\u{4E00}",
            "\u{9FFF}", "\u{3099}", "\u{11A8}", "\u{F900}", "\u{7F}", "ー",
        ]
        for _ in 0..<3000 {
            let written = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            // The blank makes it another text, which has to be looked at closely, with the same spelling.
            let (query, same) = (SearchQuery(written), SearchQuery("\t" + written))
            #expect(
                query.map { Array($0.text.utf8) } == same.map { Array($0.text.utf8) },
                "\(Array(written.unicodeScalars))"
            )
            #expect(query == same && query.hashValue == same.hashValue)
        }
    }

    @Test func `is its own canonical spelling`() {
        var random = SeededGenerator(seed: testSeed())
        let parts: [String] = [
            " ", "\t", "\u{3000}", "\u{0}", "a", "\u{301}", "e", "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각", "🐱",
            "\u{200D}", "\u{2000}", "\u{FF21}", "\u{0958}", "\u{323}",
        ]
        for _ in 0..<3000 {
            let written = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            guard let text = SearchQuery(written)?.text else { continue }
            #expect(
                SearchQuery(text).map { Array($0.text.utf8) } == Array(text.utf8),
                "\(Array(written.unicodeScalars))"
            )
            #expect(text.first != " " && text.last != " ")
            #expect(!text.isEmpty && !text.contains("  "))
        }
    }
}
