import Catalogue
import HTTP
import JSON
import SearchModel
import TestSupport
import Testing

struct HostileTests {
    private static let bodies: [String: String] = [
        "kakao.book":
            #"{"documents":[{"authors":["a"],"contents":"<b>c</b>","datetime":"2014-11-17T00:00:00.000+09:00","isbn":"8937460440 9788937460449","price":1,"publisher":"p","sale_price":-1,"status":"","thumbnail":"https://e.org/?fname=http%3A%2F%2Fe.org","title":"t","translators":[],"url":"https://e.org/1"}],"meta":{"is_end":false,"pageable_count":1,"total_count":1}}"#,
        "naver.local":
            #"{"total":1,"start":1,"display":1,"items":[{"title":"<b>x</b>","link":"","category":"a>b","description":"","telephone":"","address":"a","roadAddress":"b","mapx":"1269237462","mapy":"375554783"}]}"#,
        "google.books":
            #"{"kind":"books#volumes","totalItems":1,"items":[{"id":"x","volumeInfo":{"title":"t","authors":["a"],"publishedDate":"2004","industryIdentifiers":[{"type":"ISBN_13","identifier":"9788937460449"}],"imageLinks":{"thumbnail":"http://e.org/t"}},"searchInfo":{"textSnippet":"<b>a</b> &quot;"}}]}"#,
        "itunes.app":
            #"{"resultCount":1,"results":[{"trackId":1,"trackName":"n","screenshotUrls":["https://e.org/1"],"genres":["g"],"trackTimeMillis":1000,"price":0.0}]}"#,
        "wikipedia.ko":
            #"{"continue":{"sroffset":1},"query":{"searchinfo":{"totalhits":1},"search":[{"title":"t","pageid":1,"snippet":"<span class=\"searchmatch\">x</span>","timestamp":"2024-01-01T00:00:00Z"}]}}"#,
    ]

    @Test func `missing, null and wrong fields leave the others`() throws {
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

    @Test func `huge texts and lists are cut`() throws {
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

    @Test func `more hits than were asked for are not taken`() throws {
        let items = (0..<60).map { #"{"title":"t\#($0)"}"# }.joined(separator: ",")
        let page = try page("kakao.blog", #"{"documents":[\#(items)],"meta":{"is_end":false}}"#)
        #expect(page.hits.count == 50)
    }

    @Test func `a byte order mark does no harm`() throws {
        let page = try page("kakao.blog", "\u{FEFF}" + #"{"documents":[],"meta":{"is_end":true}}"#)
        #expect(page.isEnd)
    }

    @Test func `bytes that are not UTF-8 are no answer`() throws {
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

    @Test func `the source's words are kept short, clean, and free of the query`() throws {
        let long = String(repeating: "x\\u0000\\u202e\\n ", count: 1000)
        let error = try failure("kakao.blog", #"{"errorType":"X","message":"\#(long)"}"#, status: 500)
        #expect(error.message.utf8.count <= 300)
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        let echo = try failure("kakao.blog", #"{"errorType":"X","message":"no cat here"}"#, status: 500)
        #expect(!echo.message.contains("cat"))
    }

    @Test(arguments: bodies.keys.sorted())
    func `whatever becomes of an answer, it is a page or an error`(_ name: String) throws {
        var generator = SeededGenerator(seed: testSeed())
        let source = try source(name)
        let body = Array(try #require(Self.bodies[name]).utf8)
        #expect(
            try source.page(
                from: HTTPResponse(status: 200, body: body),
                for: pageRequest("cat"),
                account: AccountAccess()
            ).hits.count == 1
        )
        for _ in 0..<300 {
            let mutated = mutated(body, &generator)
            let response = HTTPResponse(
                status: [200, 200, 200, 400, 429].randomElement(using: &generator) ?? 200,
                body: mutated
            )
            do throws(SearchError) {
                let page = try source.page(
                    from: response,
                    for: PageRequest(query: try query(), page: 1),
                    account: kakaoAccess
                )
                for hit in page.hits { check(hit) }
            } catch {
                #expect(error.source == source.name)
            }
        }
    }

    private func query() throws(SearchError) -> SearchQuery {
        guard let query = SearchQuery("cat") else { throw SearchError(.internal, "no query") }
        return query
    }

    /// Bytes turned, cut out, doubled; and now and then a token of JSON or HTML where none belongs.
    private func mutated(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let tokens = [
            "null", "{}", "[]", "-1", "1e999", "\"\\ud83d\"", "\"<b>\"", "\"&#0;\"", "true", "\"http://\"", ",",
        ]
        var mutated = body
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<mutated.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: mutated[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
            case 1: mutated.remove(at: place)
            case 2: mutated.insert(contentsOf: (tokens.randomElement(using: &generator) ?? "").utf8, at: place)
            default:
                // A whole value goes: from one colon to the next comma.
                if let colon = mutated[place...].firstIndex(of: UInt8(ascii: ":")),
                    let comma = mutated[colon...].firstIndex(of: UInt8(ascii: ","))
                {
                    mutated.replaceSubrange(
                        colon + 1..<comma,
                        with: (tokens.randomElement(using: &generator) ?? "").utf8
                    )
                }
            }
            if mutated.isEmpty { mutated = [UInt8(ascii: "{")] }
        }
        return mutated
    }

    private func check(_ hit: Hit) {
        #expect(!hit.title.isEmpty)
        for (text, marks) in [(hit.title, hit.titleMarks), (hit.snippet ?? "", hit.snippetMarks)] {
            let scalars = Array(text.unicodeScalars)
            #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains("  "))
            #expect(marks.allSatisfy { !$0.isEmpty && $0.upperBound <= scalars.count })
            #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
        for address in [hit.url, hit.thumbnail].compactMap(\.self) {
            #expect(address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://"))
        }
    }
}
