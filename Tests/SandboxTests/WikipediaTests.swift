import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct WikipediaTests {
    func asker(agent: String? = "searchd-tests/1 (tests@sandbox.example)") -> Asker {
        Asker(fields: agent.map { [("User-Agent", $0)] } ?? [])
    }

    func search(_ query: String, language: String = "ko") -> String {
        "/wikipedia/\(language)/w/api.php?action=query&list=search&format=json&\(query)"
    }

    @Test func `a result has a title, an id, a date and a marked snippet`() {
        var asker = asker()
        let response = asker.get(search("srsearch=\("고양이".encoded)&srlimit=50"))
        #expect(response.fields["Content-Type"] == "application/json; charset=utf-8")
        let results = response.json["query"]?["search"]?.array ?? []
        #expect(results.count == 50)
        for result in results {
            #expect(
                result.members?.map(\.name) == ["ns", "title", "pageid", "size", "wordcount", "snippet", "timestamp"]
            )
            #expect(result["snippet"]?.string?.contains("<span class=\"searchmatch\">고양이</span>") == true)
            #expect(result["title"]?.string?.contains("<") == false)
        }
        let few = asker.json(search("srsearch=cat&srprop=snippet"))["query"]?["search"]?[0]
        #expect(few?.members?.map(\.name) == ["ns", "title", "pageid", "snippet"])
    }

    @Test(arguments: ["relevance", "last_edit_desc", "last_edit_asc", "create_timestamp_desc"])
    func `a walk follows the continue object to the end`(sort: String) {
        var asker = asker()
        var seen: [String] = []
        var offset: Int? = 0
        while let position = offset {
            let json = asker.json(search("srsearch=cat&srlimit=500&srsort=\(sort)&sroffset=\(position)"))
            seen += (json["query"]?["search"]?.array ?? []).compactMap { $0["pageid"]?.int.map { String($0) } }
            offset = json["continue"]?["sroffset"]?.int
        }
        let truth = asker.responder.truth(of: "wikipedia.ko", query: "cat", sort: sort, at: asker.now)
        #expect(seen == truth?.ids)
        #expect(Set(seen).count == seen.count)
    }

    @Test func `no caller gets past ten thousand results`() {
        var asker = asker()
        #expect(asker.json(search("srsearch=linux&sroffset=10000"))["query"]?["search"] == [])
        for word in ["linux", "cat", "dog", "music", "book"] {
            #expect((asker.responder.truth(of: "wikipedia.en", query: word, at: noon)?.reachable ?? 0) <= 10_000)
        }
    }

    @Test func `the last page has no continue, and old servers write it otherwise`() {
        var asker = asker()
        #expect(asker.json(search("srsearch=zxqvkjw"))["continue"] == nil)
        #expect(asker.json(search("srsearch=zxqvkjw"))["query"]?["searchinfo"]?["totalhits"] == 0)
        asker.responder.options.quirks.wikipediaOldContinue = true
        let json = asker.json(search("srsearch=cat"))
        #expect(json["continue"] == nil)
        #expect(json["query-continue"]?["search"]?["sroffset"] == 10)
    }

    @Test(arguments: [
        ("srsearch=", "missingparam"), ("", "missingparam"), ("srsearch=cat&srlimit=501", "outofrange"),
        ("srsearch=cat&srlimit=0", "outofrange"), ("srsearch=cat&sroffset=-1", "outofrange"),
        ("srsearch=cat&srlimit=x", "badinteger"), ("srsearch=cat&srsort=size", "badvalue"),
        ("srsearch=cat&srwhat=smell", "badvalue"),
    ])
    func `errors come inside a 200`(query: String, code: String) {
        var asker = asker()
        let response = asker.get(search(query))
        #expect(response.status == 200)
        #expect(response.json["error"]?["code"]?.string == code)
        #expect(response.json["error"]?["info"]?.string?.isEmpty == false)
        #expect(response.json["servedby"] != nil)
    }

    @Test func `a caller must say who it is`() {
        var asker = asker(agent: nil)
        #expect(asker.get(search("srsearch=cat")).status == 403)
        asker.responder.options.quirks.wikipediaNeedsAgent = false
        #expect(asker.get(search("srsearch=cat")).status == 200)
        asker.responder.options.limits.wikipediaPerSecond = 1
        _ = asker.get(search("srsearch=cat"))
        let refused = asker.get(search("srsearch=cat"))
        #expect(refused.status == 429)
        #expect(refused.fields["Retry-After"] == "1")
    }

    @Test func `completion answers with four arrays`() {
        var asker = asker()
        let json = asker.json("/wikipedia/en/w/api.php?action=opensearch&format=json&search=cat&limit=5")
        #expect(json[0] == "cat")
        #expect((1...3).allSatisfy { json[$0]?.array?.count == 5 })
        #expect(json[3]?[0]?.string?.hasPrefix("https://en.wikipedia.example/wiki/") == true)
    }

    @Test func `each language is a wiki of its own, and a page is had by its id`() throws {
        var asker = asker()
        let korean = asker.json(search("srsearch=cat"))["query"]?["search"]?[0]
        let english = asker.json(search("srsearch=cat", language: "en"))["query"]?["search"]?[0]
        #expect(korean?["pageid"] != english?["pageid"])
        let id = try #require(korean?["pageid"]?.int)
        let pages = asker.json("/wikipedia/ko/w/api.php?action=query&pageids=\(id)|7&format=json")["query"]?["pages"]
        #expect(pages?[String(id)]?["title"] == korean?["title"])
        #expect(pages?["7"]?["missing"] == "")
        let second = "format=json&formatversion=2&prop=extracts|info|revisions|pageimages&explaintext=1"
        let listed = asker.json("/wikipedia/ko/w/api.php?action=query&pageids=\(id)|7&\(second)")["query"]?["pages"]
        #expect(listed?[0]?["title"] == korean?["title"] && listed?[0]?["extract"]?.string?.contains("<") == false)
        #expect(listed?[0]?["revisions"]?[0]?["timestamp"] == korean?["timestamp"])
        #expect(listed?[1]?["missing"] == true)
        #expect(
            asker.json("/wikipedia/en/w/api.php?action=query&pageids=\(id)&\(second)")["query"]?["pages"]?[0]?[
                "missing"
            ] == true
        )
        #expect(asker.json("/wikipedia/ko/w/api.php?action=query&pageids=x")["error"]?["code"] == "badinteger")
        #expect(asker.get("/w/api.php?action=query&list=search&srsearch=cat").status == 200)
        #expect(asker.responder.counts.requests(to: "wikipedia.en") == 3)
    }
}
