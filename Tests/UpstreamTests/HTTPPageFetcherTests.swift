import Catalogue
import HTTP
import SearchModel
import Testing

@testable import Upstream

struct HTTPPageFetcherTests {
    /// What a task that is cancelled already makes of an answer with so many bytes.
    private func decodedUnwanted(bytes: Int) async throws -> Result<Page, SearchError> {
        let name = try #require(SourceName("hackernews.stories"))
        let source = UpstreamSource(source: try Catalogue.builtIn().source(named: name), access: AccountAccess())
        let body = #"{"hits":[{"objectID":"1","title":"t","url":"https://e.org/"}],"nbHits":1,"nbPages":1}"#
        let response = HTTPResponse(
            status: 200,
            body: Array(body.utf8) + [UInt8](repeating: 0x20, count: bytes - body.utf8.count)
        )
        let key = PageKey(source: name, request: PageRequest(query: try #require(SearchQuery("cat"))))
        return await withTaskGroup(of: Result<Page, SearchError>.self) { group in
            group.cancelAll()
            group.addTask { await HTTPPageFetcher.page(from: response, for: key, of: source, hitsWanted: 1, at: 0) }
            return await group.next() ?? .success(Page(isEnd: true))
        }
    }

    @Test func `away from the loop, what is no longer wanted is not read to its end`() async throws {
        let outcome = try await decodedUnwanted(bytes: HTTPPageFetcher.bytesOnLoopMax + 1)
        #expect(throws: SearchError.self) { try outcome.get() }
        if case .failure(let error) = outcome { #expect(error.kind == .cancelled) }
    }

    @Test func `what is decoded on the loop is read to its end`() async throws {
        let outcome = try await decodedUnwanted(bytes: HTTPPageFetcher.bytesOnLoopMax)
        #expect(try outcome.get().hits.count == 1)
    }
}
