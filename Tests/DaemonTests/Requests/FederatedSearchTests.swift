import EventLoop
import JSON
import Sandbox
import TestSupport
import Testing

/// Searches over sources that a user has declared, on real sockets.
@Suite struct FederatedSearchTests {
    /// A source that asks a sandbox's Open Library, and shows its books at addresses of a site of its own.
    private static func file(_ name: String, _ base: String, path: String, site: String) -> String {
        """
        {
            source: "\(name).books", kind: "book", title: "\(name)",
            account: { attribution: "\(name)", access: { base: "\(base)" } },
            request: { path: "\(path)/search.json", parameters: { q: "{query}", page: "{page}", limit: "{size}" } },
            paging: { style: "page", first: 1, size: 10 },
            response: { hits: "docs", total: "numFound", end: { pastTotal: true } },
            hit: {
                key: { from: "key", do: { trimPrefix: "/works/" } },
                title: "title",
                url: { from: "key", do: { format: "https://\(site)/book{}" } },
            },
        }
        """
    }

    /// Runs a body with a daemon whose user has declared these sources.
    private func withSources(
        _ sites: [(name: String, path: String, site: String)],
        members: String = "",
        _ body: (DaemonFixture) async throws -> Void
    ) async throws {
        let files = TemporaryDirectory()
        try await withLoop("library") { loop in
            var options = SandboxOptions()
            options.limits = .none
            options.faults = [FaultRule(source: "hackernews.stories", name: "hang")]
            let library = try await SandboxServer.start(on: loop, options: options)
            for (name, path, site) in sites {
                files.write(Self.file(name, library.base, path: path, site: site), to: "\(name).json5")
            }
            do {
                try await withDaemon { setup in
                    setup.members = "allowedHosts: [\"127.0.0.1\"], sourceDirectories: [\"\(files.path)\"], \(members)"
                } _: { daemon in
                    try await body(daemon)
                }
            } catch {
                // What still runs on the loop would keep the test from ending.
                await library.stop()
                throw error
            }
            await library.stop()
        }
    }

    @Test func `five sources that answer are told at once though forty-five hang, which are named when the time is up`()
        async throws
    {
        let sites = (0..<50).map { number in
            // Nobody answers what is asked of Hacker News.
            let path = number.isMultiple(of: 10) ? "/openlibrary" : "/hackernews/api/v1/search"
            return (name: "n\(number)", path: path, site: "n\(number).example")
        }
        try await withSources(sites) { daemon in
            let client = try daemon.connect()
            let timeout = Duration.seconds(2)
            let start = MonotonicClock().now()
            let id = try client.ask(
                "search",
                #"{"query":"고양이","sources":["n*.books"],"limit":50,"stream":true,"timeout":2000,"explain":true}"#
            )
            var cameAt: [String: Instant] = [:]
            var answer: JSONValue = nil
            while answer == nil {
                let message = try client.message()
                guard message.method == nil else {
                    if message.method == "search/hits", let source = message["params"]?["source"]?.string {
                        #expect(message["params"]?["hits"]?.array?.count == 10)
                        cameAt[source] = MonotonicClock().now()
                    }
                    continue
                }
                #expect(message["id"]?.int == id)
                answer = message
            }
            #expect(Set(cameAt.keys) == Set([0, 10, 20, 30, 40].map { "n\($0).books" }))
            #expect(cameAt.values.allSatisfy { start.duration(to: $0) < timeout / 2 })
            #expect(start.duration(to: MonotonicClock().now()) >= timeout)
            let sources = answer["result"]?["sources"]?.array ?? []
            #expect(sources.count { $0["status"] == "ok" } == 5)
            let late = sources.filter { $0["status"] == "late" }
            #expect(late.count == 45 && late.allSatisfy { $0["error"]?["data"]?["kind"] == "timeout" })
            #expect(answer["result"]?["order"]?.array?.count == 50)
            #expect(answer["result"]?["complete"] == false)
        }
    }

    @Test func `the same book of several sources is one hit, streamed or not, now and from the cache`() async throws {
        let sites = ["one", "two", "three"].map { (name: $0, path: "/openlibrary", site: "www.same.example") }
        let sources = #""query":"고양이","sources":["two.books","one.books","three.books"]"#
        try await withSources(sites) { daemon in
            let client = try daemon.connect()
            let id = try client.ask("search", "{\(sources),\"limit\":15,\"stream\":true}")
            var told: [String] = []
            var message = try client.message()
            while message["id"]?.int != id {
                told += (message["params"]?["hits"]?.array ?? []).compactMap { $0["id"]?.string }
                message = try client.message()
            }
            let order = (message["result"]?["order"]?.array ?? []).compactMap(\.string)
            #expect(Set(told).count == told.count && Set(told).isSuperset(of: order))
            for raw in [false, true] {
                let answer = try client.call("search", "{\(sources),\"limit\":15,\"raw\":\(raw)}")
                #expect(answer.hitIDs == order)
                let hits = answer["result"]?["hits"]?.array ?? []
                #expect(hits.count == 15)
                #expect(hits.allSatisfy { $0["source"] == "two.books" && ($0["raw"] != nil) == raw })
                #expect(hits.allSatisfy { $0["alsoFrom"] == ["one.books", "three.books"] })
                #expect(message["result"]?["alsoFrom"]?.members?.count == 15)
                // The same line again is answered by the shortest way.
                let again = try client.call("search", "{\(sources),\"limit\":15,\"raw\":\(raw)}")
                #expect(again["result"]?["hits"] == answer["result"]?["hits"])
            }
        }
    }

    @Test func `the weights of the configuration decide which source comes first`() async throws {
        let sites = ["one", "two"].map { (name: $0, path: "/openlibrary", site: "\($0).example") }
        try await withSources(sites, members: #"sources: { "two.books": { weight: 8 } },"#) { daemon in
            let client = try daemon.connect()
            let answer = try client.call(
                "search",
                #"{"query":"고양이","sources":["one.books","two.books"],"limit":8,"explain":true}"#
            )
            #expect(answer.hitIDs.allSatisfy { $0.hasPrefix("two.books:") } && answer.hitIDs.count == 8)
            let merged = (answer["result"]?["trace"]?.array ?? []).filter { $0["event"] == "merged" }
            #expect(merged.count == 8)
            let parts = merged.first?["parts"]?.members ?? []
            #expect(parts.map(\.name) == ["text", "rank", "fit", "weight"])
            let sum = parts.reduce(0) { $0 + ($1.value.double ?? 0) }
            #expect(abs((merged.first?["score"]?.double ?? 0) - sum) < 0.001)
            #expect(merged.first?["ranks"] == ["two.books": 1])
            let story = (answer["result"]?["trace"]?.array ?? []).filter { $0["source"] == "one.books" }
            let events = story.compactMap { $0["event"]?.string }
            #expect(events == ["cacheMiss", "sent", "answered", "received"])
            #expect(story.first { $0["event"] == "answered" }?["status"] == 200)
            #expect(story.first { $0["event"] == "answered" }?["bytes"]?.int ?? 0 > 100)
        }
    }
}
