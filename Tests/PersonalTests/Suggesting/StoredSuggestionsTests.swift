import EventLoop
import JSON
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite struct StoredSuggestionsTests {
    private static func search(_ query: String, at: Int64) throws -> HistorySearch {
        HistorySearch(query: try #require(SearchQuery(query)), at: at, sources: [])
    }

    private static func hit(_ key: String, _ title: String) -> [UInt8] {
        let hit: JSONValue = [
            "id": .string("a.b:\(key)"), "source": "a.b", "kind": "book", "title": .string(title), "rank": 1,
        ]
        return hit.bytes
    }

    private static func seen(_ search: HistorySearch, _ titles: [String]) -> SeenHits {
        SeenHits(search, hits: titles.map { (hit($0, $0), 400) })
    }

    private static func all(_ index: SuggestionIndex, foundOnly: Bool = false) -> [Suggestion] {
        index.suggestions("", limit: 100, foundOnly: foundOnly)
    }

    @Test func `suggestions are queries, saved titles and titles found by searches, each text once`() async throws {
        let settings = HistorySettings()
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            #expect(try await store.suggestions(settings).count == 0)
            let (first, second) = (try Self.search("고양이", at: 1000), try Self.search("바다", at: 2000))
            let titles = try await store.record(
                [first, second, first],
                seen: [Self.seen(first, ["길고양이", "고래"]), Self.seen(second, ["고래", " 바다\u{3000} 그림 "])],
                settings
            )
            let item = try SavedItem(
                JSONDocument(Self.hit("saved", "고래")).root.value,
                savedNow: 500,
                path: "item"
            )
            _ = try await store.perform(.save([item]))
            let index = try await store.suggestions(settings)
            #expect(
                Set(Self.all(index).map { "\($0.text) \($0.kind) \($0.count)" }) == [
                    "고양이 history 2", "바다 history 1", "고래 saved 1", "길고양이 title 1", "바다 그림 title 1",
                ]
            )
            #expect(Set(Self.all(index, foundOnly: true).map(\.text)) == Set(Self.all(index).map(\.text)))
            var changed = SuggestionIndex()
            for search in [first, second] { changed.apply(.searched(search.query.text, at: search.at)) }
            for query in ["고양이", "바다"] { changed.apply(.found(query)) }
            for title in titles { changed.apply(title) }
            #expect(Self.all(changed).first { $0.text == "고래" } == Suggestion("고래", .title, count: 2, at: 2000))
            #expect(Self.all(changed, foundOnly: true).count == 5)
        }
    }

    @Test func `foundOnly leaves out a query without hits`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.record([try Self.search("고얀이", at: 1000)], HistorySettings())
            let index = try await store.suggestions(HistorySettings())
            #expect(Self.all(index).map(\.text) == ["고얀이"] && Self.all(index, foundOnly: true).isEmpty)
        }
    }

    @Test func `more than two thousand suggestions are all read`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let items = try (0..<900).map { number in
                try SavedItem(JSONDocument(Self.hit("\(number)", "책 \(number)")).root.value, savedNow: 1, path: "item")
            }
            _ = try await store.perform(.save(items))
            let search = try Self.search("책", at: 1000)
            let titles = (0..<1100).map { "글 \($0)" }
            _ = try await store.record([search], seen: [Self.seen(search, titles)], HistorySettings())
            #expect(try await store.suggestions(HistorySettings()).count == 2001)
        }
    }
}
