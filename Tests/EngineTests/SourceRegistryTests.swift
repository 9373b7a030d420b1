import Catalogue
import SearchModel
import SearchTestSupport
import Testing

@testable import Engine

struct SourceRegistryTests {
    private static func catalogue() throws -> Catalogue {
        var catalogue = Catalogue()
        let accounts = [
            "open": #"account: "open", access: { base: "https://open.example.com" }"#,
            "keyed": """
            account: "keyed", secrets: { key: "a key" },
            access: { secrets: ["key"], base: "https://keyed.example.com", headers: { "X-Key": "{secret.key}" } }
            """,
        ]
        for (name, text) in accounts {
            try catalogue.add(file: name, bytes: Array("{ \(text) }".utf8), trust: .builtIn)
        }
        for (name, kind) in [
            ("open.blog", "blog"), ("open.app", "app"), ("keyed.blog", "blog"), ("keyed.book", "book"),
        ] {
            let text = """
                {
                    source: "\(name)", kind: "\(kind)", title: "\(name)", sorts: { relevance: "" }, ttl: "10m",
                    request: { path: "/s", parameters: { q: "{query}", page: "{page}" } },
                    paging: { style: "page", first: 1, size: 10 },
                    response: { hits: "hits", end: { shortPage: true } },
                    hit: { key: "id", title: "title" },
                }
                """
            try catalogue.add(file: name, bytes: Array(text.utf8), trust: .builtIn)
        }
        return catalogue
    }

    private func registry(
        hasKey: Bool = false,
        disabled: Set<String> = [],
        profiles: [Profile] = [],
        defaults: [String] = ["*"]
    ) throws -> SourceRegistry {
        let catalogue = try Self.catalogue()
        let sources = catalogue.sources.values.map { source in
            ConfiguredSource(
                source: source,
                access: AccountAccess(secrets: hasKey ? ["key": Secret("k")] : [:]),
                isEnabled: !disabled.contains(source.name.text)
            )
        }
        return SourceRegistry(
            catalogue: catalogue,
            sources: sources,
            profiles: profiles,
            defaults: defaults.map { Profile.Entry([selector($0)]) }
        )
    }

    private func chosen(
        _ patterns: [String]?,
        kinds: [String]? = nil,
        from registry: SourceRegistry
    ) throws -> [String] {
        try registry.choose(patterns, kinds: kinds?.map { kind($0) }).sources.map(\.source.name.text)
    }

    private func refusal(
        _ patterns: [String]?,
        kinds: [String]? = nil,
        from registry: SourceRegistry
    ) throws -> SearchError {
        try #require(throws: SearchError.self) { try chosen(patterns, kinds: kinds, from: registry) }
    }

