import Catalogue
import SearchModel
import Testing

struct LoadErrorTests {
    /// A valid source file, into which the tests insert mistakes.
    static let good = """
        {
            source: "demo.books",
            account: { access: { base: "https://api.example.org" } },
            kind: "book",
            title: "Demo",
            request: { path: "/search", parameters: { q: "{query}", p: "{page}" } },
            paging: { style: "page", first: 1, size: 20, pagesMax: 5 },
            response: { hits: "items", total: "count" },
            hit: { key: "id", title: "name", url: "link" },
        }
        """

    static func load(_ text: String, trust: Trust = .builtIn) throws(CatalogueError) -> Catalogue {
        var catalogue = Catalogue()
        do throws(CatalogueMistakes) {
            try catalogue.add(file: "demo.json5", bytes: Array(text.utf8), trust: trust)
            return catalogue
        } catch {
            #expect(error.all.count == 1, "\(error.all)")
            throw error.all[0]
        }
    }

    @Test func `the unmodified file is valid`() throws {
        #expect(try Self.load(Self.good).sources.count == 1)
    }

    @Test(arguments: [
        ("kind: \"book\"", "kind: \"Book\"", 4, "kind", "Use a–z and digits"),
        ("kind: \"book\"", "kind: 5", 4, "kind", "It must be a kind such as blog."),
        ("title: \"Demo\"", "titel: \"Demo\"", 5, "titel", "Did you mean “title”?"),
        ("title: \"Demo\",", "", 1, "", "title is needed here"),
        ("title: \"Demo\"", "title: \"\"", 5, "title", "It must be a text"),
        ("\"demo.books\"", "\"demo\"", 2, "source", "Use account.part"),
        ("\"demo.books\"", "\"Demo.Books\"", 2, "source", "Use account.part"),
        ("size: 20", "size: 0", 7, "paging.size", "It must be a whole number from 1 to 1000."),
        ("size: 20", "size: 1001", 7, "paging.size", "It must be a whole number from 1 to 1000."),
        ("size: 20", "size: 1.5", 7, "paging.size", "It must be a whole number from 1 to 1000."),
        ("style: \"page\"", "style: \"pages\"", 7, "paging.style", "Did you mean “page”?"),
        ("\"/search\"", "\"search\"", 6, "request.path", "Write a path such as /v1/search."),
        ("\"/search\"", "\"//evil.example.org/search\"", 6, "request.path", "Write a path such as /v1/search."),
        ("\"/search\"", "\"https://evil.example.org/\"", 6, "request.path", "Write a path such as /v1/search."),
        ("\"{query}\"", "\"{quary}\"", 6, "request.parameters.q", "Placeholders are {query}"),
        ("\"{query}\"", "\"{query\"", 6, "request.parameters.q", "A placeholder looks like {query}."),
        ("\"{query}\"", "\"{secret.key}\"", 6, "request.parameters.q", "None are defined."),
        ("\"{query}\"", "\"{option.x}\"", 6, "request.parameters.q", "None are defined."),
        ("\"{query}\"", "\"{key}\"", 6, "request.parameters.q", "{key} can be used only in lookup."),
        ("path:", "body: { a: [\"{quary}\"] }, path:", 6, "request.body.a[0]", "Placeholders are {query}"),
        ("\"items\"", "\"items[\"", 8, "response.hits", "Join names by dots"),
        ("\"items\"", "\"a..b\"", 8, "response.hits", "Join names by dots"),
        ("\"items\"", "\"items.*\"", 8, "response.hits", "Write “items”, the path of the list itself."),
        ("\"items\"", "\"a.items[]\"", 8, "response.hits", "Write “a.items”, the path of the list itself."),
        ("\"items\"", "\"items[a=b]\"", 8, "response.hits", "Write “items”, the path of the list itself."),
        ("\"items\"", "\"$.a.items[*]\"", 8, "response.hits", "Write “a.items”, the path of the list itself."),
        ("\"items\"", "\"/a/items\"", 8, "response.hits", "Write “a.items”, the path of the list itself."),
        ("\"name\"", "\"names.#.text\"", 9, "hit.title", "Write “names[].text”."),
        ("\"name\"", "\"$.names[*]\"", 9, "hit.title", "Write “names[]”."),
        ("\"items\"", "\"\"", 8, "response.hits", "It must be a path"),
        ("\"name\"", "{ from: \"name\", do: \"htlm\" }", 9, "hit.title.do", "Did you mean “html”?"),
        ("\"name\"", "{ from: \"name\", do: [\"html\", {}] }", 9, "hit.title.do[1]", "A step looks like"),
        (
            "\"name\"", "{ from: \"name\", do: { date: \"iso\", zone: \"9\" } }", 9, "hit.title.do.zone",
            "Write it as +09:00"
        ),
        ("\"name\"", "{ from: \"name\", do: { date: \"iso8601\" } }", 9, "hit.title.do.date", "It must be one of"),
        (
            "\"name\"", "{ from: \"name\", do: { split: \",\", join: \";\" } }", 9, "hit.title.do.join",
            "Put each step in its own braces"
        ),
        (
            "\"name\"", "{ from: \"name\", do: { zone: \"+09:00\" } }", 9, "hit.title.do.zone",
            "Write the name of the step first."
        ),
        ("\"name\"", "{ from: \"name\", do: { format: \"x\" } }", 9, "hit.title.do.format", "Write {} in place"),
        (
            "\"name\"", "{ from: \"name\", do: { within: [2, 1] } }", 9, "hit.title.do.within",
            "Write [smallest, largest]."
        ),
        ("\"name\"", "{ from: \"name\", constant: 1 }", 9, "hit.title.constant", "Use only one of them"),
        ("\"name\"", "{ do: \"html\" }", 9, "hit.title", "from is needed here"),
        ("\"name\"", "[]", 9, "hit.title", "It must have an element."),
        ("key: \"id\"", "extra: { a: { from: 5 } }", 9, "hit.extra.a.from", "It must be a path"),
        ("\"https://api.example.org\"", "\"api.example.org\"", 3, "account.access.base", "Write scheme and host"),
        (
            "\"https://api.example.org\"", "\"https://api.example.org/\"", 3, "account.access.base",
            "Write only scheme and host"
        ),
        (
            "\"https://api.example.org\"", "\"https://api.example.org/v1\"", 3, "account.access.base",
            "Write only scheme and host"
        ),
        (
            "access: {", "secrets: { key: \"k\" }, access: { headers: { A: \"{secret.kye}\" },", 3,
            "account.access.headers.A", "Did you mean “key”?"
        ),
        (
            "access: {", "access: { parameters: { a: \"{secret.key}\" },", 3, "account.access.parameters.a",
            "None are defined."
        ),
        ("account: {", "account: { secrets: { key: 5 },", 3, "account.secrets.key", "It must be a description of"),
        ("account: {", "account: { secrets: { key: \"k\" },", 3, "account.secrets.key", "Send it, as in headers"),
        ("access: {", "access: { secrets: \"key\",", 3, "account.access.secrets", "Declare it under secrets."),
        ("access: {", "ttl: \"10\", access: {", 3, "account.ttl", "Write 500ms, 30s"),
        (
            "access: {", "errors: [{ when: {}, means: \"end\" }], access: {", 3, "account.errors[0].when",
            "Use status"
        ),
        (
            "access: {", "errors: [{ when: { status: 99 }, means: \"end\" }], access: {", 3,
            "account.errors[0].when.status", "Write a status"
        ),
        (
            "access: {", "errors: [{ when: { status: 400 }, means: \"ends\" }], access: {", 3,
            "account.errors[0].means", "Did you mean “end”?"
        ),
        ("access: {", "limits: { perSecond: -1 }, access: {", 3, "account.limits.perSecond", "It must be a number"),
        (
            "access: {", "quotas: [{ name: \"d\", limit: 1, per: \"year\" }], access: {", 3, "account.quotas[0].per",
            "It must be one of"
        ),
        ("base:", "headers: { Host: \"x\" }, base:", 3, "account.access.headers.Host", "Omit Host"),
        ("base:", "headers: { \"a b\": \"x\" }, base:", 3, "account.access.headers.a b", "Use letters"),
        (
            "account: { access: { base: \"https://api.example.org\" } },", "", 1, "",
            "Declare it in account."
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", options: { a: { type: \"list\" } }", 5, "options.a.type",
            "It must be one of"
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", options: { a: { type: \"integer\", min: 2, max: 1 } }", 5,
            "options.a.max", "It must be a whole number"
        ),
        ("title: \"Demo\"", "title: \"Demo\", sorts: { recency: \"new\" }", 5, "sorts", "relevance is needed here"),
        (
            "title: \"Demo\"", "title: \"Demo\", lookup: { path: \"/{query}\", hits: \".\" }", 5, "lookup.path",
            "Use {key} in a lookup."
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", lookup: { path: \"/1\", hits: \".\" }", 5, "lookup",
            "Write {key} in the path or in a parameter."
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", lookup: { path: \"/{key}\" }", 5, "lookup", "hits is needed here."
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", lookup: { path: \"/{key}\", hits: \".\", hit: { titel: \"t\" } }", 5,
            "lookup.hit.titel", "Did you mean “title”?"
        ),
        (
            "title: \"Demo\"", "title: \"Demo\", lookup: { path: \"/{key}\", hits: \".\", hit: 5 }", 5,
            "lookup.hit", "It must be an object."
        ),
    ])
    func `a mistake is reported with its location and a hint`(
        _ right: String,
        _ wrong: String,
        _ line: Int,
        _ key: String,
        _ hint: String
    ) throws {
        #expect(Self.good.contains(right))
        let error = try #require(throws: CatalogueError.self) { try Self.load(Self.good.replacing(right, with: wrong)) }
        #expect(error.file == "demo.json5")
        #expect(error.line == line)
        #expect(error.key == key)
        #expect(error.hint?.hasPrefix(hint) == true, "\(error)")
    }

