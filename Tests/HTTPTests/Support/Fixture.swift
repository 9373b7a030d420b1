import EventLoop
import HTTP
import Testing

func withClient<Result>(
    _ change: (inout HTTPClientConfiguration) -> Void = { _ in },
    _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    var configuration = HTTPClientConfiguration(userAgent: "searchd-tests")
    change(&configuration)
    let loop = try EventLoop()
    let thread = try loop.startThread(named: "fetch-test")
    let client = HTTPClient(loop: loop, configuration: configuration)
    let outcome: Swift.Result<Result, any Error>
    do {
        outcome = .success(try await body(client))
    } catch {
        outcome = .failure(error)
    }
    await client.shutdown()
    loop.stop()
    thread.join()
    return try outcome.get()
}

typealias FetchTask = Task<Result<FetchedResponse, FetchError>, Never>

extension FetchTask {
    func failure() async -> FetchError? {
        switch await value {
        case .success: nil
        case .failure(let error): error
        }
    }
}

extension HTTPClient {
    /// When this returns, the fetch is running, is waiting to run, or has failed.
    func start(_ request: FetchRequest) -> FetchTask {
        Task.immediate { [self] in await outcome(of: request) }
    }

    func outcome(of request: FetchRequest) async -> Result<FetchedResponse, FetchError> {
        do throws(FetchError) {
            return .success(try await fetch(request))
        } catch {
            return .failure(error)
        }
    }

    func get(_ url: String, _ change: (inout FetchRequest) -> Void = { _ in }) async throws -> FetchedResponse {
        var request = FetchRequest(HTTPRequest(url: url))
        change(&request)
        return try await fetch(request)
    }

    func failure(
        of url: String,
        _ change: (inout FetchRequest) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> FetchError? {
        var request = FetchRequest(HTTPRequest(url: url))
        change(&request)
        do throws(FetchError) {
            let fetched = try await fetch(request)
            Issue.record("answered with \(fetched.response.status)", sourceLocation: sourceLocation)
            return nil
        } catch {
            return error
        }
    }
}

extension FetchedResponse {
    var text: String { String(decoding: response.body, as: UTF8.self) }
}

/// Events that other threads send and a test awaits.
struct Signals<Event: Sendable>: Sendable {
    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send(_ event: Event) {
        continuation.yield(event)
    }

    func next() async -> Event? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}
