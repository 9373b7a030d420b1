import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct APITests {
    /// Describes each request for a list of items in two lines.
    ///
    /// The first line has the path, the member with the items, and the member with the total. The second line has the
    /// members of an item, with the first letters of their types. `z` means null. A member with `?` can be missing.
    static let shapes = """
        /v2/search/web?query=cat&size=50 | documents | meta.total_count
        contents:s datetime:s title:s url:s
        /v2/search/blog?query=cat&size=50 | documents | meta.pageable_count
        blogname:s contents:s datetime:s thumbnail:s title:s url:s
        /v2/search/cafe?query=cat&size=50 | documents | meta.total_count
        cafename:s contents:s datetime:s thumbnail:s title:s url:s
        /v2/search/vclip?query=cat&size=30 | documents | meta.total_count
        author:s datetime:s play_time:n thumbnail:s title:s url:s
        /v2/search/image?query=cat&size=80 | documents | meta.total_count
        collection:s datetime:s display_sitename:s doc_url:s height:n image_url:s thumbnail_url:s width:n
        /v3/search/book?query=cat&size=50 | documents | meta.total_count
        authors:a contents:s datetime:s isbn:s price:n publisher:s sale_price:n status:s thumbnail:s title:s \
        translators:a url:s
        /v1/search/blog.json?query=cat&display=100 | items | total
        title:s link:s description:s bloggername:s bloggerlink:s postdate:s
        /search/v1/news?query=cat&display=100 | items | total
        title:s originallink:s link:s description:s pubDate:s
        /v1/search/cafearticle.json?query=cat | items | start
        title:s link:s description:s cafename:s cafeurl:s
        /v1/search/kin.json?query=cat&sort=point | items | display
        title:s link:s description:s
        /v1/search/encyc.json?query=cat | items | total
        title:s link:s description:s thumbnail:s
        /v1/search/image?query=cat&filter=large | items | total
        title:s link:s thumbnail:s sizeheight:s sizewidth:s
        /v1/search/local.json?query=cat&display=5 | items | total
        title:s link:s category:s description:s telephone:s address:s roadAddress:s mapx:s mapy:s
        /books/v1/volumes?q=cat&maxResults=40&GOOGLE | items | totalItems
        kind:s id:s etag:s selfLink:s volumeInfo:o saleInfo:o accessInfo:o searchInfo:?
        /search?term=cat&media=music | results | resultCount
        wrapperType:s kind:s collectionId:n trackId:n trackName:s releaseDate:s artworkUrl100:s collectionPrice:? \
        trackPrice:? artistName:s collectionName:s collectionViewUrl:s trackViewUrl:s previewUrl:s artworkUrl60:s \
        collectionExplicitness:s trackExplicitness:s discNumber:n trackCount:n trackNumber:n trackTimeMillis:n \
        currency:s primaryGenreName:s
        /search?term=cat&media=ebook | results | resultCount
        kind:s artistName:s trackId:n trackName:s releaseDate:s artworkUrl100:s trackViewUrl:s artworkUrl60:s \
        currency:s genres:a price:n formattedPrice:s description:s fileSizeBytes:n averageUserRating:? userRatingCount:?
        /wikipedia/ko/w/api.php?action=query&list=search&srsearch=cat | query.search | query.searchinfo.totalhits
        ns:n title:s pageid:n size:n wordcount:n snippet:s timestamp:s
        /search.json?q=cat&limit=50 | docs | numFound
        author_name:? cover_i:? ebook_access:s edition_count:n first_publish_year:? key:s language:? title:s \
        subtitle:? isbn:a publisher:a first_sentence:a subject:a ratings_average:n ratings_count:n number_of_pages_median:?
        /api/v1/search?query=cat&tags=story | hits | nbHits
        _highlightResult:o _tags:a author:s created_at:s created_at_i:n num_comments:n objectID:s points:n \
        story_text:? title:s url:?
        """.split(separator: "\n").map(String.init)

    static func letter(_ value: JSONValue) -> String {
        switch value {
        case .null: "z"
        case .bool: "b"
        case .number: "n"
        case .string: "s"
        case .array: "a"
        case .object: "o"
        }
    }

    @Test(arguments: shapes.indices.filter { $0 % 2 == 0 })
    func `items have the members and types of the API`(_ row: Int) throws {
        var asker = SandboxClient()
        let parts = Self.shapes[row].split(separator: " | ").map(String.init)
        let answer = asker.get(parts[0])
        #expect(answer.status == 200)
        func member(_ path: String) -> JSONValue? {
            path.split(separator: ".").reduce(answer.json) { $0?[String($1)] }
        }
        #expect(member(parts[2])?.int ?? 0 > 0)
        let items = try #require(member(parts[1])?.array)
        #expect(!items.isEmpty)
        let pairs = Self.shapes[row + 1].split(separator: " ").map { $0.split(separator: ":").map(String.init) }
        let types = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        for item in items {
            let members = item.members ?? []
            #expect(Set(members.map(\.name)).isSubset(of: types.keys))
            for (name, type) in types where type != "?" {
                #expect(item[name].map(Self.letter) == type, "\(name)")
            }
        }
        #expect(asker.get(parts[0]).body == answer.body, "the same request has the same answer")
    }

    static let walks = [
        ("kakao.blog", "subway", "/v2/search/blog?size=50&page=PAGE&query=", ["documents"], "url", 1, 1, 50),
        (
            "kakao.book", "subway", "/v3/search/book?size=50&sort=accuracy&page=PAGE&query=", ["documents"], "url", 1,
            1, 50
        ),
        ("naver.blog", "바이올린 연습", "/v1/search/blog.json?display=10&start=PAGE&query=", ["items"], "link", 1, 10, 10),
        (
            "google.books", "subway", "/books/v1/volumes?maxResults=40&GOOGLE&startIndex=PAGE&q=", ["items"], "id", 0,
            40, 40
        ),
        (
            "hackernews.stories", "subway river", "/api/v1/search?tags=story&hitsPerPage=50&page=PAGE&query=", ["hits"],
            "objectID", 0, 1, 50
        ),
        ("openlibrary.books", "subway river", "/search.json?limit=50&page=PAGE&q=", ["docs"], "key", 1, 1, 50),
        (
            "wikipedia.en", "subway river", "/w/api.php?action=query&list=search&srlimit=50&sroffset=PAGE&srsearch=",
            ["query", "search"], "pageid", 0, 50, 50
        ),
    ]

    @Test(arguments: walks)
    func `all pages of a list together contain all matching documents and no others`(
        source: String,
        query: String,
        target: String,
        list: [String],
        id: String,
        first: Int,
        step: Int,
        size: Int
    ) throws {
        var asker = SandboxClient()
        let truth = try #require(asker.responder.truth(of: source, query: query))
        #expect(truth.reachable == truth.ids.count && truth.reachable <= truth.total && truth.reachable > 0)
        var found: [String] = []
        for page in 0...(truth.reachable / size * 2 + 1) {
            let url = target.replacing("PAGE", with: String(first + page * step)) + PercentEncoding.encode(query)
            let items = list.reduce(asker.json(url)) { $0[$1] ?? .null }.array ?? []
            for item in items.compactMap({ $0[id]?.plainText }) where !found.contains(item) { found.append(item) }
        }
        #expect(found == truth.ids)
    }

    @Test func `each sort order returns the same documents, and “recency” sorts by date`() throws {
        var asker = SandboxClient()
        for (source, sort) in [
            ("google.books", "newest"), ("openlibrary.books", "old"), ("wikipedia.ko", "last_edit_asc"),
        ] {
            let usual = try #require(asker.responder.truth(of: source, query: "subway"))
            let sorted = try #require(asker.responder.truth(of: source, query: "subway", sort: sort))
            #expect(Set(usual.ids) == Set(sorted.ids) && usual.ids != sorted.ids, "\(source)")
        }
        let documents = asker.json("/v2/search/web?query=cat&sort=recency&size=50")["documents"]?.array ?? []
        let dates = documents.compactMap { $0["datetime"]?.string }
        #expect(dates.count == 50 && dates == dates.sorted(by: >))
        #expect(asker.responder.truth(of: "kakao.web", query: "cat", sort: "colour") == nil)
    }

    static let errors = [
        ("/v2/search/blog?size=5", 400, "query parameter required"),
        ("/v2/search/blog?query=a&page=51", 400, "page is more than max"),
        ("/v2/search/vclip?query=a&page=16", 400, "page is more than max"),
        ("/v2/search/image?query=a&size=81", 400, "size is more than max"),
        ("/v3/search/book?query=a&sort=recency", 400, "sort parameter one of accuracy and latest"),
        ("/v1/search/blog.json?query=a&display=101", 400, "SE02"),
        ("/v1/search/blog.json?query=a&start=1001", 400, "SE03"),
        ("/v1/search/blog?query=a", 404, "SE05"), ("/search/v1/shop?query=a", 404, "Not Found: the gateway says no."),
        ("/v1/search/blog.json?query=%ff", 400, "SE06"),
        ("/books/v1/volumes?q=a&maxResults=41&GOOGLE", 400, "Invalid value '41'."),
        ("/books/v1/volumes?q=a", 429, "\"quota_limit_value\":\"0\""),
        ("/books/v1/volumes/no?GOOGLE", 404, "could not be found"),
        ("/search?term=a&entity=no", 400, "[resultEntity]"), ("/search?term=a&country=xx", 400, "[country]"),
        ("/w/api.php?action=query&list=search&srsearch=a&srlimit=501", 200, "outofrange"),
        ("/search.json?q=ab", 422, "at least 3 characters"), ("/search.json?q=The", 422, "too common"),
        ("/api/v1/search?query=a&numericFilters=x", 400, "Invalid syntax for numericFilters"),
        ("/nothing", 404, "no API"),
    ]

    @Test(arguments: errors) func `wrong requests get the errors of the API`(target: String, status: Int, text: String)
    {
        var asker = SandboxClient()
        let answer = asker.get(target)
        #expect(answer.status == status && answer.text.contains(text), "\(answer.text)")
    }

    @Test func `keys are checked, and each API has its own error for a wrong key`() {
        var asker = SandboxClient()
        asker.fields = [("Authorization", "KakaoAK nonsense")]
        #expect(asker.get("/v2/search/web?query=a").text.contains("wrong appKey(nonsense) format"))
        #expect(asker.get("/v1/search/blog.json?query=a").status == 401)
        #expect(asker.get("/w/api.php?action=query&list=search&srsearch=a").status == 403)
        #expect(asker.get("/books/v1/volumes?q=a&key=no").text.contains("API key not valid"))
    }

    static let limits = [
        ("kakaoPerDayTotal", "/v2/search/web?query=a", 429, 86_400),
        ("kakaoPerMonth", "/v2/search/web?query=a", 429, 864_000),
        ("naverPerDay", "/v1/search/blog.json?query=a", 429, 86_400),
        ("naverPerSecond", "/search/v1/blog?query=a", 429, 1),
        ("googlePerMinute", "/books/v1/volumes?q=a&GOOGLE", 429, 60),
        ("googlePerDay", "/books/v1/volumes?q=a&GOOGLE", 429, 86_400),
        ("itunesPerMinute", "/search?term=a", 403, 60),
        ("wikipediaPerSecond", "/w/api.php?action=query&list=search&srsearch=a", 429, 1),
        ("hackernewsPerHour", "/api/v1/search?query=a", 429, 3_600),
        ("mwmblPerMonth", "/mwmbl/api/v2/search/?q=a", 429, 32 * 86_400),
    ]

    @Test(arguments: limits)
    func `calls over the limit fail until the next period`(
        name: String,
        target: String,
        status: Int,
        seconds: Int
    ) {
        var asker = SandboxClient {
            $0.limits = .none
            $0.limits[dynamicMember: name] = 3
        }
        #expect((0..<4).map { _ in asker.get(target).status } == [200, 200, 200, status])
        asker.now += Int64(seconds) * second
        #expect(asker.get(target).status == 200)
    }

    @Test func `an item that is looked up by its id equals the item in the list`() throws {
        var asker = SandboxClient()
        let app = try #require(asker.json("/search?term=violin%20lesson&entity=software&country=KR")["results"]?[0])
        #expect(asker.json("/lookup?country=KR&id=\(app["trackId"]?.int ?? 0)")["results"]?[0] == app)
        let book = try #require(asker.json("/books/v1/volumes?q=violin&GOOGLE")["items"]?[0])
        let volume = asker.json("/books/v1/volumes/\(book["id"]?.string ?? "")?GOOGLE")
        #expect(
            volume["volumeInfo"]?["title"] == book["volumeInfo"]?["title"] && volume["saleInfo"] == book["saleInfo"]
        )
        let list = "/wikipedia/ko/w/api.php?action=query&"
        let article = try #require(asker.json(list + "list=search&srsearch=violin")["query"]?["search"]?[0])
        let id = article["pageid"]?.int ?? 0
        let page = asker.json(list + "pageids=\(id)")["query"]?["pages"]?[0]
        #expect(page?["title"] == article["title"])
        #expect(asker.json("/w/api.php?action=query&pageids=\(id)")["query"]?["pages"]?[0]?["missing"] == true)
        let work = try #require(asker.json("/search.json?q=violin")["docs"]?[0])
        let key = PercentEncoding.encode("key:\"\(work["key"]?.string ?? "")\"")
        #expect(asker.json("/search.json?q=\(key)")["docs"]?[0] == work)
        let hit = try #require(asker.json("/api/v1/search?query=violin&tags=story")["hits"]?[0])
        let tag = "(story,poll),story_\(hit["objectID"]?.string ?? "")"
        #expect(asker.json("/api/v1/search?tags=\(tag)")["hits"]?[0]?["url"] == hit["url"])
    }

    @Test func `the options for quirks change the totals, prices and documents`() throws {
        var asker = SandboxClient()
        func total() -> Int? { asker.json("/v1/search/blog.json?query=cat")["total"]?.int }
        let first = total()
        asker.now += 30 * second
        #expect(total() != first)
        asker.responder.options.quirks.totalsDrift = false
        let settled = total()
        asker.now += 30 * second
        #expect(total() == settled)
        func price() -> Int? {
            let apps = asker.json("/search?term=subway&media=ebook&country=KR")["results"]?.array ?? []
            return apps.lazy.compactMap { $0["price"]?.int }.first { $0 > 0 }
        }
        let usual = try #require(price())
        asker.responder.options.quirks.pricePercent = 300
        #expect(price() ?? 0 > usual * 2)
        asker.responder.options.quirks.callsPerNewDocument = 1
        let fronts = (0..<2).map { _ in asker.json("/v2/search/web?query=cat")["documents"]?[0]?["url"] }
        #expect(fronts[0] != fronts[1])
    }

    @Test func `titles contain the query and are in its language`() {
        var asker = SandboxClient()
        let query = "고양이"
        let documents = asker.json("/v2/search/web?size=50&query=\(PercentEncoding.encode(query))")["documents"]?.array
        for document in documents ?? [] {
            #expect(document["title"]?.string?.contains("<b>고양이</b>") == true)
        }
        #expect(documents?.count == 50)
    }
}
