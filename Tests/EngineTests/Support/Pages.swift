import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import Upstream

@testable import Engine

func profile(
    _ source: String = "a.one",
    pageSize: Int = 10,
    sorts: Set<Sort> = [.relevance],
    negativeTTL: Duration = .seconds(60),
    weight: Double = 1,
    unavailable: SearchError? = nil
) -> SourceProfile {
    SourceProfile(
        name: sourceName(source),
        kind: kind("blog"),
        sorts: sorts,
        pageSize: pageSize,
        freshness: Freshness(ttl: .seconds(600), negativeTTL: negativeTTL),
        weight: weight,
        unavailable: unavailable
    )
}

/// By default, the page is fetched at time zero and fresh for ten minutes.
func cachedPage(
    _ page: Page,
    key: PageKey = pageKey(),
    fetchedAt: Instant = at(.zero),
    freshFor ttl: Duration = .seconds(600)
) -> CachedPage {
    CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt.advanced(by: ttl))
}

extension Walk {
    mutating func received(_ page: CachedPage) {
        if let index = sources.firstIndex(where: { $0.profile.name == page.key.source }) { received(page, of: index) }
    }
}

extension AnswerTemplate {
    func bytes(at now: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, now: now, since: now)
        return bytes
    }
}

extension Sequence<HitPosition> {
    var ids: [String] { map(\.entry.id) }
}
