import Catalogue
import EventLoop
import SearchModel
import Upstream

@testable import Engine

func sourceName(_ text: String) -> SourceName {
    guard let name = SourceName(text) else { preconditionFailure("\(text) is no source name") }
    return name
}

func selector(_ text: String) -> SourceSelector {
    guard let selector = SourceSelector(text) else { preconditionFailure("\(text) stands for no source") }
    return selector
}

func kind(_ text: String) -> Kind {
    guard let kind = Kind(text) else { preconditionFailure("\(text) is no kind") }
    return kind
}

func query(_ text: String = "고양이") -> SearchQuery {
    guard let query = SearchQuery(text) else { preconditionFailure("\(text) is no query") }
    return query
}

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

func pageKey(_ source: String = "a.one", page: Int = 0, query text: String = "고양이") -> PageKey {
    PageKey(source: sourceName(source), request: PageRequest(query: query(text), page: page))
}

/// A hit whose id ends in its number.
func hit(
    _ source: String = "a.one",
    _ number: Int,
    title: String? = nil,
    published: Int64? = nil,
    url: String? = nil
) -> Hit {
    var hit = Hit(
        id: "\(source):\(number)",
        source: sourceName(source),
        kind: kind("blog"),
        title: title ?? "제목 \(number)",
        rank: number + 1
    )
    hit.url = url
    hit.published = published.map { PublishedDate(epochSeconds: $0, offsetMinutes: 0, precision: .second) }
    return hit
}

func page(
    _ source: String = "a.one",
    _ numbers: some Sequence<Int>,
    total: Int? = nil,
    isEnd: Bool = false
) -> Page {
    Page(hits: numbers.map { hit(source, $0) }, total: total, reachable: total, isEnd: isEnd)
}

/// A page as the cache keeps it, fetched at the beginning of time and fresh for ten minutes.
func cachedPage(
    _ page: Page,
    key: PageKey = pageKey(),
    fetchedAt: Instant = at(.zero),
    freshFor ttl: Duration = .seconds(600)
) -> CachedPage {
    CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt.advanced(by: ttl))
}

/// An instant so long after the beginning of time.
func at(_ duration: Duration) -> Instant {
    Instant(nanoseconds: 0).advanced(by: duration)
}

extension Sequence<HitPosition> {
    var ids: [String] { map(\.entry.id) }
}

/// The ids of hits with these numbers.
func ids(_ source: String = "a.one", _ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "\(source):\($0)" }
}

extension Result where Failure == SearchError {
    var value: Success? { try? get() }

    var failure: SearchError? {
        if case .failure(let error) = self { error } else { nil }
    }

    var failureKind: SearchError.Kind? { failure?.kind }
}
