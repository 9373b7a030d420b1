import Catalogue
import Sandbox
import SearchModel
import Testing

/// Cases that the HTTP tests do not cover; those try every page, sort and option of every source.
struct SandboxWalkTests {
    @Test func `a hit of every source with lookup is found by its id`() throws {
        var upstream = SandboxUpstream()
        for name in builtIn.sources.values.filter(\.hasLookup).map(\.name.text).sorted() {
            let hit = try #require(try upstream.page(name, pageRequest("고양이 사료")).hits.first)
            let key = String(hit.id.dropFirst(name.utf8.count + 1))
            let item = PageRequest(item: try #require(ItemKey(key)))
            let record = try #require(try upstream.page(name, item).hits.first)
            #expect(record.id == hit.id && record.title == hit.title && record.url == hit.url, "\(name)")
            #expect(record.published == hit.published, "\(name)")
            for unknown in ["1", "x", "../..", "a?b", "1,2", "1|2"] {
                let item = PageRequest(item: try #require(ItemKey(unknown)))
                let error = try #require(throws: SearchError.self) { try upstream.page(name, item) }
                #expect(error.kind == .notFound, "\(name) \(unknown)")
            }
        }
    }
}
