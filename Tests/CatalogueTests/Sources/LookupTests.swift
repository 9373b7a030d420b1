import Catalogue
import HTTP
import JSON
import SearchModel
import Testing

struct LookupTests {
    private static let secrets = ["key": Secret("KEY-0123456789")]

    private func itemKey(_ text: String) throws -> ItemKey { try #require(ItemKey(text)) }

    private func url(_ name: String, _ key: String, secrets: [String: Secret] = [:]) throws -> String {
        let account = AccountAccess(secrets: secrets)
        return try source(name).request(for: PageRequest(item: itemKey(key)), account: account).url
    }

    private func record(_ name: String, _ key: String, _ body: String, status: Int = 200) throws -> Hit {
        let request = PageRequest(item: try itemKey(key))
        let page = try source(name).page(
            from: response(body, status: status),
            for: request,
            account: AccountAccess(),
            keepRaw: true
        )
        #expect(page.isEnd && page.hits.count == 1)
        return try #require(page.hits.first)
    }

    private func failure(_ name: String, _ key: String, _ body: String, status: Int = 200) throws -> SearchError {
        try #require(throws: SearchError.self) { try record(name, key, body, status: status) }
    }

    @Test func `every source with lookup requests an item by its key`() throws {
        #expect(
            try url("google.books", "zyTCAlFPjgYC", secrets: Self.secrets)
                == "https://www.googleapis.com/books/v1/volumes/zyTCAlFPjgYC?country=KR&key=KEY-0123456789"
        )
        for name in ["app", "music", "album", "podcast", "ebook", "movie"] {
            #expect(
                try url("itunes.\(name)", "362057947")
                    == "https://itunes.apple.com/lookup?id=362057947&country=KR&lang=ko_kr"
            )
        }
        #expect(
            try url("openlibrary.books", "OL45804W").hasPrefix(
                "https://openlibrary.org/search.json?q=key%3A%22%2Fworks%2FOL45804W%22&limit=1&fields=key%2Ctitle"
            )
        )
        for language in ["ko", "en", "ja", "zh", "de", "fr", "es"] {
            let url = try url("wikipedia.\(language)", "42")
            #expect(url.hasPrefix("https://\(language).wikipedia.org/w/api.php?action=query&format=json"))
            #expect(url.contains("&pageids=42&"))
        }
        #expect(
            try url("hackernews.stories", "8863")
                == "https://hn.algolia.com/api/v1/search?tags=%28story%2Cpoll%29%2Cstory_8863&hitsPerPage=1"
        )
    }

    @Test(arguments: [
        ("../volumes", "..%2Fvolumes"), ("a/b", "a%2Fb"), ("a?b=c&d", "a%3Fb%3Dc%26d"), ("a#b", "a%23b"),
        ("%2e%2e", "%252e%252e"), ("a\\b", "a%5Cb"), ("a\u{0}b\r\nc\u{7F}", "a%00b%0D%0Ac%7F"), ("a b+c", "a%20b%2Bc"),
        ("고양이", "%EA%B3%A0%EC%96%91%EC%9D%B4"), ("...", "..."), ("{key}", "%7Bkey%7D"),
    ])
    func `a key of any characters becomes a single path segment of the URL`(_ key: String, _ segment: String) throws {
        #expect(
            try url("google.books", key, secrets: Self.secrets)
                == "https://www.googleapis.com/books/v1/volumes/\(segment)?country=KR&key=KEY-0123456789"
        )
    }

    @Test func `a key has at most 256 bytes, and is not blank or a relative path`() {
        #expect(ItemKey(String(repeating: "k", count: 256)) != nil)
        #expect(ItemKey(String(repeating: "k", count: 257)) == nil)
        #expect(ItemKey(String(repeating: "가", count: 85)) != nil)
        #expect(ItemKey(String(repeating: "가", count: 86)) == nil)
        for text in ["", ".", "..", " ", "\u{0}\n", "\u{3000}"] {
            #expect(ItemKey(text) == nil, "\(text.debugDescription)")
        }
        #expect(ItemKey("\u{E9}") != ItemKey("e\u{301}"))
    }

    @Test func `a volume has its description, prices and pictures`() throws {
        let hit = try record(
            "google.books",
            "zyTCAlFPjgYC",
            #"""
            {"kind":"books#volume","id":"zyTCAlFPjgYC","volumeInfo":{"title":"The Google Story","authors":["D. Vise"],
             "description":"<p>A <b>story</b> &amp; more</p><br>Second","averageRating":3.5,"ratingsCount":136,
             "imageLinks":{"thumbnail":"http://books.google.com/t","extraLarge":"http://books.google.com/x"}},
             "saleInfo":{"isEbook":true,"listPrice":{"amount":11.99,"currencyCode":"USD"},"retailPrice":{"amount":9.5,"currencyCode":"USD"}}}
            """#
        )
        #expect(hit.id == "google.books:zyTCAlFPjgYC")
        #expect(hit.rank == 1)
        #expect(hit.extra("description") == "A story & more Second")
        #expect(hit.extra("price")?.double == 11.99 && hit.extra("salePrice")?.double == 9.5)
        #expect(hit.extra("image") == "https://books.google.com/x")
        #expect(hit.raw.first == UInt8(ascii: "{") && hit.raw.last == UInt8(ascii: "}"))
    }

    @Test func `a lookup in itunes.app finds an app with its full description, but not a song`() throws {
        let app = #"{"wrapperType":"software","trackId":5,"trackName":"Cats","description":"All of it","price":1.5}"#
        let song = #"{"wrapperType":"track","kind":"song","trackId":5,"trackName":"Cats"}"#
        let hit = try record("itunes.app", "5", "\n\n{\"resultCount\":1,\"results\":[\(app)]}")
        #expect(hit.id == "itunes.app:5")
        #expect(hit.extra("description") == "All of it")
        #expect(try record("itunes.music", "5", "{\"resultCount\":1,\"results\":[\(song)]}").title == "Cats")
        #expect(try failure("itunes.app", "5", "{\"resultCount\":1,\"results\":[\(song)]}").kind == .notFound)
        #expect(try failure("itunes.app", "5", "{\"resultCount\":0,\"results\":[]}").kind == .notFound)
    }

    @Test func `a work has its description and the fields of a search hit`() throws {
        let hit = try record(
            "openlibrary.books",
            "OL45804W",
            #"""
            {"numFound":1,"start":0,"docs":[{"key":"/works/OL45804W","title":"Cats","author_name":["A","B"],"isbn":["9788937460449"],
             "ratings_average":4.1,"ratings_count":12,"first_sentence":["It was."],"description":"First.\n\nSecond."}]}
            """#
        )
        #expect(hit.snippet == "First. Second.")
        #expect(hit.author == "A, B")
        #expect(hit.extra("rating")?.double == 4.1)
        #expect(hit.extra("isbn13") == "9788937460449")
        #expect(hit.extra("description") == "First. Second.")
        #expect(try failure("openlibrary.books", "OL1W", #"{"numFound":0,"start":0,"docs":[]}"#).kind == .notFound)
    }

    @Test func `an article has its introduction and its picture`() throws {
        let hit = try record(
            "wikipedia.ko",
            "42",
            #"""
            {"batchcomplete":true,"query":{"pages":[{"pageid":42,"ns":0,"title":"AC/DC & 고양이?","extract":"고양이는 동물이다.","length":1234,
             "thumbnail":{"source":"https://upload.example/t.jpg"},"original":{"source":"https://upload.example/o.jpg"},
             "revisions":[{"timestamp":"2024-03-09T11:51:51Z"}]}]}}
            """#
        )
        #expect(hit.id == "wikipedia.ko:42")
        #expect(hit.title == "AC/DC & 고양이?")
        #expect(hit.url == "https://ko.wikipedia.org/wiki/AC/DC_%26_%EA%B3%A0%EC%96%91%EC%9D%B4%3F")
        #expect(hit.snippet == "고양이는 동물이다." && hit.extra("description") == "고양이는 동물이다.")
        #expect(hit.published?.text == "2024-03-09T11:51:51Z")
        #expect(hit.thumbnail == "https://upload.example/t.jpg")
        #expect(hit.extra("image") == "https://upload.example/o.jpg")
        #expect(hit.extra("bytes") == 1234)
        let missing = #"{"batchcomplete":true,"query":{"pages":[{"pageid":7,"missing":true}]}}"#
        #expect(try failure("wikipedia.ko", "7", missing).kind == .notFound)
        let wrong = #"{"error":{"code":"badinteger","info":"Invalid value \"x\" for integer parameter \"pageids\"."}}"#
        #expect(try failure("wikipedia.ko", "x", wrong).kind == .notFound)
    }

    @Test func `a story has its text, points and comments`() throws {
        let hit = try record(
            "hackernews.stories",
            "8863",
            #"""
            {"hits":[{"objectID":"8863","title":"My app","url":"https://example.org/","author":"dhouston","points":111,"num_comments":71,
             "created_at_i":1175714200,"story_text":"One &lt;T&gt;.<p>Two."}],"nbHits":1,"nbPages":1}
            """#
        )
        #expect(hit.id == "hackernews.stories:8863")
        #expect(hit.extra("points") == 111 && hit.extra("comments") == 71)
        #expect(hit.extra("description") == "One <T>. Two.")
        #expect(try failure("hackernews.stories", "1", #"{"hits":[],"nbHits":0,"nbPages":0}"#).kind == .notFound)
    }

    @Test func `a lookup fails with notFound if the response contains a different item`() throws {
        let body = #"{"hits":[{"objectID":"2","title":"Another"}],"nbHits":1,"nbPages":1}"#
        #expect(try failure("hackernews.stories", "1,author_x", body).kind == .notFound)
        #expect(try failure("hackernews.stories", "02", body).kind == .notFound)
        #expect(try record("hackernews.stories", "2", body).title == "Another")
    }

    @Test func `errors are classified as in a search`() throws {
        let gone = try failure("google.books", "x", #"{"error":{"code":404,"message":"nope"}}"#, status: 404)
        #expect(gone.kind == .notFound)
        #expect(try failure("itunes.app", "5", "", status: 403).kind == .rateLimited)
        #expect(try failure("itunes.app", "5", "<html>", status: 200).kind == .badResponse)
        #expect(try failure("openlibrary.books", "OL1W", "", status: 429).retryAfter == .seconds(2))
    }

    @Test func `the id of a hit is computed from its key, or from a hash of the key`() throws {
        let books = try source("google.books")
        #expect(books.id(of: try itemKey("zyTCAlFPjgYC")) == "google.books:zyTCAlFPjgYC")
        let page = try page("hackernews.stories", #"{"hits":[{"objectID":"a/b","title":"T"}],"nbHits":1,"nbPages":1}"#)
        let hit = try #require(page.hits.first)
        #expect(try source("hackernews.stories").id(of: itemKey("a/b")) == hit.id)
        #expect(hit.id.utf8.count == "hackernews.stories:".utf8.count + 16)
    }

    @Test func `if the id of a hit contains a hash, the key is read from the JSON of the hit`() throws {
        let stories = try source("hackernews.stories")
        let id = stories.id(of: try itemKey("a/b"))
        func key(_ document: String, id: String = id) -> String? {
            stories.key(ofItem: id, in: Array(document.utf8))?.text
        }
        #expect(key(#"{"title":"T","objectID":"a/b"}"#) == "a/b")
        #expect(key(#"{"title":"T","objectID":"a/c"}"#) == nil)
        for document in ["", "{}", "[]", "x", #"{"objectID":null}"#, #"{"objectID":""}"#] {
            #expect(key(document) == nil)
        }
        #expect(HitKey.mayBeHash("0123456789abcdef"))
        for text in ["0123456789abcde", "0123456789abcdef0", "0123456789abcdeF", "0123456789abcdeg", ""] {
            #expect(!HitKey.mayBeHash(text))
        }
    }
}
