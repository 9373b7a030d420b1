import Catalogue
import Engine
import EventLoop
import JSON
import SearchModel
import Testing

/// A daemon whose sources are recordings.
@Suite struct RecordedSourcesTests {
    /// Answers every page with hits that name its query.
    private struct Recordings: PageFetcher {
        func fetch(
            _ key: PageKey,
            for demand: CallDemand,
            report: @escaping CallReport
        ) async throws(SearchError) -> Page {
            report(.sent)
            guard let kind = Kind("blog") else { return Page(isEnd: true) }
            let hits = (1...10).map { rank in
                Hit(
                    id: "\(key.source):\(rank)",
                    source: key.source,
                    kind: kind,
                    title: "recorded: \(key.request.query.text)",
                    rank: rank
                )
            }
            return Page(hits: hits, isEnd: true)
        }
    }

    @Test func `the page fetcher that it is handed answers instead of HTTP`() async throws {
        try await withDaemon({ $0.fetcher = Recordings() }) { daemon in
            let client = try daemon.connect()
            let id = try client.ask("search", #"{"query":"고양이","sources":["kakao.blog"]}"#)
            let answer = try client.answer(to: id)
            #expect(answer["result"]?["hits"]?[0]?["title"]?.string == "recorded: 고양이")
            #expect(answer["result"]?["sources"]?[0]?["cache"] == "miss")
            #expect(await daemon.requests() == 0)
        }
    }
}
