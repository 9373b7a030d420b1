import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import HTTP
@testable import Upstream

/// Decorators between building a request and the network.
@Suite struct RequestSenderTests {
    /// Takes requests and answers each with one hit.
    private struct Recorder: RequestSender {
        static let body = #"{"hits":[{"objectID":"1","title":"t","url":"https://e.org/"}],"nbHits":1,"nbPages":1}"#
        let requests = Locked<[HTTPRequest]>([])

        func send(
            _ request: HTTPRequest,
            to source: UpstreamSource,
            willSend: @escaping @Sendable () -> Void
        ) async throws(FetchError) -> FetchedResponse {
            willSend()
            requests.withLock { $0.append(request) }
            return FetchedResponse(
                response: HTTPResponse(status: 200, body: Array(Self.body.utf8)),
                metrics: FetchMetrics()
            )
        }
    }

    /// Signs each request with a token of its own, as an API wants that takes bearer tokens.
    private struct Signer: RequestSender {
        let next: any RequestSender
        let count = Locked(0)

        func send(
            _ request: HTTPRequest,
            to source: UpstreamSource,
            willSend: @escaping @Sendable () -> Void
        ) async throws(FetchError) -> FetchedResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            var signed = request
            signed.fields.append("Authorization", "Bearer \(number)-\(request.url.utf8.count)")
            return try await next.send(signed, to: source, willSend: willSend)
        }
    }

    @Test func `a decorator signs every request anew`() throws {
        let name = sourceName("hackernews.stories")
        let source = UpstreamSource(source: try Catalogue.builtIn().source(named: name), access: AccountAccess())
        let recorder = Recorder()
        let events = Locked<[CallEvent]>([])
        try virtually { _, _ in
            let fetcher = HTTPPageFetcher(
                sender: Signer(next: recorder),
                source: { _ in source },
                figures: UpstreamFigures(),
                wallClock: { 0 }
            )
            for text in ["cat", "horse"] {
                let page = try await fetcher.fetch(pageKey(name.text, query: text), for: CallDemand()) { event in
                    events.withLock { $0.append(event) }
                }
                #expect(page.hits.map(\.title) == ["t"])
            }
        }
        let requests = recorder.requests.withLock { $0 }
        let tokens = requests.map { $0.fields["Authorization"] }
        #expect(tokens == requests.enumerated().map { "Bearer \($0 + 1)-\($1.url.utf8.count)" })
        #expect(events.withLock { $0.count { $0 == .sent } } == 2)
    }
}
