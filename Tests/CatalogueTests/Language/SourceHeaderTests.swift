import Catalogue
import HTTP
import JSON
import SearchModel
import Testing

struct SourceHeaderTests {
    private func identities(_ text: String) -> [SourceHeader] {
        SourceHeader.all(in: Array(text.utf8))
    }

    @Test func `the header of a source is read even if its file is not valid`() throws {
        let wrong = LoadErrorTests.good.replacing("\"items\"", with: "5")
        let identity = try #require(identities(wrong).first)
        #expect(identity.name.text == "demo.books")
        #expect(identity.kind?.text == "book")
        #expect(identity.title == "Demo")
        let little = try #require(identities("{ source: \"demo.books\", kind: 5, title: [] }").first)
        #expect(little.kind == nil && little.title == nil)
    }

    @Test func `a file with a family has a header for each value of the family`() {
        let text = "{ family: { name: \"lang\", values: [\"ko\", \"en\"] }, source: \"w.{lang}\", title: \"W {lang}\" }"
        #expect(identities(text).map(\.name.text) == ["w.ko", "w.en"])
        #expect(identities(text).map(\.title) == ["W ko", "W en"])
        #expect(identities(text.replacing("values: [\"ko\", \"en\"]", with: "values: 5")).isEmpty)
    }

    @Test func `a file with several sources has a header for each source`() {
        let text =
            "{ kind: \"web\", sources: { \"w.a\": { title: \"A\" }, \"w.b\": { title: \"B\", kind: \"book\" } } }"
        #expect(identities(text).map(\.name.text) == ["w.a", "w.b"])
        #expect(identities(text).map(\.title) == ["A", "B"])
        #expect(identities(text).map(\.kind?.text) == ["web", "book"])
        #expect(identities("{ sources: { \"w.a\": 5 } }").isEmpty)
        #expect(identities("{ sources: [] }").isEmpty)
    }

    @Test func `if one source is invalid, the whole file is invalid, and the line of the source is reported`() throws {
        let shared = LoadErrorTests.good.replacing("source: \"demo.books\",", with: "")
        let end = try #require(shared.lastIndex(of: "}"))
        func file(_ sources: String) -> String { String(shared[..<end]) + "\nsources: {\n\(sources)\n}\n}" }
        let good = file("\"demo.a\": {}, \"demo.b\": { title: \"Other\", hit: { title: \"other\" } },")
        let catalogue = try LoadErrorTests.load(good)
        #expect(catalogue.sources.values.map(\.title).sorted() == ["Demo", "Other"])
        #expect(catalogue.sources.keys.map(\.text).sorted() == ["demo.a", "demo.b"])
        let bad = file("\"demo.a\": {},\n\"demo.b\": { kind: 5 },")
        let line = bad.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("kind: 5") }
        let error = #expect(throws: CatalogueError.self) { try LoadErrorTests.load(bad) }
        #expect(error?.line == line.map { $0 + 1 })
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "{ source: 5 }", "{ source: \"nodot\" }", "{ source: \"a.b\", gone: \"it ended\" }",
        "{ account: \"a\" }",
    ])
    func `a file without a source has no header`(text: String) {
        #expect(identities(text).isEmpty)
    }

    @Test func `accounts are loaded before the sources that use them`() {
        func turn(_ text: String) -> Int { Catalogue.turn(ofFile: Array(text.utf8)) }
        #expect(turn("{ account: \"demo\" }") == 0)
        #expect(turn(LoadErrorTests.good) == 1)
        #expect(turn("{ source: \"demo.more\" }") == 2)
        #expect(turn("{") == 0)
    }
}

struct ElementsTests {
    private func demo(_ hit: String) throws -> Source {
        let text = LoadErrorTests.good.replacing("{ key: \"id\", title: \"name\", url: \"link\" }", with: hit)
        return try LoadErrorTests.load(text).source(named: #require(SourceName("demo.books")))
    }

    @Test func `all elements of a list are returned, even elements that are not valid hits`() throws {
        let source = try demo("{ title: \"name\", extra: { price: \"price\" } }")
        let body = #"{"items":[{"name":"A"},{"x":1},7,{"name":"B"}]}"#
        let elements = source.elements(of: response(body), account: AccountAccess()).elements
        #expect(elements.map { $0.hit?.title } == ["A", nil, nil, "B"])
        #expect(elements.map { $0.hit?.rank } == [1, nil, nil, 4])
        #expect(
            elements.map { String(decoding: $0.raw, as: UTF8.self) } == [
                #"{"name":"A"}"#, #"{"x":1}"#, "7", #"{"name":"B"}"#,
            ]
        )
        let other = source.elements(of: response(#"{"data":{},"items":{}}"#), account: AccountAccess())
        #expect(other.missing == "it has no list of hits in “items”")
    }

    @Test func `hits of several lists are joined, and an error names the unmet “must” condition`() throws {
        let text = LoadErrorTests.good.replacing(
            "hits: \"items\"",
            with: "hits: [\"items\", \"more.items\"], must: { ok: true }"
        )
        let source = try LoadErrorTests.load(text).source(named: #require(SourceName("demo.books")))
        let request = try pageRequest("cat")
        let body = #"{"ok":true,"items":[{"name":"A"}],"more":{"items":[{"name":"B"}]}}"#
        let page = try source.page(from: response(body), for: request, account: AccountAccess())
        #expect(page.hits.map(\.title) == ["A", "B"])
        let error = #expect(throws: SearchError.self) {
            try source.page(from: response(#"{"items":[]}"#), for: request, account: AccountAccess())
        }
        #expect(error?.kind == .badResponse && error?.message.contains("ok is not “true”") == true)
    }

    @Test func `a secret in a response is masked in its elements`() throws {
        let source = try demo("{ title: \"name\" }")
        let account = AccountAccess(secrets: ["key": Secret("s3cr3t-0123456789")])
        let body = #"{"items":[{"name":"s3cr3t-0123456789"}]}"#
        let element = try #require(source.elements(of: response(body), account: account).elements.first)
        #expect(element.hit?.title == "‹secret›")
        #expect(!String(decoding: element.raw, as: UTF8.self).contains("s3cr3t"))
    }

    @Test func `a declared field that no hit has is reported`() throws {
        let source = try demo(
            """
            { key: "id", title: "name", snippet: "text", url: "link", author: "by", published: "on", thumbnail: "img",
              extra: { price: "price", pages: "pages" } }
            """
        )
        func unfilled(_ items: String) throws -> [String] {
            let body = "{\"items\":[\(items)]}"
            let account = AccountAccess()
            let page = try source.page(from: response(body), for: pageRequest("cat"), account: account)
            let elements = source.elements(of: response(body), account: account).elements
            return source.unfilledFields(of: elements, in: page)
        }
        #expect(
            try unfilled(#"{"name":"A"}"#) == [
                "hit.snippet", "hit.url", "hit.author", "hit.published", "hit.thumbnail", "hit.extra.price",
                "hit.extra.pages", "hit.key", "response.total",
            ]
        )
        #expect(
            try unfilled(#"{"id":1,"text":"t","by":"b","on":"2024","price":1,"link":"https://a.example/"}"#) == [
                "hit.title", "hit.thumbnail", "hit.extra.pages", "response.total",
            ]
        )
    }
}