    @Test func `all mistakes in a file are reported at once, in file order`() throws {
        let text = """
            {
                source: "Demo.Books",
                account: {
                    secrets: { key: 5 }, settings: { place: { type: "txt" } },
                    access: { secrets: ["key", "kex"], base: "api.example.org", headers: { Host: "x" } },
                    errors: [{ when: { status: 99, body: { "a..b": 1 } }, means: "ends" }, { means: "end" }],
                    quotas: [{ limit: 0, per: "year" }], limits: { perSecond: -1, perSecnd: 1 }, ttl: "10",
                },
                kind: "Book!", titel: "Demo",
                request: { path: "search", parameters: { q: "{quary}", r: ["{option.no}", "{query"] } },
                options: { a: { type: "list" }, b: { type: "integer", min: 2, max: 1, abuot: "x" } },
                paging: { style: "pages", size: 0, pagesMax: 0 },
                response: { hits: "items[", total: "a..b", end: { pastTotal: 1, pages: "" } },
                hit: {
                    title: { from: "name", do: ["htlm", "clean", { date: "iso8601" }] }, url: { from: 5 },
                    extra: { a: [], b: { do: "html" } },
                },
            }
            """
        var catalogue = Catalogue()
        let mistakes = try #require(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "demo.json5", bytes: Array(text.utf8), trust: .user)
        }
        let lines = mistakes.all.map { "\($0.line) \($0.key)" }
        #expect(
            lines == [
                "2 source", "4 account.secrets.key", "4 account.settings.place.type",
                "5 account.access.secrets[1]",
                "5 account.access.base", "5 account.access.headers.Host", "6 account.errors[0].when.status",
                "6 account.errors[0].when.body.a..b", "6 account.errors[0].means", "6 account.errors[1]",
                "7 account.quotas[0]", "7 account.quotas[0].limit", "7 account.quotas[0].per",
                "7 account.limits.perSecond", "7 account.limits.perSecnd", "7 account.ttl", "9 kind", "9 titel",
                "10 request.path", "10 request.parameters.q", "10 request.parameters.r[0]",
                "10 request.parameters.r[1]",
                "11 options.a.type",
                "11 options.b.max", "11 options.b.abuot", "12 paging.style", "12 paging.size", "12 paging.pagesMax",
                "13 response.hits", "13 response.total", "13 response.end.pastTotal", "13 response.end.pages",
                "15 hit.title.do[0]", "15 hit.title.do[2].date", "15 hit.url.from", "16 hit.extra.a", "16 hit.extra.b",
            ],
            "\(lines)"
        )
        #expect(mistakes.all.allSatisfy { $0.hint?.isEmpty == false })
        #expect(catalogue.sources.isEmpty)
    }

    @Test func `an undeclared placeholder is reported together with other mistakes`() throws {
        let text = Self.good.replacing("\"{query}\"", with: "[\"{secret.no}\", \"{option.no}\"]")
            .replacing("kind: \"book\"", with: "kind: 5").replacing("\"/search\"", with: "\"search\"")
        var catalogue = Catalogue()
        let mistakes = try #require(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "demo.json5", bytes: Array(text.utf8), trust: .user)
        }
        let keys = ["kind", "request.path", "request.parameters.q[0]", "request.parameters.q[1]"]
        #expect(mistakes.all.map(\.key) == keys)
        #expect(mistakes.all.map(\.message).contains("uses {option.no}, which is not declared"))
    }

    @Test func `mistakes in a file with a family are reported once`() throws {
        let text = Self.good.replacing(
            "source: \"demo.books\"",
            with: "source: \"demo.{x}\", family: { name: \"x\", values: [\"a\", \"b\"] }"
        )
        .replacing("kind: \"book\"", with: "kind: 5").replacing("size: 20", with: "size: 0")
        var catalogue = Catalogue()
        let mistakes = try #require(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "demo.json5", bytes: Array(text.utf8), trust: .user)
        }
        #expect(mistakes.all.map(\.key) == ["kind", "paging.size"])
    }

    @Test func `invalid JSON5 is rejected with its line`() throws {
        let error = try #require(throws: CatalogueError.self) { try Self.load("{\n  a: [1,\n}") }
        #expect(error.line == 3)
        #expect(error.description.hasPrefix("demo.json5:3:"))
    }

    @Test func `a rejected file changes nothing`() throws {
        var catalogue = try Self.load(Self.good)
        let broken = Self.good.replacing("title: \"Demo\"", with: "title: 5").replacing(
            "demo.books",
            with: "demo2.books"
        )
        #expect(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "b.json5", bytes: Array(broken.utf8), trust: .user)
        }
        #expect(catalogue.sources.count == 1)
        // The rejected file has not declared its account, so another file can declare this account.
        try catalogue.add(
            file: "c.json5",
            bytes: Array(Self.good.replacing("demo.books", with: "demo2.books").utf8),
            trust: .user
        )
        #expect(catalogue.sources.count == 2)
    }
}
