import Catalogue
import HTTP
import SearchModel
import Testing

private let accounts: [String: AccountAccess] = [
    "kakao": AccountAccess(secrets: ["key": Secret("KEY")]),
    "naver": AccountAccess(secrets: ["id": Secret("ID"), "secret": Secret("SECRET")]),
    "google": AccountAccess(secrets: ["key": Secret("KEY")]),
]

private func request(
    _ name: String,
    _ sort: Sort = .relevance,
    page: Int = 0,
    options: [Option] = [],
    account: AccountAccess? = nil
) throws -> HTTPRequest {
    let source = try source(name)
    let access = account ?? accounts[source.account] ?? AccountAccess()
    return try source.request(for: pageRequest("cat&dog", sort, page: page, options), account: access)
}

struct RequestTests {
    @Test(arguments: [
        ("kakao.web", "https://dapi.kakao.com/v2/search/web?query=cat%26dog&sort=accuracy&page=1&size=50"),
        ("kakao.blog", "https://dapi.kakao.com/v2/search/blog?query=cat%26dog&sort=accuracy&page=1&size=50"),
        ("kakao.cafe", "https://dapi.kakao.com/v2/search/cafe?query=cat%26dog&sort=accuracy&page=1&size=50"),
        ("kakao.book", "https://dapi.kakao.com/v3/search/book?query=cat%26dog&sort=accuracy&page=1&size=50"),
        ("kakao.image", "https://dapi.kakao.com/v2/search/image?query=cat%26dog&sort=accuracy&page=1&size=80"),
        ("kakao.video", "https://dapi.kakao.com/v2/search/vclip?query=cat%26dog&sort=accuracy&page=1&size=30"),
        ("naver.blog", "https://openapi.naver.com/v1/search/blog.json?query=cat%26dog&display=100&start=1&sort=sim"),
        ("naver.news", "https://openapi.naver.com/v1/search/news.json?query=cat%26dog&display=100&start=1&sort=sim"),
        (
            "naver.cafe",
            "https://openapi.naver.com/v1/search/cafearticle.json?query=cat%26dog&display=100&start=1&sort=sim"
        ),
        ("naver.kin", "https://openapi.naver.com/v1/search/kin.json?query=cat%26dog&display=100&start=1&sort=sim"),
        ("naver.encyc", "https://openapi.naver.com/v1/search/encyc.json?query=cat%26dog&display=100&start=1"),
        ("naver.web", "https://openapi.naver.com/v1/search/webkr.json?query=cat%26dog&display=100&start=1"),
        ("naver.image", "https://openapi.naver.com/v1/search/image?query=cat%26dog&display=100&start=1&sort=sim"),
        ("naver.local", "https://openapi.naver.com/v1/search/local.json?query=cat%26dog&display=5&sort=random"),
        (
            "google.books",
            "https://www.googleapis.com/books/v1/volumes?q=cat%26dog&startIndex=0&maxResults=40&orderBy=relevance&country=KR&key=KEY"
        ),
        (
            "itunes.app",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=software&entity=software&limit=200"
        ),
        (
            "itunes.music",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=music&entity=song&limit=200"
        ),
        (
            "itunes.album",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=music&entity=album&limit=200"
        ),
        (
            "itunes.podcast",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=podcast&entity=podcast&limit=200"
        ),
        (
            "itunes.ebook",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=ebook&entity=ebook&limit=200"
        ),
        (
            "itunes.movie",
            "https://itunes.apple.com/search?term=cat%26dog&country=KR&lang=ko_kr&media=movie&entity=movie&limit=200"
        ),
        (
            "wikipedia.ko",
            "https://ko.wikipedia.org/w/api.php?action=query&list=search&format=json&srsearch=cat%26dog&srlimit=100"
                + "&sroffset=0&srsort=relevance&srprop=size%7Cwordcount%7Ctimestamp%7Csnippet"
        ),
        (
            "hackernews.stories",
            "https://hn.algolia.com/api/v1/search?query=cat%26dog&tags=story&page=0&hitsPerPage=100"
        ),
    ])
    func `the URL of a first page matches the source's documentation`(_ name: String, _ url: String) throws {
        #expect(try request(name).url == url)
    }

    @Test(arguments: [
        ("kakao.book", "sort=latest"), ("kakao.video", "sort=recency"), ("naver.news", "sort=date"),
        ("google.books", "orderBy=newest"), ("wikipedia.en", "srsort=last_edit_desc"),
        ("openlibrary.books", "sort=new"),
        ("hackernews.stories", "/api/v1/search_by_date?"),
    ])
    func `each source has its own parameter for the order by date`(_ name: String, _ part: String) throws {
        #expect(try request(name, .recency).url.contains(part))
    }

