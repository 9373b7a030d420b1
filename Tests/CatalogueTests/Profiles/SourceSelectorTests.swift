import SearchModel
import Testing

@testable import Catalogue

struct SourceSelectorTests {
    @Test func `names, globs, accounts, profiles and names with a language placeholder are recognised`() throws {
        #expect(SourceSelector("kakao.blog") == .source(try #require(SourceName("kakao.blog"))))
        #expect(SourceSelector("kakao.*") == .glob("kakao.*"))
        #expect(SourceSelector("*") == .glob("*"))
        #expect(SourceSelector("kakao") == .account("kakao"))
        #expect(SourceSelector("@books") == .profile("@books"))
        #expect(SourceSelector("wikipedia.{language}") == .edition("wikipedia.{language}"))
        for text in ["kakao.blog", "kakao.*", "kakao", "@books", "wikipedia.{language}"] {
            #expect(SourceSelector(text)?.text == text)
        }
    }

    @Test(arguments: [
        "", "@", "@@", "@Books", "@a.b", "kakao blog", "Kakao", "kakao.", ".blog", "a..b", "*한*", "{language}",
        "a.{lang}",
        "a.{language}.{language}", "e\u{301}", String(repeating: "a", count: SourceSelector.bytesMax + 1),
    ])
    func `texts that are not valid selectors are rejected`(text: String) {
        #expect(SourceSelector(text) == nil)
    }
}
