import Catalogue
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine
@testable import HTTP

struct ConfiguredSourceTests {
    private static func source(
        base: String = "https://api.example.org",
        own: String = "",
        account: String = "",
        trust: Trust = .builtIn
    ) throws -> Source {
        let text = """
            {
                source: "demo.books", kind: "book", title: "Demo",
                account: { access: { base: "\(base)" }, \(account) },
                request: { path: "/s", parameters: { q: "{query}" } },
                paging: { style: "single", size: 10 },
                response: { hits: "hits" },
                hit: { title: "title" },
                \(own)
            }
            """
        var catalogue = Catalogue()
        try catalogue.add(file: "demo.json5", bytes: Array(text.utf8), trust: trust)
        return try catalogue.source(named: #require(SourceName("demo.books")))
    }

    @Test func `the smaller of the source's and the account's limit applies, unless one is configured`() throws {
        let source = try Self.source(
            own: "limits: { perSecond: 10, perDay: 100 },",
            account: "limits: { perSecond: 5, concurrency: 4 }"
        )
        let declared = ConfiguredSource(source: source, access: AccountAccess()).limits
        #expect(declared == Limits(perSecond: 5, perDay: 100, concurrency: 4))
        let configured = ConfiguredSource(
            source: source,
            access: AccountAccess(),
            limits: Limits(perSecond: 20, concurrency: 1)
        )
        #expect(configured.limits == Limits(perSecond: 20, perDay: 100, concurrency: 1))
    }

    private func terms(_ source: Source, baseURL: String? = nil) throws -> (reachesLoopback: Bool, hopsMax: Int) {
        let configured = ConfiguredSource(source: source, access: AccountAccess(baseURL: baseURL))
        let request = configured.upstream.fetchRequest(HTTPRequest(url: "https://api.example.org/s"))
        let loopback = try #require(PeerAddress(text: "127.0.0.1", port: 80))
        return (request.addresses.allows?(loopback) ?? true, request.redirects.hopsMax)
    }

    @Test func `a user's source file reaches only public addresses`() throws {
        #expect(try terms(Self.source(trust: .user)).reachesLoopback == false)
        #expect(try terms(Self.source(trust: .builtIn)).reachesLoopback)
    }

    @Test func `a configured address and allowed hosts may be local`() throws {
        #expect(try terms(Self.source(trust: .user), baseURL: "http://127.0.0.1:1").reachesLoopback)
        let allowed = Trust.user(allowedHosts: ["wiki.lan", "127.0.0.1"])
        #expect(try terms(Self.source(base: "http://wiki.lan", trust: allowed)).reachesLoopback)
        #expect(try terms(Self.source(trust: allowed)).reachesLoopback == false)
    }

    @Test func `a source with access to local hosts is redirected only to allowed hosts`() throws {
        let allowed = Trust.user(allowedHosts: ["wiki.lan"])
        let redirects = "redirects: [\"www.example.org\"]"
        #expect(try terms(Self.source(account: redirects, trust: allowed)).hopsMax > 0)
        #expect(try terms(Self.source(base: "http://wiki.lan", account: redirects, trust: allowed)).hopsMax == 0)
        let inwards = "redirects: [\"www.example.org\", \"wiki.lan\"]"
        let source = try Self.source(base: "http://wiki.lan", account: inwards, trust: allowed)
        let request = ConfiguredSource(source: source, access: AccountAccess()).upstream.fetchRequest(
            HTTPRequest(url: "http://wiki.lan/s")
        )
        #expect(request.redirects.allows(try FetchURL("http://wiki.lan/").origin))
        #expect(!request.redirects.allows(try FetchURL("http://www.example.org/").origin))
    }
}
