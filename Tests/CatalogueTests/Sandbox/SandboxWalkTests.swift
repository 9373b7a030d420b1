import Catalogue
import JSON
import Sandbox
import SearchModel
import Testing

struct SandboxWalkTests {
    /// What tells the documents of a source apart, in their own words.
    private static let keys = [
        "kakao.image": "image_url", "naver.local": "roadAddress", "kakao": "url", "naver": "link", "google": "id",
        "itunes.album": "collectionId",
        "itunes": "trackId", "wikipedia": "pageid", "openlibrary": "key", "hackernews": "objectID",
    ]

    /// Every source, of a family one member.
    private static let oneOfEach = builtIn.sources.keys.map(\.text).sorted().filter {
        !$0.hasPrefix("wikipedia.") || $0 == "wikipedia.ko"
    }

    private func key(of hit: Hit) throws -> String {
        let name = try #require(Self.keys[hit.source.text] ?? Self.keys[hit.source.account])
        let document = try JSONDocument(Array(hit.raw)).root
        let value = try #require(document[name])
        return value.string ?? String(decoding: value.text, as: UTF8.self)
    }

    @Test(arguments: oneOfEach, ["바이올린 연습", "zzqq"])
    func `a walk meets everything there is, once each, and ends`(_ name: String, _ query: String) throws {
        try walk(name, query)
    }

    @Test(arguments: ["kakao.video", "naver.news", "hackernews.stories"])
    func `so does a long walk, to where the source lets nobody on`(_ name: String) throws {
        try walk(name, "고양이")
    }

    private func walk(_ name: String, _ query: String) throws {
        var upstream = SandboxUpstream()
        let source = try source(name)
        guard (try? source.request(for: pageRequest(query), account: upstream.account(source))) != nil else { return }
        for (sort, word) in source.sorts.map({ ($0, source.sortWord($0)) }) {
            guard
                let truth = upstream.responder.truth(
                    of: name,
                    query: query,
                    sort: word,
                    at: upstream.now * 1_000_000_000
                )
            else {
                Issue.record("the sandbox does not know \(name) by \(word ?? "-")")
                continue
            }
            let walk = try upstream.walk(name, query, sort)
            let met = try walk.hits.map(key)
            #expect(met.count == Set(met).count)
            let missing = Set(truth.ids).subtracting(met)
            #expect(missing.isEmpty, "\(name) \(query) \(sort): \(missing.count) of \(truth.ids.count) missing")
            #expect(Set(met).subtracting(truth.ids).isEmpty)
        }
    }

    @Test(arguments: oneOfEach)
    func `a full page has all it should have`(_ name: String) throws {
        var upstream = SandboxUpstream()
        let page = try upstream.page(name, pageRequest("고양이"))
        #expect(!page.hits.isEmpty)
        for hit in page.hits {
            #expect(hit.source.text == name)
            #expect(!hit.title.isEmpty)
            #expect(hit.url != nil || name == "naver.local")
            #expect(!hit.raw.isEmpty)
            #expect(hit.id.hasPrefix(name + ":"))
            #expect(!hit.title.contains("<b>") && !hit.title.contains("&amp;") && !(hit.snippet ?? "").contains("</"))
        }
        #expect(page.hits.map(\.rank) == Array(1...page.hits.count))
        #expect(
            page.hits.contains { $0.published != nil }
                || ["naver.cafe", "naver.kin", "naver.encyc", "naver.web", "naver.image", "naver.local"].contains(name)
        )
    }

    @Test(arguments: builtIn.sources.keys.filter { $0.account == "naver" }.sorted().map(\.text))
    func `both of Naver's interfaces give the same`(_ name: String) throws {
        var upstream = SandboxUpstream { $0.quirks.totalsDrift = false }
        let legacy = try upstream.page(name, pageRequest("고양이"))
        let hub = try upstream.page(name, pageRequest("고양이"), isHub: true)
        #expect(legacy.hits.map(\.id) == hub.hits.map(\.id))
        #expect(legacy.total == hub.total)
    }

    @Test(arguments: [
        ("google.books", "printType", "magazines" as JSONValue), ("google.books", "filter", "free-ebooks"),
        ("google.books", "language", "ko"),
        ("kakao.book", "target", "title"), ("kakao.book", "target", "person"), ("naver.image", "filter", "large"),
        ("naver.kin", "order", "point"), ("naver.local", "order", "comment"), ("itunes.app", "country", "US"),
        ("itunes.music", "explicit", false), ("itunes.album", "attribute", "artistTerm"),
        ("wikipedia.ko", "what", "title"),
        ("openlibrary.books", "language", "kor"), ("hackernews.stories", "minPoints", 100),
        ("hackernews.stories", "tags", "ask_hn"),
    ])
    func `every option is understood`(_ name: String, _ option: String, _ value: JSONValue) throws {
        var upstream = SandboxUpstream()
        let source = try source(name)
        let query = name == "naver.local" ? "고양이" : "고양이 카페"
        let options = try source.options(from: [JSONMember(option, value)])
        let page = try upstream.page(name, pageRequest(query, .relevance, options))
        #expect(page.hits.allSatisfy { $0.source.text == name })
    }

    @Test func `a hit of Google's and of Apple's is looked up by its id`() throws {
        var upstream = SandboxUpstream { $0.quirks.googleUnknownIs503 = false }
        for name in builtIn.sources.values.filter(\.hasLookup).map(\.name.text).sorted() {
            let source = try source(name)
            let account = upstream.account(source)
            let hit = try #require(try upstream.page(name, pageRequest("고양이")).hits.first)
            let key = String(hit.id.dropFirst(name.utf8.count + 1))
            let answer = upstream.send(try source.lookupRequest(key: key, account: account))
            #expect(try source.hit(from: answer, account: account).id == hit.id)
            let none = upstream.send(try source.lookupRequest(key: "1", account: account))
            let error = try #require(throws: SearchError.self) { try source.hit(from: none, account: account) }
            #expect(error.kind == .notFound, "\(name)")
        }
    }

    @Test(arguments: ["kakao.blog", "kakao.video", "kakao.book", "naver.news", "wikipedia.ko"])
    func `past the end there is an empty last page`(_ name: String) throws {
        for repeats in [true, false] {
            var upstream = SandboxUpstream { $0.quirks.kakaoRepeatsLastPage = repeats }
            let bound = try #require(try source(name).paging.pagesMax)
            for page in [bound - 1, bound, bound + 100] {
                let answer = try upstream.page(name, pageRequest("고양이", page: page))
                #expect(answer.isEnd)
                if page >= bound { #expect(answer.hits.isEmpty, "\(name) \(page)") }
            }
        }
    }

    @Test func `quirks change nothing for the caller`() throws {
        var upstream = SandboxUpstream {
            $0.quirks.kakaoBookCountsShown = true
            $0.quirks.wikipediaOldContinue = true
            $0.quirks.googleOverlaps = false
        }
        for name in ["kakao.book", "wikipedia.ko", "google.books"] {
            let truth = upstream.responder.truth(of: name, query: "바이올린 연습", at: upstream.now * 1_000_000_000)
            #expect(try upstream.walk(name, "바이올린 연습").hits.count == truth?.reachable, "\(name)")
        }
    }
}
