package import EventLoop
package import SearchModel

/// One call to a source, step by step: a slot, the rate limits, the request, and again when that may help.
///
/// `InFlight` comes before it; `HTTPPageFetcher` sends the request.
package struct UpstreamFetcher: PageFetcher {
    private let loop: EventLoop
    private let throttle: RequestThrottle
    private let limiter: RateLimiter
    private let sender: any PageFetcher

    package init(on loop: EventLoop, throttle: RequestThrottle, limiter: RateLimiter, sender: any PageFetcher) {
        self.loop = loop
        self.throttle = throttle
        self.limiter = limiter
        self.sender = sender
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let turn = try await throttle.enter(key.source, for: demand, report: report)
        // All steps are on the loop.
        defer { throttle.onLoop { $0.leave(turn) } }
        var backoff = Backoff()
        var failure: SearchError?
        while true {
            let pass: RateLimiter.Pass
            do throws(SearchError) {
                pass = try await start(key.source, turn, for: demand, report)
            } catch {
                // For a retry that the limits refuse: why the call before it failed.
                throw error.kind == .cancelled ? error : failure ?? error
            }
            let outcome = await attempt(key, pass, for: demand, report)
            if case .failure(let error) = outcome { failure = error } else { failure = nil }
            let verdict = limiter.onLoop { limiter in
                limiter.ended(pass, failure, &backoff, deadline: demand.deadline, report: report)
            }
            guard case .again(let instant, let attempt) = verdict else { return try outcome.get() }
            report(.retrying(attempt: attempt, wait: max(loop.now.duration(to: instant), .zero)))
            do {
                try await loop.sleep(until: instant)
            } catch {
                throw .cancelled
            }
        }
    }

    /// Waits at the gate until the limits allow the call, and charges it.
    private func start(
        _ source: SourceName,
        _ turn: RequestThrottle.Turn,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> RateLimiter.Pass {
        try await limiter.waitForRate(source, for: demand, report: report)
        // Without a rate to keep, the next call need not wait for this one's charge.
        if !limiter.onLoop({ $0.hasRate(source) }) { throttle.onLoop { $0.passed(turn) } }
        let pass = try await limiter.start(source, for: demand, report: report)
        throttle.onLoop { $0.passed(turn) }
        return pass
    }

    private func attempt(
        _ key: PageKey,
        _ pass: RateLimiter.Pass,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> Result<Page, SearchError> {
        do throws(SearchError) {
            let page = try await sender.fetch(key, for: demand) { [limiter] event in
                if case .sent = event { limiter.onLoop { $0.sent(pass) } }
                report(event)
            }
            return .success(page)
        } catch {
            return .failure(error)
        }
    }
}
