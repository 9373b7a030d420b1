import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct OpenLibraryTests {
    func asker(_ change: (inout SandboxOptions) -> Void = { $0.limits = .none }) -> Asker {
        var options = SandboxOptions()
        change(&options)
        return Asker(options: options)
    }

    @Test func `a page has a hundred works unless asked otherwise`() {
        var asker = asker()
        let json = asker.json("/search.json?q=cat")
        #expect(json["docs"]?.array?.count == 100)
        #expect(json["numFound"] == json["num_found"] && (json["numFound"]?.int ?? 0) > 100)
        #expect(json["offset"] == .null && json["start"] == 0)
        #expect(asker.json("/search.json?q=cat&limit=3&page=2")["start"] == 3)
        #expect(asker.json("/search.json?q=cat&limit=3&page=2&offset=9")["offset"] == 9)
        #expect(asker.json("/search.json?q=cat&limit=0")["docs"] == [])
        #expect(asker.json("/search.json?q=zxqvkjw")["numFound"] == 0)
    }

    @Test(arguments: ["", "new", "old", "rating", "editions", "random"])
    func `a walk meets exactly what the sandbox knows`(sort: String) {
        var asker = asker()
        var seen: [String] = []
        while true {
            let suffix = sort.isEmpty ? "" : "&sort=\(sort)"
            let json = asker.json("/search.json?q=\("고양이".encoded)&limit=500&fields=key&offset=\(seen.count)\(suffix)")
            let docs = json["docs"]?.array ?? []
            if docs.isEmpty { break }
            seen += docs.compactMap { $0["key"]?.string }
        }
        #expect(seen == asker.responder.truth(of: "openlibrary.books", query: "고양이", sort: sort, at: noon)?.ids)
        #expect(Set(seen).count == seen.count)
    }

    @Test func `new lists the latest year first, old the earliest`() {
        var asker = asker()
        func years(_ sort: String) -> [Int] {
            let docs = asker.json("/search.json?q=cat&sort=\(sort)")["docs"]?.array ?? []
            return docs.compactMap { $0["first_publish_year"]?.int }
        }
        #expect(years("new") == years("new").sorted(by: >))
        #expect(years("old") == years("old").sorted())
        #expect((years("new").first ?? 0) > (years("old").first ?? 0))
    }

    @Test(arguments: [
        ("q=\("고양".encoded)", "string_too_short"), ("q=ab", "string_too_short"), ("q=the", "value_error"),
        ("q=cat&page=0", "greater_than_equal"), ("q=cat&offset=-1", "greater_than_equal"),
        ("q=cat&limit=-1", "greater_than_equal"), ("q=cat&sort=smell", "literal_error"),
    ])
    func `a wrong request gets 422 with the detail`(query: String, type: String) {
        var asker = asker()
        let response = asker.get("/search.json?\(query)")
        #expect(response.status == 422)
        #expect(response.json["detail"]?[0]?["type"]?.string == type)
    }

    @Test func `fields choose the members`() {
        var asker = asker()
        let doc = asker.json("/search.json?q=cat&fields=key,isbn")["docs"]?[0]
        #expect(doc?.members?.map(\.name) == ["key", "isbn"])
        #expect(asker.json("/search.json?q=cat")["docs"]?[0]?["isbn"] == nil)
        #expect(asker.json("/search.json?q=cat&fields=*")["docs"]?[0]?["publisher"] != nil)
    }

    @Test func `a work is had by its key`() throws {
        var asker = asker()
        let doc = asker.json("/search.json?title=cat&author=park&limit=5")["docs"]?[4]
        let key = try #require(doc?["key"]?.string)
        #expect(asker.json("\(key).json")["title"] == doc?["title"])
        #expect(asker.get("/works/OL1W.json").status == 404)
        let found = asker.json("/search.json?q=\("key:\"\(key)\"".encoded)&fields=key,title,description")
        #expect(found["numFound"] == 1 && found["docs"]?[0]?["key"]?.string == key)
        #expect(asker.json("/search.json?q=key:/works/OL1W")["docs"] == [])
        #expect(asker.json("/search.json?q=key:nonsense")["docs"] == [])
    }

    @Test func `one call a second, or three for those who say who they are`() {
        var asker = asker { _ in }
        #expect((0..<2).map { _ in asker.get("/search.json?q=cat").status } == [200, 429])
        asker.fields = [("User-Agent", "searchd-tests/1 (tests@sandbox.example)")]
        asker.now += second
        #expect((0..<4).map { _ in asker.get("/search.json?q=cat").status } == [200, 200, 200, 429])
    }
}
