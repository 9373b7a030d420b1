import Catalogue
import HTTP
import SearchModel
import Testing

struct KakaoBlogTests {
    private let body = #"""
        {"documents":[
          {"blogname":"냥이 일기 &amp; 산책","contents":"오늘도 <b>고양이</b>와\u200b 산책&#39;했다.\n  <b>고양이</b>","datetime":"2024-03-09T11:51:51.000+09:00",
           "thumbnail":"https://search1.example.com/t?fname=x","title":"<b>고양이</b> 산책 &lt;1편&gt;","url":"http://blog.example.com/1?a=1\u0026b=2"},
          {"blogname":"","contents":"","datetime":"","thumbnail":"","title":"둘","url":"https://blog.example.com/2"}
        ],"meta":{"is_end":false,"pageable_count":799,"total_count":36195}}
        """#

    @Test func `a request without a key fails`() throws {
        let source = try source("kakao.blog")
        let error = try #require(throws: SearchError.self) {
            try source.request(for: pageRequest("cat"), account: AccountAccess())
        }
        #expect(error.kind == .notConfigured)
        #expect(error.hint == "Run “searchctl keys set kakao”, or set accounts.kakao.key in the configuration.")
        var system = AccountAccess()
        system.keysCommand = AccountAccess.systemKeysCommand
        let other = try #require(throws: SearchError.self) {
            try source.request(for: pageRequest("cat"), account: system)
        }
        #expect(other.hint?.hasPrefix("Run “sudo searchctl keys set --system kakao”") == true)
    }

    @Test func `a page is mapped`() throws {
        let page = try page("kakao.blog", body)
        #expect(page.total == 36195)
        #expect(page.reachable == 799)
        #expect(!page.isEnd)
        let hit = try #require(page.hits.first)
        #expect(hit.id.hasPrefix("kakao.blog:"))
        #expect(hit.title == "고양이 산책 <1편>")
        #expect(hit.titleMarks == [0..<3])
        #expect(hit.snippet == "오늘도 고양이와 산책'했다. 고양이")
        #expect(hit.snippetMarks == [4..<7, 16..<19])
        #expect(hit.url == "http://blog.example.com/1?a=1&b=2")
        #expect(hit.author == "냥이 일기 & 산책")
        #expect(hit.published?.text == "2024-03-09T11:51:51+09:00")
        #expect(hit.published?.precision == .second)
        #expect(hit.thumbnail == "https://search1.example.com/t?fname=x")
        #expect(hit.rank == 1)
        let second = try #require(page.hits.last)
        #expect(second.title == "둘")
        #expect(second.snippet == nil && second.author == nil && second.published == nil && second.thumbnail == nil)
        #expect(second.rank == 2)
    }

    @Test func `the raw text of a hit has the unchanged bytes from the source`() throws {
        let page = try page("kakao.blog", body, keepRaw: true)
        let raw = try #require(page.hits.last).raw
        #expect(
            String(decoding: raw, as: UTF8.self)
                == #"{"blogname":"","contents":"","datetime":"","thumbnail":"","title":"둘","url":"https://blog.example.com/2"}"#
        )
    }

    @Test func `a page after the end is empty`() throws {
        let page = try page(
            "kakao.blog",
            #"{"errorType":"InvalidArgument","message":"page is more than max"}"#,
            status: 400
        )
        #expect(page.hits.isEmpty)
        #expect(page.isEnd)
    }

    @Test func `a page beyond the reachable hits is empty, even if the response contains hits`() throws {
        let page = try page("kakao.blog", body, page: 16)
        #expect(page.hits.isEmpty)
        #expect(page.isEnd)
    }
}
