import HTTP
import JSON
import Testing

@testable import Sandbox

/// Asks with a key and a country; without limits unless a test is about them.
@Suite struct GoogleTests {
    let key = SandboxKeys().google[0]

    func asker(_ change: (inout SandboxOptions) -> Void = { $0.limits = .none }) -> Asker {
        var options = SandboxOptions()
        change(&options)
        return Asker(options: options)
    }

    func list(_ query: String) -> String {
        "/books/v1/volumes?\(query)&country=KR&key=\(key)"
    }

    @Test func `a full page has forty volumes, many of them with something missing`() {
        var asker = asker()
        let response = asker.get(list("q=cat&maxResults=40"))
        #expect(response.fields["Content-Type"] == "application/json; charset=UTF-8")
        #expect(response.fields["ETag"] != nil)
        let items = response.json["items"]?.array ?? []
        #expect(items.count == 40)
        #expect(response.json["kind"] == "books#volumes")
        for name in ["authors", "publisher", "publishedDate", "description", "imageLinks", "industryIdentifiers"] {
            let present = items.count { $0["volumeInfo"]?[name] != nil }
            #expect(present > 10 && present < 40, "\(name) in \(present)")
        }
        #expect(items.allSatisfy { $0["volumeInfo"]?["title"] != nil })
    }

    @Test func `dates are days, months and years, and pictures plain http`() {
        var asker = asker()
        var dates: [String] = []
        for start in stride(from: 0, to: 200, by: 40) {
            let items = asker.json(list("q=cat&maxResults=40&startIndex=\(start)"))["items"]?.array ?? []
            dates += items.compactMap { $0["volumeInfo"]?["publishedDate"]?.string }
            let links = items.compactMap { $0["volumeInfo"]?["imageLinks"]?["thumbnail"]?.string }
            #expect(links.allSatisfy { $0.hasPrefix("http://") })
        }
        #expect(Set(dates.map(\.count)) == [4, 5, 7, 10])
        #expect(dates.contains { $0.hasSuffix("*") || $0.hasSuffix("?") })
    }

    @Test(arguments: ["relevance", "newest"])
    func `a walk over overlapping pages meets every volume, some of them twice`(sort: String) {
        var asker = asker()
        var seen: [String] = []
        while true {
            let json = asker.json(list("q=cat&maxResults=40&orderBy=\(sort)&startIndex=\(seen.count)"))
            guard let items = json["items"]?.array else { break }
            seen += items.compactMap { $0["id"]?.string }
        }
        let truth = asker.responder.truth(of: "google.books", query: "cat", sort: sort, at: asker.now)?.ids ?? []
        var known: Set<String> = []
        #expect(seen.filter { known.insert($0).inserted } == truth)
        #expect(seen.count > truth.count)
        asker.responder.options.quirks.googleOverlaps = false
        let page = asker.json(list("q=cat&maxResults=40&orderBy=\(sort)&startIndex=40"))["items"]?.array ?? []
        #expect(page.compactMap { $0["id"]?.string } == Array(truth.dropFirst(40).prefix(40)))
    }

    @Test func `nonsense has no items at all, and neither has a position past the end`() {
        var asker = asker()
        #expect(asker.json(list("q=zxqvkjw")) == ["kind": "books#volumes", "totalItems": 0])
        #expect(asker.json(list("q=cat&startIndex=100000"))["items"] == nil)
        #expect(asker.json(list("q=cat&maxResults=0"))["items"] == nil)
    }

    @Test func `the total depends on case, page and page size, or on none of them`() {
        var asker = asker()
        let targets = ["q=cat", "q=Cat", "q=cat&maxResults=20", "q=cat&startIndex=20"].map(list)
        func totals() -> Set<Int> { Set(targets.compactMap { asker.json($0)["totalItems"]?.int }) }
        #expect(totals().count >= 3)
        asker.responder.options.quirks.totalsDrift = false
        #expect(totals().count == 1)
    }

