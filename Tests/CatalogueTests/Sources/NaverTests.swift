import Catalogue
import JSON
import SearchModel
import Testing

struct NaverTests {
    private func items(_ items: String, total: Int = 5483, start: Int = 1) -> String {
        "{\n\t\"lastBuildDate\":\"Mon, 26 Sep 2016 11:01:35 +0900\",\n\t\"total\":\(total),\n\t\"start\":\(start),"
            + "\n\t\"display\":10,\n\t\"items\":[\(items)]}"
    }

    private func hit(_ name: String, _ item: String) throws -> Hit {
        try #require(try page(name, items(item)).hits.first)
    }

    @Test func `a blog post is mapped`() throws {
        let hit = try hit(
            "naver.blog",
            #"""
            {"title":"<b>고양이<\/b> &quot;산책&quot;","link":"https:\/\/blog.naver.com\/x\/1","description":"내용 <b>고양이<\/b>... ",
             "bloggername":"집사","bloggerlink":"blog.naver.com\/x","postdate":"20240309"}
            """#
        )
        #expect(hit.title == "고양이 \"산책\"")
        #expect(hit.titleMarks == [0..<3])
        #expect(hit.snippet == "내용 고양이...")
        #expect(hit.url == "https://blog.naver.com/x/1")
        #expect(hit.published?.text == "2024-03-09T00:00:00+09:00")
        #expect(hit.published?.precision == .day)
        #expect(hit.extra("authorURL") == "https://blog.naver.com/x")
    }

    @Test func `a news article links to its newspaper`() throws {
        let item = #"""
            {"title":"t","originallink":"ORIGINAL","link":"https://n.news.naver.com/1","description":"d","pubDate":"Sat, 09 Mar 2024 11:51:00 +0900"}
            """#
        let hit = try hit("naver.news", item.replacing("ORIGINAL", with: "http://paper.example.com/1"))
        #expect(hit.url == "http://paper.example.com/1")
        #expect(hit.extra("naverURL") == "https://n.news.naver.com/1")
        #expect(hit.published?.text == "2024-03-09T11:51:00+09:00")
        #expect(try self.hit("naver.news", item.replacing("ORIGINAL", with: "")).url == "https://n.news.naver.com/1")
    }

    @Test func `the width and height of an image are read from strings`() throws {
        let hit = try hit(
            "naver.image",
            #"{"title":"x.jpg","link":"http://img.example.com/x.jpg","thumbnail":"https://search.pstatic.net/x","sizeheight":"600","sizewidth":"800"}"#
        )
        #expect(hit.url == "http://img.example.com/x.jpg")
        #expect(hit.extra("width") == 800)
        #expect(hit.extra("height") == 600)
    }

    @Test func `a place has coordinates, but coordinates in the older grid are ignored`() throws {
        let item = #"""
            {"title":"<b>고양이<\/b> 카페","link":"","category":"카페,디저트>고양이카페","description":"","telephone":"","address":"서울특별시 마포구 1",
             "roadAddress":"서울특별시 마포구 길 1","mapx":"1269237462","mapy":"375554783"}
            """#
        let place = try hit("naver.local", item)
        #expect(place.title == "고양이 카페")
        #expect(place.url == nil)
        #expect(place.extra("longitude")?.double == 126.9237462)
        #expect(place.extra("latitude")?.double == 37.5554783)
        #expect(place.extra("categories") == ["카페,디저트", "고양이카페"])
        #expect(place.extra("address") == "서울특별시 마포구 1")
        #expect(place.extra("telephone") == nil)
        #expect(try place.id == hit("naver.local", item.replacing("<b>고양이<\\/b>", with: "고양이")).id)
        let old = try hit(
            "naver.local",
            item.replacing("1269237462", with: "309953").replacing("375554783", with: "552085")
        )
        #expect(old.extra("latitude") == nil && old.extra("longitude") == nil)
    }

    @Test(arguments: [
        ([], "“searchctl keys set naver hub” or “searchctl keys set naver legacy”"),
        (["hubId"], "“searchctl keys set naver hub”"), (["id"], "“searchctl keys set naver legacy”"),
    ])
    func `if secrets are missing, the hint has the command for each possible kind of key`(
        present: [String],
        commands: String
    ) throws {
        let source = try source("naver.blog")
        let secrets = Dictionary(uniqueKeysWithValues: present.map { ($0, Secret("a-part-of-a-key")) })
        let error = try #require(throws: SearchError.self) {
            try source.request(for: pageRequest("cat"), account: AccountAccess(secrets: secrets))
        }
        #expect(error.hint?.hasPrefix("Run \(commands), or set accounts.naver.hub") == true)
    }

    @Test func `the configured secrets determine the kind of key`() throws {
        let pair = AccountAccess(secrets: ["id": Secret("an-own-id"), "secret": Secret("a-secret")])
        #expect(try source("naver.blog").keyWays(pair) == ["legacy"])
        #expect(try source("kakao.blog").keyWays(AccountAccess()) == [])
        #expect(try source("itunes.app").keyWays(AccountAccess()) == [])
    }

    @Test func `a page is the last if it is empty, reaches the total or starts at the maximum`() throws {
        let item = #"{"title":"x","link":"https://example.org/1"}"#
        #expect(try !page("naver.blog", items(item, total: 101)).isEnd)
        #expect(try page("naver.blog", items(item, total: 100)).isEnd)
        #expect(try page("naver.blog", items(item, total: 9_000_000), page: 10).isEnd)
        #expect(try !page("naver.blog", items(item, total: 9_000_000), page: 9).isEnd)
        #expect(try page("naver.blog", items("", total: 0)).isEnd)
        #expect(try page("naver.blog", items(item, total: 9_000_000)).reachable == 1099)
        #expect(try page("naver.blog", items(item, total: 12)).reachable == 12)
        #expect(try page("naver.local", items(item, total: 5)).isEnd)
    }

    @Test func `the last page overlaps the previous page, but has only new hits`() throws {
        let three = (1...3).map { #"{"title":"t\#($0)","link":"https://example.org/\#($0)"}"# }.joined(separator: ",")
        let page = try CatalogueTests.page("naver.blog", items(three, total: 5000, start: 1000), page: 10)
        #expect(page.hits.map(\.title) == ["t2", "t3"])
        #expect(page.hits.map(\.rank) == [1001, 1002])
        #expect(try CatalogueTests.page("naver.blog", items(three, total: 5000, start: 1000), page: 11).hits.isEmpty)
    }

    @Test(arguments: [
        (200, #"{"errorMessage":"Rate limit exceeded.","errorCode":"012"}"#, "rateLimited", true),
        (200, #"{"errorMessage":"?","errorCode":"099"}"#, "badResponse", false),
        (400, #"{"errorMessage":"/v1 : Bad Request.","errorCode":"400"}"#, "invalidParams", false),
        (503, "", "unavailable", true), (200, "<rss/>", "badResponse", true),
        (200, #"{"items":null}"#, "badResponse", true),
    ])
    func `error responses that the mock server never sends have the expected error kind`(
        _ status: Int,
        _ body: String,
        _ kind: String,
        _ retryable: Bool
    ) throws {
        let error = try failure("naver.news", body, status: status)
        #expect(error.kind.rawValue == kind)
        #expect(error.retryable == retryable)
    }

    @Test(arguments: [
        ("naver.book", "Search kakao.book or google.books instead."), ("naver.shop", "Search without it."),
    ])
    func `the error for a retired source says what to search instead`(_ name: String, _ hint: String) throws {
        let error = try #require(throws: SearchError.self) { try source(name) }
        #expect(error.kind == .unknownSource)
        #expect(error.message.contains("2026-07-31"))
        #expect(error.hint == hint)
    }
}