    @Test func `a glob selects all available sources`() throws {
        #expect(try chosen(nil, from: registry()) == ["open.app", "open.blog"])
        #expect(
            try chosen(nil, from: registry(hasKey: true)) == ["keyed.blog", "keyed.book", "open.app", "open.blog"]
        )
        #expect(try chosen(nil, from: registry(disabled: ["open.app"])) == ["open.blog"])
    }

    @Test func `the configuration can define the default sources`() throws {
        let registry = try registry(hasKey: true, defaults: ["open.blog", "keyed.*"])
        #expect(try chosen(nil, from: registry) == ["open.blog", "keyed.blog", "keyed.book"])
        #expect(try chosen(["open.app"], from: registry) == ["open.app"])
    }

    @Test func `the sources are in the order of the names, without duplicates`() throws {
        let registry = try registry(hasKey: true)
        #expect(
            try chosen(["open.blog", "*.blog", "open.*", "open.blog"], from: registry) == [
                "open.blog", "keyed.blog", "open.app",
            ]
        )
    }

    @Test func `only sources that match both a name and a kind are selected`() throws {
        let registry = try registry(hasKey: true)
        #expect(try chosen(nil, kinds: ["blog"], from: registry) == ["keyed.blog", "open.blog"])
        #expect(try chosen(["open.*"], kinds: ["blog", "app"], from: registry) == ["open.app", "open.blog"])
        #expect(try chosen(["keyed.*", "open.app"], kinds: ["app"], from: registry) == ["open.app"])
    }

    @Test(arguments: [("blgo", "Did you mean “blog”?"), ("zzzzzzzz", "Kinds of the chosen sources: app, blog, book.")])
    func `an unknown kind is refused with a similar kind or all kinds in the hint`(name: String, hint: String) throws {
        let error = try refusal(nil, kinds: [name], from: registry(hasKey: true))
        #expect(error.kind == .unknownSource && error.path == "params.kinds")
        #expect(error.hint == hint)
    }

    @Test func `names, globs and kinds can be combined`() throws {
        let registry = try registry(hasKey: true)
        for (patterns, kinds, expected) in [
            (["keyed.b*"], nil, ["keyed.blog", "keyed.book"]),
            (["*.b*g", "open.app"], nil, ["keyed.blog", "open.blog", "open.app"]),
            (["*"], ["book", "app"], ["keyed.book", "open.app"]),
            (["open.app", "*"], ["blog", "app"], ["open.app", "keyed.blog", "open.blog"]),
            (["*e*.*o*"], ["blog"], ["keyed.blog", "open.blog"]),
        ] as [([String], [String]?, [String])] {
            #expect(try chosen(patterns, kinds: kinds, from: registry) == expected)
        }
        let keyless = try self.registry()
        #expect(try chosen(["keyed.*", "open.*"], from: keyless) == ["open.app", "open.blog"])
        #expect(try chosen(["keyed.book", "*"], from: keyless) == ["keyed.book", "open.app", "open.blog"])
        #expect(try chosen(["*", "keyed.blog"], kinds: ["blog"], from: keyless) == ["open.blog", "keyed.blog"])
    }

    @Test func `a named source is selected even if it is not available`() throws {
        let chosen = try registry().choose(["keyed.blog", "open.blog"], kinds: nil).sources
        #expect(chosen.map(\.source.name.text) == ["keyed.blog", "open.blog"])
        #expect(chosen[0].unavailable?.kind == .notConfigured)
        #expect(chosen[0].unavailable?.hint?.contains("accounts.keyed.key") == true)
        #expect(chosen[0].profile.unavailable?.source == sourceName("keyed.blog"))
        #expect(chosen[1].unavailable == nil)
        #expect(chosen[1].profile.pageSize == 10)
        let disabled = try registry(disabled: ["open.app"]).choose(["open.app"], kinds: nil).sources
        #expect(disabled[0].unavailable?.hint?.contains("enabled") == true)
    }

    @Test(arguments: [
        "open.blogs", "opne.blog", "blog", "opne", "", "OPEN.BLOG", "nothing.here", "nothing.*", "@", "@nothing", "한국",
        "@open blog", "open.{language", String(repeating: "a", count: SourceSelector.bytesMax + 1),
    ])
    func `a name that matches no source is refused`(pattern: String) throws {
        let error = try refusal(["open.app", pattern], from: registry())
        #expect(error.kind == .unknownSource)
        #expect(error.path == "params.sources")
        #expect(error.retryable == false)
        #expect(error.hint != nil)
    }

    @Test func `the name of an account selects all its available sources, which then count as named`() throws {
        let registry = try registry(hasKey: true)
        let choice = try registry.choose(["keyed", "open.app"], kinds: nil)
        #expect(choice.sources.map(\.source.name.text) == ["keyed.blog", "keyed.book", "open.app"])
        #expect(choice.named == choice.sources.map(\.source.name))
        #expect(try chosen(["open"], kinds: ["app"], from: self.registry()) == ["open.app"])
        #expect(try refusal(["keyed"], from: self.registry()).hint?.contains("accounts.keyed.key") == true)
    }

    @Test func `if all sources of a glob or kind lack a key, the error names the key`() throws {
        for (patterns, kinds) in [(["keyed.*"], nil), (nil, ["book"]), (["*"], ["book"])] as [([String]?, [String]?)] {
            let error = try refusal(patterns, kinds: kinds, from: registry())
            #expect(error.kind == .notConfigured)
            #expect(error.hint?.contains("accounts.keyed.key") == true)
        }
    }

    @Test func `if no selected source has the requested kind, the error lists the kinds of these sources`() throws {
        for (patterns, kinds, known) in [
            (nil, ["video"], "app, blog, book"), (["open.*"], ["book"], "app, blog"), (["open.app"], ["blog"], "app"),
        ] as [([String]?, [String], String)] {
            let error = try refusal(patterns, kinds: kinds, from: registry())
            #expect(error.kind == .unknownSource)
            #expect(error.path == "params.kinds")
            #expect(error.hint == "Kinds of the chosen sources: \(known).")
        }
    }

    @Test func `if the configured default set is empty, a search without sources is refused`() throws {
        #expect(try refusal(nil, from: registry(defaults: [])).kind == .notConfigured)
    }
}
