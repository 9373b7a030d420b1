package import Catalogue
package import EventLoop
package import SearchModel
package import Upstream

package func sourceName(_ text: String) -> SourceName {
    guard let name = SourceName(text) else { preconditionFailure("\(text) is not a valid source name") }
    return name
}

package func selector(_ text: String) -> SourceSelector {
    guard let selector = SourceSelector(text) else { preconditionFailure("\(text) is not a valid source selector") }
    return selector
}

package func kind(_ text: String) -> Kind {
    guard let kind = Kind(text) else { preconditionFailure("\(text) is not a valid kind") }
    return kind
}

package func query(_ text: String = "고양이") -> SearchQuery {
    guard let query = SearchQuery(text) else { preconditionFailure("\(text) is not a valid query") }
    return query
}

package func pageKey(_ source: String = "a.one", page: Int = 0, query text: String = "고양이") -> PageKey {
    PageKey(source: sourceName(source), request: PageRequest(query: query(text), page: page))
}

package func hit(
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

package func page(
    _ source: String = "a.one",
    _ numbers: some Sequence<Int>,
    total: Int? = nil,
    isEnd: Bool = false
) -> Page {
    Page(hits: numbers.map { hit(source, $0) }, total: total, reachable: total, isEnd: isEnd)
}

package func at(_ duration: Duration) -> Instant {
    Instant(nanoseconds: 0).advanced(by: duration)
}

package func ids(_ source: String = "a.one", _ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "\(source):\($0)" }
}

extension Result {
    package var value: Success? { try? get() }

    package var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Result where Failure == SearchError {
    package var failure: SearchError? { error }
    package var failureKind: SearchError.Kind? { error?.kind }
}
