import Catalogue
import Engine
import EventLoop
import JSON
import Personal
import SearchModel

/// Searches the hits that a user has saved or seen, and returns them as pages.
struct PersonalPages: OwnPages {
    let data: PersonalData
    let wallClock: @Sendable () -> Int64

    func page(
        of source: OwnSource,
        _ request: PageRequest,
        for userID: UInt32
    ) async throws(SearchError) -> (page: Page, age: Duration) {
        let query = LibraryQuery(
            words: request.query.text,
            kinds: source.kinds,
            offset: request.page * OwnSource.pageSize,
            limit: OwnSource.pageSize
        )
        do throws(SearchError) {
            let user = try data.user(of: userID)
            let found = try await user.use { store throws(SearchError) in
                switch source.content {
                case .library: return try await store.saved(query)
                case .seen:
                    // The store searches only its file, so hits in memory are written first.
                    await user.history.flush()
                    return try await store.seen(query, data.historySettings)
                }
            }
            return Self.page(found, query, now: wallClock())
        } catch {
            var located = error
            located.source = source.name
            throw located
        }
    }

    private static func page(_ found: OwnHits, _ query: LibraryQuery, now: Int64) -> (page: Page, age: Duration) {
        let hits = found.hits.enumerated().map { index, hit in Hit(hit, rank: query.offset + index + 1) }
        let oldest = found.hits.map { $0.fetchedAt }.min() ?? now
        let page = Page(
            hits: hits,
            total: found.total,
            totalIsEstimate: !found.isTotalExact,
            isEnd: query.offset + query.limit >= found.total
        )
        return (page, .seconds(max(0, now - oldest)))
    }
}

extension Hit {
    fileprivate init(_ own: OwnHits.Hit, rank: Int) {
        let hit = own.hit
        var extra = (hit[.extra]?.members ?? []).filter { !$0.name.hasSameBytes(as: Member.fetchedAt.description) }
        extra.append(JSONMember(.fetchedAt, .string(RFC3339.preciseText(own.fetchedAt * 1000))))
        self.init(
            id: hit.id,
            source: hit.source,
            kind: hit.kind,
            title: hit.title,
            snippet: hit.snippet,
            url: hit.url,
            author: hit.author,
            published: hit.publishedDate,
            thumbnail: hit[.thumbnail]?.string,
            rank: rank,
            extraText: JSONValue.object(extra).bytes
        )
    }
}
