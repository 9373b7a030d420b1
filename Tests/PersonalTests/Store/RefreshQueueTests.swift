import JSON
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("The queue of items to refresh")
struct RefreshQueueTests {
    private let books: SourceName
    private let others: SourceName

    init() throws {
        books = try #require(SourceName("kakao.book"))
        others = try #require(SourceName("naver.book"))
    }

    private static func items(_ keys: ClosedRange<Int>) throws -> [SavedItem] {
        try keys.map { try SavedItemTests.item("\($0)", price: 100) }
    }

    private static func id(_ key: Int) -> String { "kakao.book:\(key)" }

    @Test func `the queue returns its items in a cycle until they are refreshed or removed`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(Self.items(1...3)))
            #expect(try await store.refreshSources() == [])
            for _ in 0..<2 {
                let all = try await store.perform(.queueRefreshes(ids: nil, of: [books, others]))
                #expect(all.queued == 3 && all.left == 0 && all.revision == 1 && all.change == nil)
            }
            #expect(try await store.refreshSources() == [books])
            #expect(try await store.nextRefresh(of: others, after: 0) == nil)
            var turns: [String] = []
            var number: Int64 = 0
            for _ in 0..<4 {
                let next = try #require(try await store.nextRefresh(of: books, after: number))
                (number, turns) = (next.number, turns + [next.id])
            }
            #expect(turns == [1, 2, 3, 1].map(Self.id))
            let fresh = try SavedHit(SavedItemTests.hit("1", price: 90), path: "hit")
            let change = try #require(try await store.perform(.edit(ids: [Self.id(1)], .refresh(fresh))).change)
            #expect(change.updated.first?.changes == [FieldChange(at: 500, field: "price", from: 100, to: 90)])
            let same = try SavedHit(SavedItemTests.hit("2", price: 100), path: "hit")
            #expect(try await store.perform(.edit(ids: [Self.id(2)], .refresh(same))).change == nil)
            #expect(try await store.nextRefresh(of: books, after: 0)?.id == Self.id(3))
            _ = try await store.perform(.remove(ids: [Self.id(3)]))
            #expect(try await store.nextRefresh(of: books, after: 0) == nil)
        }
    }

    @Test func `the queue skips items of other sources, and refuses unsaved items`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(Self.items(1...3)))
            let all = try await store.perform(.queueRefreshes(ids: nil, of: [others]))
            #expect(all.queued == 0 && all.left == 3)
            let ids = [1, 2, 1].map(Self.id)
            let some = try await store.perform(.queueRefreshes(ids: ids, of: [books]))
            #expect(some.queued == 2 && some.left == 0)
            #expect(try await store.perform(.queueRefreshes(ids: ids, of: [])).left == 2)
            let error = await #expect(throws: SearchError.self) {
                try await store.perform(.queueRefreshes(ids: [Self.id(3), Self.id(4)], of: [books]))
            }
            #expect(error?.kind == .notFound)
        }
    }

    @Test func `the queue survives a restart, and a new tag does not change it`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalStoreFixture.withStore(directory) { store in
            _ = try await store.perform(.save(Self.items(1...2)))
            _ = try await store.perform(.queueRefreshes(ids: nil, of: [books]))
            let tag = try #require(Tag("t"))
            _ = try await store.perform(.edit(ids: [Self.id(1)], .tags(add: [tag], remove: [])))
            _ = try await store.perform(.endRefresh(id: Self.id(2)))
        }
        try await PersonalStoreFixture.withStore(directory) { store in
            #expect(try await store.refreshSources() == [books])
            let next = try #require(try await store.nextRefresh(of: books, after: 0))
            #expect(next.id == Self.id(1))
            #expect(try await store.nextRefresh(of: books, after: next.number)?.id == next.id)
        }
    }
}
