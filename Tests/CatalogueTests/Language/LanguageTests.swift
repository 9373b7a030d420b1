import Catalogue
import HTTP
import JSON
import SearchModel
import Testing

/// Tests the language of source files.
struct LanguageTests {
    private func source(_ changes: [(String, String)]) throws -> Source {
        var text = LoadErrorTests.good
        for (old, new) in changes {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        return try LoadErrorTests.load(text).source(named: #require(SourceName("demo.books")))
    }

    private func mapped(_ rule: String, _ element: String) throws -> JSONValue? {
        let source = try source([("key: \"id\"", "key: \"id\", extra: { x: \(rule) }")])
        let page = try source.page(
            from: response(#"{"items":[{"name":"n",\#(element)}]}"#),
            for: pageRequest("cat"),
            account: AccountAccess()
        )
        return try #require(page.hits.first).extra("x")
    }

    @Test(arguments: RuleCase.all)
    func `a rule reads the expected value from an element`(_ one: RuleCase) throws {
        #expect(try mapped(one.rule, one.element) == one.expected)
    }

    @Test func `error rules match the status, the headers and the text of a response`() throws {
        let rules = """
            errors: [
                { when: { header: { "X-Limit": "0" } }, means: "rateLimited", retryAfter: "2s", retryable: false, hint: "slow down" },
                { when: { status: "4xx", text: "quota" }, means: "quotaExhausted" },
                { when: { status: [418, 451] }, means: "forbidden" },
            ], access:
            """
        let source = try source([("access:", rules)])
        func error(_ status: Int, _ body: String, _ fields: [(String, String)] = []) throws -> SearchError {
            try #require(throws: SearchError.self) {
                try source.page(
                    from: response(body, status: status, fields),
                    for: pageRequest("cat"),
                    account: AccountAccess()
                )
            }
        }
        let limited = try error(200, #"{"items":[]}"#, [("x-limit", "0; reset=1")])
        #expect(limited.kind == .rateLimited && limited.retryAfter == .seconds(2) && limited.retryable == false)
        #expect(limited.hint == "slow down")
        #expect(try error(400, "your quota is used up").kind == .quotaExhausted)
        #expect(try error(500, "quota").kind == .unavailable)
        #expect(try error(451, " \n").kind == .forbidden)
    }

    @Test func `limits, lifetimes and attribution are read`() throws {
        let source = try source([
            (
                "access:",
                "attribution: \"Demo\", limits: { perSecond: 2.5, burst: 3, concurrency: 2 }, ttl: \"1h\", access:"
            ),
            ("kind: \"book\",", "kind: \"book\", limits: { perDay: 100 }, negativeTTL: \"5s\", caseInsensitive: true,"),
        ])
        #expect(source.attribution == "Demo")
        #expect(source.shared.limits == Limits(perSecond: 2.5, burst: 3, concurrency: 2))
        #expect(source.limits == Limits(perDay: 100))
        #expect(source.ttl == .seconds(3600))
        #expect(source.negativeTTL == .seconds(5))
        #expect(source.caseInsensitive)
        #expect(source.keyless)
    }

    @Test func `a file with a family declares one source for each value of the family`() throws {
        let text = LoadErrorTests.good.replacing(
            "source: \"demo.books\"",
            with: "family: { name: \"shop\", values: [\"a\", \"b\"] }, source: \"demo.{shop}\""
        )
        .replacing("https://api.", with: "https://{shop}.")
        let catalogue = try LoadErrorTests.load(text, trust: .builtIn)
        #expect(catalogue.sources.keys.map(\.text).sorted() == ["demo.a", "demo.b"])
        let second = try catalogue.source(named: #require(SourceName("demo.b")))
        #expect(
            try second.request(for: pageRequest("x"), account: AccountAccess()).url
                == "https://b.example.org/search?q=x&p=1"
        )
    }

    @Test(arguments: ["query", "language", "sort", "page", "start", "size", "key"])
    func `a family cannot have the same name as a placeholder`(_ name: String) {
        let text = LoadErrorTests.good.replacing(
            "source: \"demo.books\"",
            with: "family: { name: \"\(name)\", values: [\"a\"] }, source: \"demo.{\(name)}\""
        )
        #expect(throws: CatalogueError.self) { try LoadErrorTests.load(text, trust: .builtIn) }
    }
}
