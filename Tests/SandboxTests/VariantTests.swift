import HTTP
import JSON
import Testing

@testable import Sandbox

/// Behaviours that are switched between because the real ones are in doubt, and the answer that repeats keys.
@Suite struct VariantTests {
    private static let volumes = "/books/v1/volumes?q=subway&maxResults=40&country=KR&key="

    @Test func `something new arrives at the front each so many calls`() {
        var options = SandboxOptions()
        options.quirks.arrivalCalls = 3
        var asker = Asker.kakao(options: options)
        let firsts = (0..<7).map { _ in
            asker.json("/v2/search/blog?query=cat")["documents"]?[0]?["url"]?.string ?? ""
        }
        #expect(Set(firsts[0..<3]).count == 1 && Set(firsts[3..<6]).count == 1)
        #expect(Set([firsts[0], firsts[3], firsts[6]]).count == 3)
    }

    @Test func `Google and Apple change their prices, in lists and of single items, and nothing else`() throws {
        var asker = Asker()
        let key = asker.responder.options.keys.google[0]
        func prices() throws -> [Int?] {
            let apps = asker.json("/search?term=subway&media=software&country=KR")["results"]?.array ?? []
            let app = try #require(apps.first { ($0["price"]?.int ?? 0) > 0 })
            let single = asker.json("/lookup?country=KR&id=\(app["trackId"]?.int ?? 0)")["results"]?[0]
            #expect(single == app)
            let books = asker.json(Self.volumes + key)["items"]?.array ?? []
            let book = try #require(books.first { $0["saleInfo"]?["listPrice"] != nil })
            let id = book["id"]?.string ?? ""
            let volume = asker.json("/books/v1/volumes/\(id)?country=KR&key=\(key)")
            #expect(volume["saleInfo"] == book["saleInfo"])
            return [app["price"]?.int, volume["saleInfo"]?["listPrice"]?["amount"]?.int]
        }
        let before = try prices()
        asker.responder.options.quirks.pricePercent = 300
        let after = try prices()
        #expect(before[1].map { $0 * 3 } == after[1])
        #expect(before[0].map { $0 * 2 < after[0] ?? 0 } == true)
    }

    @Test func `held back volumes make a page short, and are not in the truth`() throws {
        var options = SandboxOptions()
        options.quirks.googleOverlaps = false
        var whole = Asker(options: options)
        options.quirks.googleShortPages = true
        var short = Asker(options: options)
        let target = Self.volumes + options.keys.google[0]
        let all = whole.json(target)["items"]?.array?.compactMap { $0["id"]?.string } ?? []
        let shown = short.json(target)["items"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(all.count == 40 && (20..<40).contains(shown.count))
        #expect(shown == all.filter(Set(shown).contains))
        let next = short.json(target + "&startIndex=40")["items"]?.array?.count ?? 0
        #expect(next > 0)
        let truth = try #require(short.responder.truth(of: "google.books", query: "subway", at: noon))
        #expect(Array(truth.ids.prefix(shown.count)) == shown && truth.reachable == truth.ids.count)
    }

    @Test func `a search in titles finds some of what a search in texts finds`() {
        var asker = Asker(fields: [("User-Agent", "me@example.org")])
        func ids(_ what: String) -> [Int] {
            let target = "/wikipedia/ko/w/api.php?action=query&list=search&srlimit=500&srsearch=coffee&srwhat=\(what)"
            return asker.json(target)["query"]?["search"]?.array?.compactMap { $0["pageid"]?.int } ?? []
        }
        let (texts, titles, near) = (ids("text"), ids("title"), ids("nearmatch"))
        #expect(titles.count == (texts.count + 2) / 3 && titles == texts.filter(Set(titles).contains))
        #expect(near == Array(texts.prefix(1)))
    }

    @Test(arguments: [200, 400])
    func `an echo repeats keys, as they are or encoded, but not what was searched for`(status: Int) {
        for name in ["echo", "echoEncoded"] {
            var options = SandboxOptions()
            var rule = FaultRule(source: "*", name: name)
            rule.status = status
            options.faults = [rule]
            var asker = Asker(options: options, fields: [("Authorization", "KakaoAK in-a+field")])
            let answer = asker.get("/v2/search/blog?query=secretly&token=in%2Fparameter")
            #expect(answer.status == status)
            #expect(!answer.text.contains("secretly"))
            #expect(answer.text.contains("in-a+field") == (name == "echo"))
            #expect(answer.text.contains("in/parameter") == (name == "echo"))
            #expect(answer.text.contains("in-a%2Bfield") || status == 200 || name == "echo")
            #expect(answer.text.contains("aW4vcGFyYW1ldGVy") == (name == "echoEncoded"))
        }
    }
}
