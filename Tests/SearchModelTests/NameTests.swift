import SearchModel
import Testing

@Suite("Names of sources and kinds")
struct NameTests {
    @Test(arguments: ["a.b", "kakao.blog", "naver.api-hub.image_2", "0.1", "-._", "a.b.c.d"])
    func `is a source`(text: String) {
        #expect(SourceName(text)?.text == text)
        #expect(SourceName(text)?.description == text)
    }

    @Test(arguments: [
        "", "a", "a.", ".a", ".", "..", "a..b", "a.b.", ".a.b", "kakao", "Kakao.blog", "kakao.블로그", "kakao blog",
        "a.b ",
        "kakao.*", "a/b.c", "a.b\n", "a.\u{212A}",
    ])
    func `is no source`(text: String) {
        #expect(SourceName(text) == nil)
    }

    @Test func `a source has 64 bytes at most`() {
        #expect(SourceName("a." + String(repeating: "b", count: 62)) != nil)
        #expect(SourceName("a." + String(repeating: "b", count: 63)) == nil)
    }

    @Test func `a source belongs to the account before its first dot`() {
        #expect(SourceName("naver.hub.blog")?.account == "naver")
        #expect(SourceName("a.b")?.account == "a")
    }

    @Test func `sources go by the alphabet`() {
        let names = ["kakao.web", "kakao.blog", "itunes.app", "kakao.blog2"].compactMap { SourceName($0) }
        #expect(names.sorted().map(\.text) == ["itunes.app", "kakao.blog", "kakao.blog2", "kakao.web"])
    }

    @Test(arguments: ["a", "blog", "mp3", "x0"]) func `is a kind`(text: String) {
        #expect(Kind(text)?.text == text)
        #expect(Kind(text)?.description == text)
    }

    @Test(arguments: ["", "3d", "Blog", "web page", "web-page", "web_page", "블로그", "a\0", "é"])
    func `is no kind`(text: String) {
        #expect(Kind(text) == nil)
    }

    @Test func `a kind has 32 bytes at most`() {
        #expect(Kind(String(repeating: "k", count: 32)) != nil)
        #expect(Kind(String(repeating: "k", count: 33)) == nil)
    }
}
