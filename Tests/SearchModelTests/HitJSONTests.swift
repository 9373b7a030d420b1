import JSON
import SearchModel
import Testing

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

    @Test func `what has no value is absent`() throws {
        var hit = try hit()
        let least = #"{"id":"kakao.blog:5f2c","source":"kakao.blog","kind":"blog","title":"고양이 \"사료\"","rank":1}"#
        #expect(text(hit, withRaw: true) == least)
        hit.snippet = ""
        hit.url = ""
        hit.author = ""
        hit.thumbnail = ""
        #expect(text(hit, withRaw: true) == least)
    }

    @Test func `a full hit has the fields of the contract in its order`() throws {
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

    @Test func `marks are there for what has some`() throws {
        var hit = try hit()
        hit.snippetMarks = [4..<7]
        #expect(text(hit).contains(#""marks":{"snippet":[[4,7]]}"#))
    }

    @Test(arguments: [PublishedDate.Precision.year, .month, .day, .second])
    func `the precision is there when it is coarser than a second`(precision: PublishedDate.Precision) throws {
        var hit = try hit()
        hit.published = PublishedDate(epochSeconds: 0, offsetMinutes: 0, precision: precision)
        let root = try JSONDocument(Array(text(hit).utf8)).root
        #expect(root["published"]?.string == "1970-01-01T00:00:00Z")
        #expect(root["publishedPrecision"]?.string == (precision == .second ? nil : precision.rawValue))
    }
}
