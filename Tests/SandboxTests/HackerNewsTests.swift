import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct HackerNewsTests {
    @Test func `a hit has every member, null where it has nothing`() {
        var asker = Asker()
        let hits = asker.json("/api/v1/search?query=cat&hitsPerPage=100")["hits"]?.array ?? []
        #expect(hits.count == 100)
        #expect(Set(hits.map { Set(($0.members ?? []).map(\.name)) }).count == 1)
        #expect(hits.contains { $0["url"] == .null } && hits.contains { $0["url"]?.string != nil })
        #expect(hits.contains { $0["comment_text"]?.string?.contains("<p>") == true })
        #expect(hits.contains { $0["story_text"]?.string?.contains("&#x2F;") == true })
        let stories = asker.json("/api/v1/search?query=cat&tags=story")["hits"]?.array ?? []
        #expect(stories.count == 20)
        #expect(
            stories.allSatisfy { $0["_highlightResult"]?["title"]?["value"]?.string?.contains("<em>cat</em>") == true }
        )
        let comments = asker.json("/api/v1/search?query=cat&tags=comment")["hits"]?.array ?? []
        #expect(comments.allSatisfy { $0["title"] == .null && $0["comment_text"] != .null })
    }

    @Test(arguments: ["search", "search_by_date"])
    func `only the first thousand can be paged to`(path: String) {
        var asker = Asker()
        let first = asker.json("/api/v1/\(path)?query=cat&tags=story&hitsPerPage=300")
        #expect(first["nbPages"] == 4)
        #expect((first["nbHits"]?.int ?? 0) > 1_000)
        var seen: [String] = []
        for page in 0..<5 {
            let json = asker.json("/api/v1/\(path)?query=cat&tags=story&hitsPerPage=300&page=\(page)")
            seen += (json["hits"]?.array ?? []).compactMap { $0["objectID"]?.string }
        }
        let truth = asker.responder.truth(of: "hackernews.stories", query: "cat", sort: path, at: noon)
        #expect(seen == truth?.ids)
        #expect(seen.count == 1_000)
    }

    @Test func `by date the newest come first`() {
        var asker = Asker()
        let hits = asker.json("/api/v1/search_by_date?query=cat&hitsPerPage=1000")["hits"]?.array ?? []
        let times = hits.compactMap { $0["created_at_i"]?.int }
        #expect(times.count == 1_000)
        #expect(times == times.sorted(by: >))
        #expect(hits[0]["created_at"]?.string?.hasSuffix(".000Z") == true)
    }

    @Test func `filters let through what they say`() {
        var asker = Asker()
        let query = "points>100,num_comments<=50,created_at_i>1700000000".encoded
        let json = asker.json("/api/v1/search?query=cat&tags=story&numericFilters=\(query)&hitsPerPage=200")
        let hits = json["hits"]?.array ?? []
        #expect(hits.count == 200)
        #expect(
            hits.allSatisfy {
                ($0["points"]?.int ?? 0) > 100 && ($0["num_comments"]?.int ?? 99) <= 50
                    && ($0["created_at_i"]?.int ?? 0) > 1_700_000_000
            }
        )
        #expect(asker.get("/api/v1/search?query=cat&numericFilters=karma%3E1").status == 400)
        #expect(asker.get("/api/v1/search?query=cat&hitsPerPage=x").status == 400)
    }

    @Test func `nothing matches nonsense, and everything matches nothing`() {
        var asker = Asker()
        let nonsense = asker.json("/api/v1/search?query=zxqvkjw")
        #expect(nonsense["nbHits"] == 0 && nonsense["nbPages"] == 0 && nonsense["hits"] == [])
        #expect(asker.json("/api/v1/search?query=")["hits"]?.array?.count == 20)
        #expect(asker.json("/api/v1/search?query=cat&page=5000")["hits"] == [])
        #expect(asker.json("/api/v1/search?query=cat&hitsPerPage=5000")["hitsPerPage"] == 1_000)
    }

    @Test func `an item is had by its id`() throws {
        var asker = Asker()
        let hit = asker.json("/api/v1/search?query=cat&tags=story")["hits"]?[3]
        let id = try #require(hit?["objectID"]?.string)
        #expect(asker.json("/api/v1/items/\(id)")["title"] == hit?["title"])
        #expect(asker.get("/api/v1/items/5").status == 404)
        let tagged = asker.json("/api/v1/search?tags=(story,poll),story_\(id)&hitsPerPage=1")["hits"]?.array
        #expect(tagged?.count == 1 && tagged?.first?["objectID"] == hit?["objectID"])
        #expect(tagged?.first?["points"] == hit?["points"])
        #expect(asker.json("/api/v1/search?tags=story,story_5")["nbHits"] == 0)
    }

    @Test func `an hour has a limit`() {
        var options = SandboxOptions()
        options.limits.hackernewsPerHour = 1
        var asker = Asker(options: options)
        #expect((0..<2).map { _ in asker.get("/api/v1/search?query=cat").status } == [200, 429])
        asker.now += 3_600 * second
        #expect(asker.get("/api/v1/search?query=cat").status == 200)
    }
}
