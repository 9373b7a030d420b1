import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Searches the user's own data: saved items (`library`), and hits of earlier searches (`seen`).
struct OwnSourceTests {
    private struct OwnHits: OwnPages {
        let asked = Locked<[UInt32]>([])

        func page(
            of source: OwnSource,
            _ request: PageRequest,
            for userID: UInt32
        ) async throws(SearchError) -> (page: Page, age: Duration) {
            asked.withLock { $0.append(userID) }
            if userID == 7 { throw SearchError(.forbidden, "who are you?") }
            let first = Int(userID) + request.page * 3
            let page = page("a.one", first..<first + 3, total: 6, isEnd: request.page == 1)
            return (page, .seconds(100))
        }

        private func page(_ source: String, _ numbers: Range<Int>, total: Int, isEnd: Bool) -> Page {
            SearchTestSupport.page(source, numbers, total: total, isEnd: isEnd)
        }
    }

    private static let own = OwnSource(.seen).profile

    private static func request(_ sources: [SourceProfile], of userID: UInt32, limit: Int = 10) -> SearchRequest {
        var request = EngineTests.request(sources, limit: limit)
        request.client = ClientIdentity(userID: userID, program: "test")
        return request
    }

    @Test func `a search of a user's own data makes no call, works offline, and is not shared`() throws {
        try virtually { loop, _ in
            let own = OwnHits()
            let world = World(on: loop, own: own, script: steadyScript(total: 100))
            for user: UInt32 in [10, 20, 10] {
                var request = Self.request([Self.own], of: user, limit: 3)
                #expect(try await world.cachedAnswer(request) == nil)
                request.offline = user == 20
                let answer = try await world.search(request).get()
                #expect(answer.hits.ids == ids("a.one", Int(user)..<Int(user) + 3))
                #expect(answer.sources.map(\.source.text) == ["seen"])
                #expect(answer.sources[0].status == .ok && answer.sources[0].cache == .offline)
                #expect(answer.sources[0].fetchedAt.map { $0.duration(to: loop.now) } == .seconds(100))
                #expect(!answer.isFromCache)
                #expect(answer.sources[0].total == 6)
            }
            #expect(own.asked.withLock { $0 } == [10, 20, 10])
            #expect(world.fetcher.calls.begun == [])
        }
    }

    @Test func `a cursor of own data is valid only for its user`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, own: OwnHits(), script: steadyScript(total: 100))
            var request = Self.request([Self.own], of: 10, limit: 3)
            request.cursor = try await world.cursor(after: request)
            #expect(try await world.search(request).get().hits.count <= 3)
            request.client = ClientIdentity(userID: 20, program: "test")
            #expect(await world.search(request).failure?.kind == .invalidParams)
        }
    }

    @Test func `the same hit from own data and from its source is listed once`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, own: OwnHits(), script: steadyScript(total: 20))
            for sources in [[Self.own, profile()], [profile(), Self.own]] {
                let answer = try await world.search(Self.request(sources, of: 2, limit: 10)).get()
                #expect(Set(answer.hits.ids).count == 10)
                for hit in answer.hits where ["a.one:2", "a.one:3", "a.one:4"].contains(hit.entry.id) {
                    #expect(hit.alsoFrom == [.seen], "\(hit.entry.id)")
                }
                #expect(answer.hits.first { $0.entry.id == "a.one:1" }?.alsoFrom == [])
            }
        }
    }

    @Test func `alsoFrom names the source “seen” even if no other source has the hit`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, own: OwnHits(), script: steadyScript(total: 1))
            let answer = try await world.search(Self.request([Self.own], of: 10, limit: 2)).get()
            #expect(answer.hits.map(\.alsoFrom) == [[.seen], [.seen]])
            let whole = AnswerTemplate(answer, form: .whole(raw: false), repeats: false)
            let text = String(decoding: whole.bytes(at: loop.now), as: UTF8.self)
            #expect(text.contains(#""alsoFrom":["seen"]"#))
            let streamed = AnswerTemplate(answer, form: .streamed, repeats: false)
            let end = String(decoding: streamed.bytes(at: loop.now), as: UTF8.self)
            #expect(end.contains(#""alsoFrom":{"a.one:10":["seen"],"a.one:11":["seen"]}"#))
        }
    }

    @Test func `for an unidentified user, own data fails, but other sources return hits`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, own: OwnHits(), script: steadyScript(total: 20))
            #expect(await world.search(Self.request([Self.own], of: 7)).failure?.kind == .forbidden)
            let answer = try await world.search(Self.request([Self.own, profile()], of: 7)).get()
            #expect(answer.hits.count == 10)
            #expect(answer.sources.map(\.status) == [.failed, .ok])
        }
    }

    @Test func `a daemon without user data refuses a search of own data`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 20))
            #expect(await world.search(Self.request([Self.own], of: 1)).failure?.kind == .unavailable)
        }
    }

    @Test func `own data is searched only if it is named or configured`() throws {
        let profiles = [
            Profile(name: "@mine", entries: [entry("library"), entry("a.one")]),
            Profile(name: "@all", entries: [entry("@mine"), entry("b.two")]),
        ]
        func names(
            _ patterns: [String]?,
            defaults: [Profile.Entry]? = nil,
            sources: [ConfiguredSource] = []
        ) throws -> [String] {
            let registry = SourceRegistry(
                catalogue: Catalogue.builtIn(),
                sources: sources,
                profiles: profiles,
                defaults: defaults
            )
            return try registry.choose(patterns, kinds: nil).profiles.map(\.name.text)
        }
        #expect(try names(["seen", "library", "seen"]) == ["seen", "library"])
        #expect(try names(["@all"]) == ["library"])
        // a.one is not configured here, so the next alternative is searched.
        let alternatives = Profile.Entry([selector("a.one"), selector("seen"), selector("library")])
        #expect(try names(nil, defaults: [alternatives]) == ["seen"])
        let wikipedia = try Catalogue.builtIn().source(named: #require(SourceName("wikipedia.ko")))
        let configured = ConfiguredSource(source: wikipedia, access: AccountAccess())
        let seenFirst = Profile.Entry([selector("seen"), selector("wikipedia.ko")])
        #expect(try names(nil, defaults: [seenFirst], sources: [configured]) == ["seen"])
        #expect(try names(nil, defaults: [entry("@mine"), entry("seen")]) == ["library", "seen"])
        #expect(throws: SearchError.self) { try names(nil) }
        #expect(throws: SearchError.self) { try names(["*"]) }
    }

    private func entry(_ text: String) -> Profile.Entry { Profile.Entry([selector(text)]) }
}
