import JSON
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
    func `a query has a canonical spelling`(written: String, canonical: String) {
        let text = SearchQuery(written)?.text
        // Scalars are compared, because `==` ignores differences of normal form.
        #expect(text.map { Array($0.unicodeScalars) } == Array(canonical.unicodeScalars))
    }

    @Test(arguments: ["", " ", "\n\t\u{3000}", "\0", "\u{1}\u{7F}"]) func `a query must have a word`(written: String) {
        #expect(SearchQuery(written) == nil)
    }

    @Test(arguments: [
        ("고양ㅇ", true, true), ("고ㅏ", true, true), ("고양ᄋ", true, true), ("고양\u{FFB7}", true, true), ("ㄱ", false, true),
        ("cat ㅁ", false, true), ("ㅋㅋㅋ", false, false), ("안녕ㅋㅋ", false, false), ("고양이", false, false),
        ("catㅁ", false, false), ("ㅠㅠ", false, false), ("a", false, false),
    ])
    func `a query is unfinished if it ends with an incomplete syllable`(
        text: String,
        isUnfinished: Bool,
        isWhileTyping: Bool
    ) {
        #expect(SearchQuery(text)?.isUnfinished(whileTyping: false) == isUnfinished)
        #expect(SearchQuery(text)?.isUnfinished(whileTyping: true) == isWhileTyping)
    }

    @Test func `a query has at most 1,024 bytes`() {
        #expect(SearchQuery(String(repeating: "a", count: 1024))?.text.utf8.count == 1024)
        #expect(SearchQuery(String(repeating: "a", count: 1025)) == nil)
        #expect(SearchQuery(String(repeating: "고", count: 341)) != nil)
        #expect(SearchQuery(String(repeating: "고", count: 341) + "a") != nil)
        #expect(SearchQuery(String(repeating: "고", count: 341) + "ab") == nil)
        #expect(SearchQuery(String(repeating: " ", count: 2000) + "a") != nil)
        // The limit applies to the text in NFC, in which nine bytes become three.
        #expect(SearchQuery(String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 341)) != nil)
        #expect(SearchQuery(String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 342)) == nil)
    }

    @Test func `a query is the same on the fast path and on the slow path`() {
        var random = SeededGenerator(seed: testSeed())
        let parts: [String] = [
            " ", "a", "~", "고", "양", "\u{AC00}", "\u{D7A3}", "\u{3041}", "\u{3096}", "\u{30A1}", "\u{30FA}", "\u{4E00}",
            "\u{9FFF}", "\u{3099}", "\u{11A8}", "\u{F900}", "\u{7F}", "ー",
        ]
        for _ in 0..<3000 {
            let written = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            // The tab prevents the fast path.
            let (query, same) = (SearchQuery(written), SearchQuery("\t" + written))
            #expect(
                query.map { Array($0.text.utf8) } == same.map { Array($0.text.utf8) },
                "\(Array(written.unicodeScalars))"
            )
            #expect(query == same && query.hashValue == same.hashValue)
        }
    }

    @Test func `a query does not change if it is canonicalised again`() {
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

@Suite("A hit as JSON")
struct HitJSONTests {
    private func hit() throws -> Hit {
        Hit(
            id: "kakao.blog:5f2c",
            source: try #require(SourceName("kakao.blog")),
            kind: try #require(Kind("blog")),
            title: "고양이 \"사료\"",
            rank: 1
        )
    }

    private func text(_ hit: Hit, withRaw: Bool = false, alsoFrom: [SourceName] = []) -> String {
        var writer = JSONWriter()
        hit.write(to: &writer, withRaw: withRaw, alsoFrom: alsoFrom)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `fields without a value are omitted`() throws {
        var hit = try hit()
        let least = #"{"id":"kakao.blog:5f2c","source":"kakao.blog","kind":"blog","title":"고양이 \"사료\"","rank":1}"#
        #expect(text(hit, withRaw: true) == least)
        hit.snippet = ""
        hit.url = ""
        hit.author = ""
        hit.thumbnail = ""
        #expect(text(hit, withRaw: true) == least)
    }

    @Test func `the fields are in the order of the protocol`() throws {
        var hit = try hit()
        hit.snippet = "…"
        hit.titleMarks = [0..<3, 5..<7]
        hit.snippetMarks = [0..<1]
        hit.url = "https://example.com/"
        hit.author = "누구"
        hit.published = PublishedDate(epochSeconds: 1_709_910_000, offsetMinutes: 540, precision: .day)
        hit.thumbnail = "https://example.com/a.png"
        hit.extra = [JSONMember("price", 12_000), JSONMember("isbn", "9788936434120")]
        hit.raw = Array("{\n \"title\": \"<b>고양이</b>\"\r\n}".utf8)[...]
        let other = try #require(SourceName("naver.blog"))
        let expected =
            #"{"id":"kakao.blog:5f2c","source":"kakao.blog","kind":"blog","title":"고양이 \"사료\"","snippet":"…","#
            + #""marks":{"title":[[0,3],[5,7]],"snippet":[[0,1]]},"url":"https://example.com/","author":"누구","#
            + #""published":"2024-03-09T00:00:00+09:00","publishedPrecision":"day","#
            + #""thumbnail":"https://example.com/a.png","rank":1,"extra":{"price":12000,"isbn":"9788936434120"},"#
            + #""alsoFrom":["naver.blog"],"raw":{  "title": "<b>고양이</b>"  }}"#
        #expect(text(hit, withRaw: true, alsoFrom: [other]) == expected)
        #expect(!text(hit).contains("raw"))
    }

    @Test func `only fields with matches have marks`() throws {
        var hit = try hit()
        hit.snippetMarks = [4..<7]
        #expect(text(hit).contains(#""marks":{"snippet":[[4,7]]}"#))
    }

    @Test(arguments: [PublishedDate.Precision.year, .month, .day, .second])
    func `publishedPrecision is written unless the date is precise to the second`(precision: PublishedDate.Precision)
        throws
    {
        var hit = try hit()
        hit.published = PublishedDate(epochSeconds: 0, offsetMinutes: 0, precision: precision)
        let root = try JSONDocument(Array(text(hit).utf8)).root
        #expect(root["published"]?.string == "1970-01-01T00:00:00Z")
        #expect(root["publishedPrecision"]?.string == (precision == .second ? nil : precision.rawValue))
    }
}
