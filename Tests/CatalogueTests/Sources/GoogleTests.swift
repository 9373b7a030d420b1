import Catalogue
import JSON
import SearchModel
import Testing

struct GoogleTests {
    private let volume = #"""
        {"kind":"books#volume","id":"zyTCAlFPjgYC","etag":"x","selfLink":"https://www.googleapis.com/books/v1/volumes/zyTCAlFPjgYC",
         "volumeInfo":{"title":"The Google Story","subtitle":"Inside","authors":["David A. Vise","Mark Malseed"],"publisher":"Random House",
          "publishedDate":"2005-11","description":"<p>A <b>story</b></p><br>of a firm",
          "industryIdentifiers":[{"type":"OTHER","identifier":"UOM:39015"},{"type":"ISBN_13","identifier":"9788937460449"},{"type":"ISBN_10","identifier":"8937460440"}],
          "pageCount":207,"printType":"BOOK","categories":["Business"],"averageRating":3.5,"ratingsCount":136,"language":"un",
          "imageLinks":{"smallThumbnail":"http://books.google.com/s?id=1","thumbnail":"http://books.google.com/t?id=1"},
          "infoLink":"https://books.google.com/books?id=zyTCAlFPjgYC&dq=secret+query"},
         "saleInfo":{"country":"KR","saleability":"FOR_SALE","isEbook":true,"listPrice":{"amount":11.99,"currencyCode":"USD"}},
         "accessInfo":{"viewability":"PARTIAL"},"searchInfo":{"textSnippet":"Here is the <b>story</b> behind &quot;it&quot;"}}
        """#

    @Test func `a volume is mapped`() throws {
        let page = try page("google.books", #"{"kind":"books#volumes","totalItems":582,"items":[\#(volume)]}"#)
        let book = try #require(page.hits.first)
        #expect(page.total == 582 && page.totalIsEstimate && page.reachable == nil)
        #expect(book.id == "google.books:zyTCAlFPjgYC")
        #expect(book.title == "The Google Story: Inside")
        #expect(book.snippet == "Here is the story behind \"it\"")
        #expect(book.snippetMarks == [12..<17])
        #expect(book.author == "David A. Vise, Mark Malseed")
        #expect(book.published?.precision == .month)
        #expect(book.published?.text == "2005-11-01T00:00:00Z")
        #expect(book.thumbnail == "https://books.google.com/t?id=1")
        #expect(book.url == "https://books.google.com/books?id=zyTCAlFPjgYC")
        #expect(book.extra("isbn10") == "8937460440")
        #expect(book.extra("isbn13") == "9788937460449")
        #expect(book.extra("pages") == 207)
        #expect(book.extra("rating")?.double == 3.5)
        #expect(book.extra("ratingCount") == 136)
        #expect(book.extra("price")?.double == 11.99)
        #expect(book.extra("currency") == "USD")
        #expect(book.extra("genres") == ["Business"])
        #expect(book.extra("language") == nil)
        #expect(book.extra("ebook") == true)
        #expect(book.extra("description") == "A story of a firm")
    }

    @Test func `a response without items is an empty last page`() throws {
        let page = try page("google.books", #"{"kind":"books#volumes","totalItems":0}"#)
        #expect(page.hits.isEmpty && page.isEnd && page.total == 0)
    }

    @Test func `if the first page is short and reaches the total, it is the last page`() throws {
        let items = (0..<40).map { #"{"id":"v\#($0)","volumeInfo":{"title":"t"}}"# }
        let full = #"{"kind":"books#volumes","totalItems":3,"items":[\#(items.joined(separator: ","))]}"#
        let short = #"{"kind":"books#volumes","totalItems":900,"items":[\#(items.dropLast().joined(separator: ","))]}"#
        #expect(try !page("google.books", full).isEnd)
        #expect(try !page("google.books", short).isEnd)
        #expect(try page("google.books", short.replacing("900", with: "39")).isEnd)
        #expect(try page("google.books", short.replacing("900", with: "30")).isEnd)
        #expect(try !page("google.books", short.replacing("900", with: "40")).isEnd)
        #expect(try !page("google.books", short.replacing("900", with: "39"), page: 1).isEnd)
        #expect(try !page("google.books", full.replacing("\"totalItems\":3", with: "\"totalItems\":40")).isEnd)
    }

    @Test(arguments: [
        (403, #"{"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}"#, "unauthorized", false),
        (
            429,
            #"{"error":{"code":429,"message":"Quota exceeded","details":[{"@type":"x"},{"reason":"RATE_LIMIT_EXCEEDED","metadata":{"quota_limit":"defaultPerDayPerProject"}}]}}"#,
            "quotaExhausted", false
        ),
        (
            429,
            #"{"error":{"code":429,"message":"Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'"}}"#,
            "rateLimited", true
        ),
        (200, #"{"kind":"calendar#events","items":[]}"#, "badResponse", true),
        (200, #"{"kind":"books#volumes","items":{}}"#, "badResponse", true),
    ])
    func `error responses that the mock server never sends have the expected error kind`(
        _ status: Int,
        _ body: String,
        _ kind: String,
        _ retryable: Bool
    ) throws {
        let error = try failure("google.books", body, status: status)
        #expect(error.kind.rawValue == kind)
        #expect(error.retryable == retryable)
    }
}
