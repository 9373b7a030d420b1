package import EventLoop
package import SearchModel

/// Asks a source within its limits, and again when that may help.
package struct LimitedFetcher: PageFetcher {
    private let loop: EventLoop
    private let limiter: RateLimiter
    private let fetcher: any PageFetcher

    package init(on loop: EventLoop, limiter: RateLimiter, fetcher: any PageFetcher) {
        self.loop = loop
        self.limiter = limiter
        self.fetcher = fetcher
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        var backoff = Backoff()
        var failure: SearchError?
        while true {
            let admission: RateLimiter.Admission
            do throws(SearchError) {
                admission = try await limiter.admit(key.source, for: demand, report: report)
            } catch {
                // For a retry that the limits refuse, why the call before failed.
                throw error.kind == .cancelled ? error : failure ?? error
            }
            let outcome = await attempt(key, admission, for: demand, report)
            if case .failure(let error) = outcome { failure = error } else { failure = nil }
            // Calls are made on the loop, where the limiter lives.
            let verdict = limiter.onLoop { $0.ended(admission, failure, &backoff, for: demand, report: report) }
            guard case .again(let instant, let attempt) = verdict else { return try outcome.get() }
            report(.retrying(attempt: attempt, wait: max(loop.now.duration(to: instant), .zero)))
            do {
                try await loop.sleep(until: instant)
            } catch {
                throw .cancelled
            }
        }
    }

    private func attempt(
        _ key: PageKey,
        _ admission: RateLimiter.Admission,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> Result<Page, SearchError> {
        do throws(SearchError) {
            let page = try await fetcher.fetch(key, for: demand) { [limiter] event in
                if case .sent = event { limiter.onLoop { $0.sent(admission) } }
                report(event)
            }
            return .success(page)
        } catch {
            return .failure(error)
        }
    }
}
