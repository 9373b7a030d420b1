import Catalogue
import HTTP
import JSON
import SearchModel
import TestSupport
import Testing

struct HostileTests {
    @Test func `missing, null and invalid fields do not affect other fields`() throws {
        let page = try page(
            "kakao.book",
            #"""
            {"documents":[{},null,7,"x",[],{"title":null,"url":null},{"title":{},"url":[]},{"title":"","url":"javascript:x"},
            {"title":12,"url":5,"authors":"one","price":"1,000","datetime":20141117,"isbn":9788937460449,"unknown":{"deep":[1]}},
            {"url":"https://e.org/only"},{"title":"only"}],"meta":{"total_count":"277","pageable_count":-1,"is_end":"false"}}
            """#
        )
        #expect(page.hits.map(\.title) == ["12", "https://e.org/only", "only"])
        #expect(page.hits.map(\.rank) == [9, 10, 11])
        let odd = try #require(page.hits.first)
        #expect(odd.url == nil)
        #expect(odd.author == "one")
        #expect(odd.extra("price") == 1000)
        #expect(odd.published?.text == "2014-01-01T00:00:00+09:00" || odd.published == nil)
        #expect(odd.extra("isbn13") == "9788937460449")
        #expect(page.total == 277)
        #expect(!page.isEnd)
    }

    @Test func `a huge number of pages is accepted`() throws {
        let body = #"{"hits":[{"objectID":"1","title":"a"}],"nbHits":1,"nbPages":9223372036854775807}"#
        let page = try page("hackernews.stories", body)
        #expect(page.hits.count == 1 && page.reachable == 1)
    }

    @Test func `long texts and lists are truncated`() throws {
        let words = String(repeating: "고양이 ", count: 100_000)
        let names = Array(repeating: "\"a\"", count: 10_000).joined(separator: ",")
        let page = try page(
            "kakao.book",
            #"{"documents":[{"title":"\#(words)","contents":"\#(words)","publisher":"\#(words)","authors":[\#(names)],"url":"https://e.org/\#(words)"}],"meta":{"is_end":true}}"#
        )
        let hit = try #require(page.hits.first)
        #expect(hit.title.utf8.count <= 1024 && hit.title.hasPrefix("고양이 고양이"))
        #expect((hit.snippet?.utf8.count ?? 0) <= 4096)
        #expect((hit.extra("publisher")?.string?.utf8.count ?? 0) <= 8192)
        #expect(hit.extra("authors")?.array?.count == 64)
        #expect(hit.url == nil)
    }

    @Test func `hits beyond the page size are dropped`() throws {
        let items = (0..<60).map { #"{"title":"t\#($0)"}"# }.joined(separator: ",")
        let page = try page("kakao.blog", #"{"documents":[\#(items)],"meta":{"is_end":false}}"#)
        #expect(page.hits.count == 50)
    }

    @Test(arguments: [
        ("kakao.blog", #"{"documents":[],"meta":{"is_end":true}}"#),
        ("arxiv.papers", "<feed><opensearch:totalResults>0</opensearch:totalResults></feed>"),
    ])
    func `a byte order mark is ignored`(_ name: String, _ body: String) throws {
        #expect(try page(name, "\u{FEFF}" + body).isEnd)
    }

    @Test func `a response that is not UTF-8 is rejected`() throws {
        let source = try source("kakao.blog")
        let body = Array(#"{"documents":[{"title":""#.utf8) + [0xFF, 0xFE] + Array(#""}],"meta":{}}"#.utf8)
        let error = try #require(throws: SearchError.self) {
            try source.page(
                from: HTTPResponse(status: 200, body: body),
                for: pageRequest("cat"),
                account: AccountAccess()
            )
        }
        #expect(error.kind == .badResponse)
    }

    @Test func `an error message of a source is truncated and cleaned, and the query is removed`() throws {
        let long = String(repeating: "x\\u0000\\u202e\\n ", count: 1000)
        let error = try failure("kakao.blog", #"{"errorType":"X","message":"\#(long)"}"#, status: 500)
        #expect(error.message.utf8.count <= 300)
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        let echo = try failure("kakao.blog", #"{"errorType":"X","message":"no cat here"}"#, status: 500)
        #expect(!echo.message.contains("cat"))
    }

    private func query() throws(SearchError) -> SearchQuery {
        guard let query = SearchQuery("cat") else { throw SearchError(.internal, "no query") }
        return query
    }
}
