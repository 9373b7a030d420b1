import EventLoop
package import SearchModel

/// Fetches in the order that the throttle allows; rates are `LimitedFetcher`'s.
package struct ThrottledFetcher: PageFetcher {
    private let throttle: RequestThrottle
    private let next: any PageFetcher

    package init(_ throttle: RequestThrottle, before next: any PageFetcher) {
        self.throttle = throttle
        self.next = next
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let permit = try await throttle.enter(key.source, for: demand, report: report)
        // Calls are made on the loop, where the throttle lives.
        defer { throttle.onLoop { $0.leave(permit) } }
        return try await next.fetch(key, for: demand) { [throttle] event in
            throttle.onLoop { $0.happened(event, to: permit) }
            report(event)
        }
    }
}