    @Test(arguments: [
        ("kakao.blog", 49, "page=50&"), ("kakao.video", 14, "page=15&"), ("naver.blog", 9, "start=901&"),
        ("naver.blog", 10, "start=1000&"),
        ("google.books", 3, "startIndex=120&"), ("wikipedia.en", 2, "sroffset=200&"),
        ("openlibrary.books", 1, "page=2&"),
        ("hackernews.stories", 9, "page=9&"),
    ])
    func `further pages are requested by page number or item offset, as the source requires`(
        _ name: String,
        _ page: Int,
        _ part: String
    ) throws {
        #expect(try request(name, page: page).url.contains(part))
    }

    @Test func `keys are sent in the right header or parameter`() throws {
        #expect(try request("kakao.web").fields["authorization"] == "KakaoAK KEY")
        let legacy = try request("naver.blog")
        #expect(legacy.fields["X-Naver-Client-Id"] == "ID")
        #expect(legacy.fields["X-Naver-Client-Secret"] == "SECRET")
        let both = AccountAccess(
            secrets: ["id": Secret("a"), "secret": Secret("b"), "hubId": Secret("HID"), "hubSecret": Secret("HSECRET")]
        )
        let hub = try request("naver.image", account: both)
        #expect(
            hub.url
                == "https://naverapihub.apigw.ntruss.com/search/v1/image?query=cat%26dog&display=100&start=1&sort=sim"
        )
        #expect(hub.fields["X-NCP-APIGW-API-KEY-ID"] == "HID")
        #expect(hub.fields["X-NCP-APIGW-API-KEY"] == "HSECRET")
        #expect(hub.fields["X-Naver-Client-Id"] == nil)
    }

    @Test func `a key with a line break is not sent in a header`() throws {
        let error = try #require(throws: SearchError.self) {
            try request("kakao.web", account: AccountAccess(secrets: ["key": Secret("KEY\r\nHost: evil.example.org")]))
        }
        #expect(error.kind == .notConfigured)
        #expect(!"\(error)".contains("evil"))
    }

    @Test func `a configured base URL replaces scheme, host and port`() throws {
        let sandbox = AccountAccess(baseURL: "http://127.0.0.1:8080/wikipedia/{lang}/")
        #expect(
            try request("wikipedia.ko", account: sandbox).url.hasPrefix("http://127.0.0.1:8080/wikipedia/ko/w/api.php?")
        )
    }

    @Test func `settings and options are sent as parameters`() throws {
        let us = AccountAccess(settings: ["country": "US", "lang": "en_us"])
        #expect(try request("itunes.app", account: us).url.contains("country=US&lang=en_us"))
        let options = [Option(name: "country", value: "JP"), Option(name: "explicit", value: "No")]
        #expect(try request("itunes.app", options: options, account: us).url.contains("country=JP&lang=en_us"))
        #expect(try request("itunes.app", options: options).url.contains("explicit=No"))
        #expect(
            try request("naver.kin", .recency, options: [Option(name: "order", value: "point")]).url.contains(
                "sort=point"
            )
        )
        #expect(
            try request("naver.image", options: [Option(name: "filter", value: "large")]).url.hasSuffix("filter=large")
        )
        #expect(
            try request("kakao.book", options: [Option(name: "target", value: "isbn")]).url.hasSuffix("target=isbn")
        )
        #expect(
            try request("hackernews.stories", options: [Option(name: "minPoints", value: "100")]).url
                .contains("numericFilters=points%3E%3D100")
        )
    }

    @Test func `a JSON body has typed values and omits members without a value`() throws {
        let text = LoadErrorTests.good
            .replacing(
                "parameters: { q: \"{query}\", p: \"{page}\" }",
                with: """
                    parameters: { v: "1" }, body: { query: "{query}", n: "{size}", of: "{page} of 5", deep: "{option.deep}",
                     filters: { after: "{option.after}" }, sites: ["{option.site}"], contents: { text: true, min: 0.5 } }
                    """
            )
            .replacing(
                "kind:",
                with: """
                    options: { deep: { type: "flag", default: "false" }, after: { type: "text" },
                     site: { type: "text", default: "7" } }, kind:
                    """
            )
        let source = try LoadErrorTests.load(text).source(named: #require(SourceName("demo.books")))
        let request = try source.request(for: pageRequest("고양이 \"cat\""), account: AccountAccess())
        #expect(request.method == "POST" && request.url == "https://api.example.org/search?v=1")
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"query":"고양이 \"cat\"","n":20,"of":"1 of 5","deep":false,"sites":["7"],"contents":{"text":true,"min":0.5}}"#
        )
    }

    @Test(arguments: ["ab", "고양", "the", "The"])
    func `if Open Library would reject a query, the query is not sent`(_ query: String) throws {
        let source = try source("openlibrary.books")
        let error = try #require(throws: SearchError.self) {
            try source.request(for: pageRequest(query), account: AccountAccess())
        }
        #expect(error.kind == .invalidParams)
        #expect(error.path == "params.query")
        #expect(error.hint != nil)
        #expect(!error.message.contains(query) || query == "the")
    }
}
