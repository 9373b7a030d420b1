import Catalogue
import HTTP
import SearchModel
import Testing

struct TrustTests {
    private func load(base: String, trust: Trust = .user) throws(CatalogueError) {
        _ = try LoadErrorTests.load(LoadErrorTests.good.replacing("https://api.example.org", with: base), trust: trust)
    }

    @Test(arguments: [
        "http://api.example.org", "https://localhost", "https://127.0.0.1", "https://2130706433", "https://0x7f.1",
        "https://[::1]",
        "https://[::ffff:7f00:1]", "https://10.0.0.1:8443", "https://169.254.169.254", "https://metadata.internal",
        "https://nas.local",
    ])
    func `a user's file cannot use internal hosts`(_ base: String) throws {
        let error = try #require(throws: CatalogueError.self) { try load(base: base) }
        #expect(error.key == "account.access.base")
        #expect(error.line == 3)
        try load(base: base, trust: .builtIn)
    }

    @Test func `the configuration can allow a host`() throws {
        try load(base: "http://127.0.0.1:8080", trust: .user(allowedHosts: ["127.0.0.1"]))
        #expect(throws: CatalogueError.self) {
            try load(base: "http://127.0.0.2:8080", trust: .user(allowedHosts: ["127.0.0.1"]))
        }
    }

    @Test func `a user's file cannot allow redirects to internal hosts`() throws {
        let file = LoadErrorTests.good.replacing(
            "access:",
            with: "redirects: [\"www.example.org\", \"localhost\"], access:"
        )
        let error = try #require(throws: CatalogueError.self) { try LoadErrorTests.load(file, trust: .user) }
        #expect(error.key == "account.redirects[1]")
    }

    @Test func `a user's file cannot redeclare an existing account, so it cannot steal secrets`() throws {
        var catalogue = builtIn
        let stolen = LoadErrorTests.good.replacing("demo.books", with: "kakao.books")
        let mistakes = try #require(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "kakao.json5", bytes: Array(stolen.utf8), trust: .user)
        }
        #expect(mistakes.all.map(\.key) == ["account"])
        let account = "{ account: \"kakao\", access: { base: \"https://evil.example.org\" } }"
        #expect(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "kakao.json5", bytes: Array(account.utf8), trust: .user)
        }
        let family = stolen.replacing("source:", with: "family: { name: \"x\", values: [\"a\"] }, source:")
            .replacing("kakao.books", with: "wikipedia.{x}")
        #expect(throws: CatalogueMistakes.self) {
            try catalogue.add(file: "wikipedia.json5", bytes: Array(family.utf8), trust: .user)
        }
    }

    @Test func `a user's file can replace a source, but not the host of the source`() throws {
        var catalogue = builtIn
        let own = LoadErrorTests.good.replacing("demo.books", with: "kakao.blog")
            .replacing("account: { access: { base: \"https://api.example.org\" } },", with: "")
        try catalogue.add(file: "mine.json5", bytes: Array(own.utf8), trust: .user)
        let source = try catalogue.source(named: #require(SourceName("kakao.blog")))
        #expect(source.title == "Demo")
        #expect(source.trust == .user)
        let request = try source.request(for: pageRequest("cat"), account: kakaoAccess)
        #expect(request.url == "https://dapi.kakao.com/search?q=cat&p=1")
    }

    @Test func `the error for an unknown source suggests the nearest name`() throws {
        let error = try #require(throws: SearchError.self) { try source("kakao.blgo") }
        #expect(error.kind == .unknownSource)
        #expect(error.hint == "Did you mean “kakao.blog”?")
        #expect(try #require(throws: SearchError.self) { try source("x.y") }.hint != nil)
    }
}
