import Catalogue
import JSON
import SearchModel
import Testing

struct KakaoTests {
    private func meta(_ end: Bool = false, total: Int = 277, pageable: Int = 239) -> String {
        #""meta":{"is_end":\#(end),"pageable_count":\#(pageable),"total_count":\#(total)}"#
    }

    @Test func `a book has ISBNs, people and prices`() throws {
        let page = try page(
            "kakao.book",
            #"""
            {"documents":[
            {"authors":["권오길","홍길동"],"contents":"첫 문장. &lt;고양이&gt; 이야기","datetime":"2014-11-17T00:00:00.000+09:00",
             "isbn":"8937460440 9788937460449","price":15000,"publisher":"민음사","sale_price":13500,"status":"정상판매",
             "thumbnail":"https://search1.kakaocdn.net/thumb/R120x174.q85/?fname=http%3A%2F%2Ft1.daumcdn.net%2Flbook%2Fimage%2F1",
             "title":"고양이","translators":[],"url":"https://search.daum.net/search?w=bookpage&bookId=1&q=x"},
            {"authors":[],"contents":"","datetime":"","isbn":" 4808937460449","price":-1,"publisher":"","sale_price":-1,"status":"",
             "thumbnail":"","title":"둘","translators":[],"url":"https://search.daum.net/search?w=bookpage&bookId=2"}
            ],\#(meta())}
            """#
        )
        let book = try #require(page.hits.first)
        #expect(book.id.utf8.count == "kakao.book:".utf8.count + 16)
        #expect(book.author == "권오길, 홍길동")
        #expect(book.snippet == "첫 문장. <고양이> 이야기")
        #expect(book.published?.text == "2014-11-17T00:00:00+09:00")
        #expect(book.published?.precision == .day)
        #expect(book.extra("authors") == ["권오길", "홍길동"])
        #expect(book.extra("isbn10") == "8937460440")
        #expect(book.extra("isbn13") == "9788937460449")
        #expect(book.extra("price") == 15000)
        #expect(book.extra("salePrice") == 13500)
        #expect(book.extra("currency") == "KRW")
        #expect(book.extra("publisher") == "민음사")
        #expect(book.extra("status") == "정상판매")
        #expect(book.extra("translators") == nil)
        #expect(book.extra("image") == "http://t1.daumcdn.net/lbook/image/1")
        let other = try #require(page.hits.last)
        #expect(other.id.utf8.count == "kakao.book:".utf8.count + 16)
        #expect(other.extra.map(\.name) == ["currency"])
        #expect(page.reachable == 277)
    }

    @Test func `two images of one page have the address of the page, and different ids`() throws {
        let page = try page(
            "kakao.image",
            #"""
            {"documents":[
            {"collection":"blog","datetime":"2019-01-02T03:04:05.000+09:00","display_sitename":"네이버블로그","doc_url":"http://blog.example.com/1",
             "height":600,"image_url":"http://img.example.com/1.jpg","thumbnail_url":"https://search3.example.net/130x130/1","width":800},
            {"collection":"etc","datetime":"","display_sitename":"","doc_url":"http://blog.example.com/1",
             "height":0,"image_url":"http://img.example.com/2.jpg","thumbnail_url":"","width":"12"}
            ],\#(meta())}
            """#
        )
        let hits = page.hits
        #expect(hits.map(\.title) == ["네이버블로그", "etc"])
        #expect(hits.map(\.url) == ["http://blog.example.com/1", "http://blog.example.com/1"])
        #expect(Set(hits.map(\.id)).count == 2)
        #expect(hits[0].extra("image") == "http://img.example.com/1.jpg")
        #expect(hits[0].extra("width") == 800)
        #expect(hits[1].extra("height") == nil)
        #expect(hits[1].extra("width") == 12)
    }

    @Test func `a video has a duration`() throws {
        let page = try page(
            "kakao.video",
            #"""
            {"documents":[{"author":"집사 & 고양이","datetime":"2024-03-09T11:51:51.000+09:00","play_time":185,
             "thumbnail":"https://search1.example.net/138x78/1","title":"톰 & 제리","url":"http://www.youtube.com/watch?v=1"}],\#(meta())}
            """#
        )
        let video = try #require(page.hits.first)
        #expect(video.title == "톰 & 제리")
        #expect(video.author == "집사 & 고양이")
        #expect(video.extra("duration") == 185)
        #expect(page.reachable == 239)
    }

    @Test func `a page is the last if it is empty, marked as the last, or at the page limit`() throws {
        let full = #"{"documents":[{"title":"x"}],\#(meta(total: 90_000, pageable: 4000))}"#
        #expect(try !page("kakao.video", full, page: 13).isEnd)
        #expect(try page("kakao.video", full, page: 14).isEnd)
        #expect(try page("kakao.web", #"{"documents":[{"title":"x"}],\#(meta(true, pageable: 4000))}"#).isEnd)
        #expect(try page("kakao.web", #"{"documents":[],\#(meta(pageable: 4000))}"#).isEnd)
        #expect(try !page("kakao.web", full, page: 3).isEnd)
        #expect(try page("kakao.web", #"{"documents":[{"title":"x"}],\#(meta(pageable: 100))}"#, page: 1).isEnd)
    }

    @Test func `an empty result is an empty last page`() throws {
        let page = try page("kakao.cafe", #"{"documents":[],\#(meta(true, total: 0, pageable: 0))}"#)
        #expect(page.hits.isEmpty && page.isEnd)
        #expect(page.total == 0)
        #expect(page.reachable == 0)
    }

    @Test(arguments: [
        (403, #"{"code":-3,"msg":"feature off"}"#, "unauthorized", false),
        (500, "", "unavailable", true),
        (502, "<html>Bad Gateway</html>", "unavailable", true), (404, "", "badResponse", false),
        (429, "", "rateLimited", true), (429, #"{"errorType":"TooManyRequests"}"#, "rateLimited", true),
        (302, "", "badResponse", false),
        (200, "", "badResponse", true), (200, "<html></html>", "badResponse", true), (200, "[]", "badResponse", true),
        (200, "{}", "badResponse", true), (200, #"{"documents":{},"meta":{}}"#, "badResponse", true),
        (200, #"{"documents":[]}"#, "badResponse", true), (200, #"{"documents":[],"meta":{}"#, "badResponse", true),
    ])
    func `error responses that the mock server never sends have the expected error kind`(
        _ status: Int,
        _ body: String,
        _ kind: String,
        _ retryable: Bool
    ) throws {
        let error = try failure("kakao.blog", body, status: status)
        #expect(error.kind.rawValue == kind)
        #expect(error.retryable == retryable)
        #expect(error.source?.text == "kakao.blog")
        #expect(error.hint != nil)
    }

    @Test(arguments: ["wrong appKey(KEY) format", "appKey(KEY) does not exist"])
    func `a key in an error message is masked, even if it is percent-encoded`(_ message: String) throws {
        let key = "k4k40/Rest+Key=0123456789abcdef"
        for spelling in [key, "k4k40%2fRest%2BKey%3D0123456789abcdef"] {
            let body = #"{"errorType":"AccessDeniedError","message":"\#(message.replacing("KEY", with: spelling))"}"#
            let error = try failure(
                "kakao.blog",
                body,
                status: 401,
                account: AccountAccess(secrets: ["key": Secret(key)])
            )
            #expect(error.kind == .unauthorized)
            #expect(error.message.contains("‹secret›"))
            #expect(!error.message.lowercased().contains("0123456789"))
        }
    }

    @Test func `the reset of a quota is computed from the date of the response, or from the current time`() throws {
        let body = #"{"errorType":"RequestThrottled","message":"API limit has been exceeded."}"#
        let error = try failure("kakao.blog", body, status: 429, [("Date", "Sat, 09 Mar 2024 11:51:51 GMT")])
        #expect(error.resetsAt == "2024-03-10T00:00:00+09:00")
        // The source may also send this response for a high request rate, so the pause is short.
        #expect(error.retryAfter == .seconds(5))
        let source = try source("kakao.blog")
        // These are 01:00:00 and 00:00:10 in Korea. At 00:00:10, the source may still count calls for the previous day.
        for (now, reset) in [(1_710_000_000, "11T00:00:00"), (1_709_996_410, "10T00:02:00")] {
            let later = try #require(throws: SearchError.self) {
                try source.page(
                    from: response(body, status: 429),
                    for: pageRequest("cat"),
                    account: AccountAccess(),
                    at: Int64(now)
                )
            }
            #expect(later.resetsAt == "2024-03-\(reset)+09:00")
        }
    }
}
