import Catalogue
import JSON
import Sandbox
import SearchModel
import Testing

/// Every sort and every option that a source declares, over HTTP.
@Suite struct SortsOverHTTPTests {
    /// A source and one of the orders that it makes.
    struct SortCase: Sendable, CustomTestStringConvertible {
        let source: String
        let sort: Sort
        var testDescription: String { "\(source) by \(sort)" }
    }

    /// The orders, as they ought to be: whoever adds a sort to a file adds it here.
    static let sorts: [(pattern: String, sorts: [Sort])] = [
        ("kakao.", [.relevance, .recency]), ("naver.blog", [.relevance, .recency]),
        ("naver.news", [.relevance, .recency]), ("naver.cafe", [.relevance, .recency]),
        ("naver.kin", [.relevance, .recency]), ("naver.image", [.relevance, .recency]), ("naver.encyc", [.relevance]),
        ("naver.web", [.relevance]), ("naver.local", [.relevance]), ("google.", [.relevance, .recency]),
        ("itunes.", [.relevance]), ("wikipedia.", [.relevance, .recency]), ("openlibrary.", [.relevance, .recency]),
        ("hackernews.", [.relevance, .recency]),
    ]

    static let sortCases = builtInSources.flatMap { source in
        (sorts.first { source.name.text.hasPrefix($0.pattern) }?.sorts ?? []).map {
            SortCase(source: source.name.text, sort: $0)
        }
    }

    @Test func `every sort of every source is tried`() {
        for source in builtInSources {
            let tried = Self.sortCases.filter { $0.source == source.name.text }.map(\.sort)
            #expect(Set(tried) == Set(source.sorts) && tried.count == source.sorts.count, "\(source.name)")
        }
    }

    @Test(arguments: sortCases)
    func `each sort is the source's own order`(_ row: SortCase) async throws {
        try await withSources { sources in
            let source = try sources.source(row.source)
            let truth = try sources.truth(source, "고양이", row.sort)
            let page = try await sources.page(row.source, "고양이", row.sort)
            let keys = try page.hits.map { try DocumentKey.of($0.raw, source.name) }
            #expect(keys == Array(truth.ids.prefix(source.pageSize)) && keys.count > 1)
            guard row.sort == .recency else { return }
            // A year alone stands for its beginning.
            let dates = page.hits.compactMap(\.published).filter { [.day, .second].contains($0.precision) }.map(
                \.epochSeconds
            )
            #expect(dates == dates.sorted(by: >), "\(dates)")
            #expect(keys != Array(try sources.truth(source, "고양이").ids.prefix(source.pageSize)))
        }
    }
}
