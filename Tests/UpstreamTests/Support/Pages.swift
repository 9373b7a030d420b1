import Catalogue
import EventLoop
import SearchModel

@testable import Upstream

func sourceName(_ text: String) -> SourceName {
    guard let name = SourceName(text) else { preconditionFailure("\(text) is not a valid source name") }
    return name
}

func pageKey(_ source: String = "a.one", page: Int = 0, query text: String = "고양이") -> PageKey {
    guard let query = SearchQuery(text) else { preconditionFailure("\(text) is not a valid query") }
    return PageKey(source: sourceName(source), request: PageRequest(query: query, page: page))
}

/// A page of hits whose ids end in their numbers.
func page(_ source: String = "a.one", _ numbers: some Sequence<Int>) -> Page {
    guard let kind = Kind("blog") else { preconditionFailure("blog is a valid kind") }
    return Page(
        hits: numbers.map { number in
            Hit(
                id: "\(source):\(number)",
                source: sourceName(source),
                kind: kind,
                title: "제목 \(number)",
                rank: number + 1
            )
        },
        isEnd: false
    )
}

/// An instant so long after the beginning of time.
func at(_ duration: Duration) -> Instant {
    Instant(nanoseconds: 0).advanced(by: duration)
}

extension Result {
    var value: Success? { try? get() }

    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Result where Failure == SearchError {
    var failure: SearchError? { error }
    var failureKind: SearchError.Kind? { error?.kind }
}