    @Test func `a volume is had by its id, with more in it`() throws {
        var asker = asker()
        for query in ["cat", "고양이 사료", "inauthor:park"] {
            let listed = try #require(asker.json(list("q=\(query.encoded)&startIndex=7&maxResults=1"))["items"]?[0])
            let id = try #require(listed["id"]?.string)
            #expect(id.utf8.count == 12)
            let single = asker.json("/books/v1/volumes/\(id)?country=KR&key=\(key)")
            #expect(single["volumeInfo"]?["title"] == listed["volumeInfo"]?["title"])
            #expect(single["saleInfo"] == listed["saleInfo"])
            #expect(single["searchInfo"] == nil)
        }
    }

    @Test func `an unknown volume is a 503 or a 404`() {
        var asker = asker()
        let target = "/books/v1/volumes/AAAAAAAAAAAA?country=KR&key=\(key)"
        #expect(asker.get(target).status == 503)
        asker.responder.options.quirks.googleUnknownIs503 = false
        #expect(asker.get(target).status == 404)
    }

    @Test(arguments: [
        ("", 400, "Missing query."), ("q=", 400, "Missing query."), ("q=cat&maxResults=41", 400, "[0, 40]"),
        ("q=cat&startIndex=-1", 400, "invalidParameter"), ("q=cat&orderBy=oldest", 400, "invalidParameter"),
        ("q=cat&printType=maps", 400, "invalidParameter"), ("q=cat&filter=cheap", 400, "invalidParameter"),
    ])
    func `a wrong parameter is refused`(query: String, status: Int, text: String) {
        var asker = asker()
        let response = asker.get(list(query))
        #expect(response.status == status)
        #expect(response.text.contains(text))
    }

    @Test func `keys, countries and both quotas are kept`() {
        var asker = asker { $0.limits.googlePerMinute = 3 }
        #expect(asker.get("/books/v1/volumes?q=cat&country=KR").text.contains("\"quota_limit_value\": \"0\""))
        #expect(asker.get("/books/v1/volumes?q=cat&country=KR&key=AIzaWrong").text.contains("API_KEY_INVALID"))
        #expect(asker.get("/books/v1/volumes?q=cat&key=\(key)").text.contains("unknownLocation"))
        #expect((0..<3).map { _ in asker.get(list("q=cat")).status } == [200, 200, 429])
        #expect(asker.get(list("q=cat")).text.contains("defaultPerMinutePerUser"))
        asker.now += 60 * second
        #expect(asker.get(list("q=cat")).status == 200)

        var day = self.asker { $0.limits.googlePerDay = 1 }
        #expect(day.get(list("q=cat")).status == 200)
        #expect(day.get(list("q=cat")).text.contains("defaultPerDayPerProject"))
        // Noon in Seoul is 19:00 the day before in California; its midnight is five hours away.
        day.now += 5 * 3_600 * second - 1
        #expect(day.get(list("q=cat")).status == 429)
        day.now += 1
        #expect(day.get(list("q=cat")).status == 200)
    }

    @Test func `operators and options find other volumes`() {
        var asker = asker()
        func ids(_ query: String) -> [String] {
            (asker.json(list(query))["items"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        let queries = [
            "q=cat", "q=intitle:cat", "q=inauthor:cat", "q=cat&printType=magazines", "q=cat&filter=free-ebooks",
            "q=cat&langRestrict=ko",
        ]
        #expect(Set(queries.map(ids)).count == queries.count)
        let free = asker.json(list("q=cat&filter=free-ebooks"))["items"]?.array ?? []
        #expect(free.allSatisfy { $0["saleInfo"]?["saleability"] == "FREE" })
        let magazines = asker.json(list("q=cat&printType=magazines"))["items"]?.array ?? []
        #expect(magazines.allSatisfy { $0["volumeInfo"]?["printType"] == "MAGAZINE" })
        let lite = asker.json(list("q=cat&projection=lite"))["items"]?.array ?? []
        #expect(lite.allSatisfy { $0["saleInfo"] == nil && $0["searchInfo"] == nil })
    }

    @Test func `a book is found by its number`() {
        var asker = asker()
        let number = ISBN.thirteen(body: 987_654_321)
        let json = asker.json(list("q=isbn:\(number)"))
        #expect(json["items"]?.array?.count == 1)
        #expect(json["items"]?[0]?["volumeInfo"]?["industryIdentifiers"]?[0]?["identifier"]?.string == number)
    }
}
