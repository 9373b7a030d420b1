import Catalogue
import Sandbox
import SearchModel
import Testing

struct SandboxLookupTests {
    @Test func `every source with lookup finds a hit by its key and rejects unknown keys`() throws {
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
