import JSON
import SearchModel
import Testing

@testable import Catalogue

struct ItemIdentityTests {
    private func hit(_ kind: String, url: String?, _ extra: [String: String] = [:]) throws -> Hit {
        let source = try #require(SourceName("a.one"))
        var hit = Hit(id: "a.one:1", source: source, kind: try #require(Kind(kind)), title: "제목", rank: 1)
        hit.url = url
        hit.extra = extra.map { JSONMember($0.key, .string($0.value)) }
        return hit
    }

    private func same(_ left: Hit, _ right: Hit) -> Bool {
        !Set(ItemIdentity(left).marks).isDisjoint(with: ItemIdentity(right).marks)
    }

    @Test(arguments: [
        ("https://m.blog.naver.com/cat/22", "http://blog.naver.com/cat/22"),
        ("https://mobile.example.com/a?utm_source=x&id=1#top", "https://www.example.com:443/a/?id=1"),
        ("https://ko.m.wikipedia.org/wiki/%ea%b3%a0", "https://ko.wikipedia.org/wiki/%EA%B3%A0"),
        ("https://example.com/?fbclid=1&GCLID=2", "http://EXAMPLE.com"),
    ])
    func `different addresses of the same page match`(_ one: String, _ other: String) throws {
        #expect(same(try hit("blog", url: one), try hit("web", url: other)))
    }

    @Test(arguments: [
        ("web", "blog", true), ("news", "story", true), ("encyclopedia", "answer", true), ("cafe", "web", true),
        ("app", "web", false), ("book", "web", false), ("app", "app", true), ("recipe", "recipe", true),
        ("recipe", "web", false), ("image", "web", false), ("place", "place", false), ("music", "album", false),
    ])
    func `hits with the same address match only if their kinds are similar`(
        _ one: String,
        _ other: String,
        _ isSame: Bool
    ) throws {
        let url = "https://example.com/thing"
        #expect(same(try hit(one, url: url), try hit(other, url: url)) == isSame)
    }

    @Test func `books match by ISBN-10 or ISBN-13`() throws {
        let ten = try hit("book", url: "https://a.example/1", ["isbn10": "8937460440"])
        let thirteen = try hit("book", url: "https://b.example/2", ["isbn13": "9788937460449"])
        let both = try hit("book", url: nil, ["isbn": "89-374-6044-0 978-89-374-6044-9"])
        let other = try hit("book", url: "https://c.example/3", ["isbn13": "9788936434120"])
        #expect(same(ten, thirteen) && same(ten, both) && same(both, thirteen))
        #expect(!same(ten, other) && !same(both, other))
        #expect(!same(ten, try hit("web", url: nil, ["isbn10": "8937460440"])))
        #expect(ItemIdentity(try hit("book", url: nil, ["isbn13": "4808937460449"])).marks.isEmpty)
    }

    @Test func `papers and their web pages match by DOI or arXiv id`() throws {
        let preprint = try hit("paper", url: "https://arxiv.org/abs/1706.03762v7", ["arxiv": "1706.03762"])
        let indexed = try hit("paper", url: "https://a.example/w1", ["doi": "10.48550/arXiv.1706.03762"])
        let pdf = try hit("web", url: "http://www.arxiv.org/pdf/1706.03762v2.pdf")
        #expect(same(preprint, indexed) && same(preprint, pdf) && same(indexed, pdf))
        let article = try hit("paper", url: "https://doi.org/10.1145/329.333", ["doi": "10.1145/329.333"])
        let other = try hit("paper", url: "https://b.example/", ["doi": "10.1145/329.334"])
        #expect(same(article, try hit("story", url: "https://dx.doi.org/10.1145/329.333")))
        #expect(!same(article, other) && !same(article, preprint))
        #expect(!same(preprint, try hit("web", url: "https://arxiv.org/abs/1706.03761")))
    }

    @Test(arguments: [
        ("https://github.com/apple/swift", "https://github.com/Apple/Swift.git", true),
        ("https://github.com/apple/swift/", "http://www.github.com/apple/swift#readme", true),
        ("https://github.com/apple/swift", "https://gitlab.com/apple/swift", false),
        ("https://github.com/apple/swift", "https://github.com/apple/swift/issues/1", false),
        ("https://github.com/Apple", "https://github.com/apple", false),
    ])
    func `a repository matches its web page by name`(_ one: String, _ other: String, _ isSame: Bool) throws {
        #expect(same(try hit("repository", url: one), try hit("web", url: other)) == isSame)
    }

    @Test(arguments: [
        ("8937460440", "9788937460449"), ("080442957X", "9780804429573"), ("0306406152", "9780306406157"),
    ])
    func `ISBN-13 is computed from ISBN-10`(_ ten: String, _ thirteen: String) {
        #expect(ISBN.thirteenOfTen(in: ten.utf8.span) == thirteen)
    }

    @Test func `images match by the address of the image, not of the page`() throws {
        let page = "https://blog.example/1"
        let one = try hit("image", url: page, ["image": "https://img.example/1.jpg"])
        let two = try hit("image", url: page, ["image": "https://img.example/2.jpg"])
        let elsewhere = try hit("image", url: "https://img.example/1.jpg")
        #expect(!same(one, two))
        #expect(same(one, elsewhere))
    }
}
