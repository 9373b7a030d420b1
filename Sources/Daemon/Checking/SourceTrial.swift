import Catalogue
import Engine
import EventLoop
import HTTP
import SearchModel
import Upstream

/// Makes one request of a source, within what it may reach; no `RequestSender` that decorates another takes part.
enum SourceTrial {
    /// What came back; blocks until then.
    static func run(_ request: HTTPRequest, of configured: ConfiguredSource) throws(SearchError) -> FetchedResponse {
        let source = configured.source.name
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw SearchError(.internal, "the event loop can't be made: \(error)", source: source)
        }
        let outcome = Locked<Result<FetchedResponse, SearchError>?>(nil)
        Task(executorPreference: loop) {
            let client = HTTPClient(
                loop: loop,
                configuration: HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
            )
            let result: Result<FetchedResponse, SearchError>
            do throws(FetchError) {
                result = .success(try await client.fetch(configured.upstream.fetchRequest(request)))
            } catch {
                result = .failure(SearchError(error, of: source))
            }
            outcome.withLock { $0 = result }
            await client.shutdown()
            loop.stop()
        }
        loop.run()
        guard let result = outcome.withLock({ $0 }) else {
            throw SearchError(.internal, "the request ended without an outcome", source: source)
        }
        return try result.get()
    }
}
