import Catalogue
import Sandbox
import SearchModel
import Testing

/// Full, empty and last pages of every source, over HTTP.
@Suite struct PagesOverHTTPTests {
    /// No source has results for it.
    static let nonsense = "zzqq qzxw"
    /// Nearly every source has more than a page of results for it.
    static let common = "subway"

    private static func settle(_ options: inout SandboxOptions) {
        options.quirks.totalsDrift = false
    }

    @Test(arguments: builtInSources.map(\.name.text), [false, true])
    func `a full page has all documents in the source's order`(name: String, isHub: Bool) async throws {
        guard !isHub || name.hasPrefix("naver.") else { return }
        try await withSources(isHub: isHub, options: Self.settle) { sources in
            let source = try sources.source(name)
            let truth = try sources.truth(source, Self.common)
            let page = try await sources.page(name, Self.common)
            let expected = truth.ids.prefix(source.pageSize)
            #expect(try page.hits.map { try DocumentKey.of($0.raw, source.name) } == Array(expected))
            #expect(page.hits.count == min(source.pageSize, truth.reachable) && !page.hits.isEmpty)
            #expect(page.hits.map(\.rank) == Array(1...page.hits.count))
            #expect(page.hits.allSatisfy { $0.source == source.name && $0.kind == source.kind && !$0.title.isEmpty })
            for hit in page.hits {
                #expect(hit.url != nil || name == "naver.local")
                #expect(
                    !hit.title.contains("<b>") && !hit.title.contains("&amp;") && hit.snippet?.contains("</") != true
                )
            }
            let undated = ["naver.cafe", "naver.kin", "naver.encyc", "naver.web", "naver.image", "naver.local"]
            #expect(page.hits.contains { $0.published != nil } || undated.contains(name))
            // The store has no total.
            #expect(page.total == (name.hasPrefix("itunes.") ? nil : truth.total))
            let isWhole =
                truth.reachable < source.pageSize || (truth.reachable == source.pageSize && name != "google.books")
            #expect(page.isEnd == (isWhole || source.paging.style == .single))
            if let reachable = page.reachable { #expect(reachable >= page.hits.count) }
        }
    }

    @Test(arguments: builtInSources.map(\.name.text), [false, true])
    func `the last page is the end, and later pages are empty`(name: String, isHub: Bool) async throws {
        guard !isHub || name.hasPrefix("naver.") else { return }
        try await withSources(isHub: isHub, options: Self.settle) { sources in
            let source = try sources.source(name)
            let truth = try sources.truth(source, Self.common)
            guard source.paging.style != .single else {
                #expect(try await sources.page(name, Self.common).isEnd)
                return
            }
            let last = (truth.reachable - 1) / source.pageSize
            let end = try await sources.page(name, Self.common, page: last)
            // Nothing says which page of Google's is the last.
            #expect(!end.hits.isEmpty && (end.isEnd || name == "google.books"))
            if last > 0 { #expect(try await !sources.page(name, Self.common, page: last - 1).isEnd) }
            for number in [last + 1, last + 2, last + 1000] {
                let behind = try await sources.page(name, Self.common, page: number)
                #expect(behind.hits.isEmpty && behind.isEnd, "page \(number)")
            }
        }
    }
}
