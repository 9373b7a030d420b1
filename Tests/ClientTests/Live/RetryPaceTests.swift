import EventLoop
import Testing

@testable import Client

struct RetryPaceTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func pause(_ pace: inout RetryPace, after lasted: Duration? = nil) -> Duration {
        if let lasted {
            pace.connected(at: start)
            let end = start.advanced(by: lasted)
            return end.duration(to: pace.failed(at: end))
        }
        return start.duration(to: pace.failed(at: start))
    }

    @Test func `the first try comes soon, each further one later, up to the longest pause`() {
        var pace = RetryPace()
        let pauses = (0..<6).map { _ in pause(&pace) }
        #expect(pauses == [250, 500, 1000, 2000, 4000, 4000].map { .milliseconds($0) })
    }

    @Test func `one that answers and leaves at once is not asked without end`() {
        var pace = RetryPace()
        let pauses = (0..<5).map { _ in pause(&pace, after: RetryPace.stay - .nanoseconds(1)) }
        #expect(pauses == [250, 500, 1000, 2000, 4000].map { .milliseconds($0) })
    }

    @Test func `one that stayed is looked for at once again`() {
        var pace = RetryPace()
        _ = (0..<5).map { _ in pause(&pace) }
        #expect(pause(&pace, after: RetryPace.stay) == RetryPace.shortest)
    }
}
