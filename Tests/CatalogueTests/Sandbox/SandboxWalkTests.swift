import Catalogue
import Sandbox
import SearchModel
import Testing

/// What the tests over HTTP, which try every page, sort and option of every source, leave out.
struct SandboxWalkTests {
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
