import Catalogue
package import EventLoop
package import SearchModel

/// Makes a call to a source: waits for a slot and the limits, sends the request, and repeats failed requests.
package struct UpstreamFetcher: PageFetcher {
    private let loop: EventLoop
    private let throttle: RequestThrottle
    private let limiter: RateLimiter
    private let http: any PageFetcher

    package init(on loop: EventLoop, throttle: RequestThrottle, limiter: RateLimiter, http: any PageFetcher) {
        self.loop = loop
        self.throttle = throttle
        self.limiter = limiter
        self.http = http
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let turn: RequestThrottle.Turn
        do throws(SearchError) {
            turn = try await throttle.enter(key.source, for: demand, report: report)
        } catch  where error.kind == .rateLimited {
            // The throttle knows how long the limits delay a call, but not why. The reason may be a used-up quota.
            throw limiter.onLoop { $0.refusal(key.source, for: demand) } ?? error
        }
        // This function runs on the loop, so `onLoop` does not trap.
        defer { throttle.onLoop { $0.leave(turn) } }
        var backoff = Backoff()
        var failure: SearchError?
        while true {
            let started: RateLimiter.StartedCall
            do throws(SearchError) {
                started = try await limiter.start(key.source, for: demand, report: report)
            } catch {
                // If the limits refuse a retry, the call fails with the error of its last attempt.
                throw error.kind == .cancelled ? error : failure ?? error
            }
            throttle.onLoop { $0.admitted(turn) }
            let (outcome, sentAt, bill) = await attempt(key, for: demand, report)
            failure = outcome.thrown
            let retryAt = limiter.onLoop { limiter in
                if let bill { limiter.settle(started, bill) }
                return limiter.ended(
                    started,
                    outcome,
                    sentAt: sentAt,
                    &backoff,
                    deadline: demand.deadline,
                    report: report
                )
            }
            guard let retryAt else { return try outcome.get() }
            let wait = max(loop.now.duration(to: retryAt), .zero)
            report(.retrying(attempt: backoff.retries + 1, wait: wait, after: failure))
            do {
                try await loop.sleep(until: retryAt)
            } catch {
                throw .cancelled
            }
        }
    }

    private func attempt(
        _ key: PageKey,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> (outcome: Result<Page, SearchError>, sentAt: Instant?, bill: Bill?) {
        let seen = Locked<(sentAt: Instant?, bill: Bill?)>((nil, nil))
        let outcome: Result<Page, SearchError>
        do throws(SearchError) {
            let page = try await http.fetch(key, for: demand) { [loop] event in
                if case .billed(let bill) = event { return seen.withLock { $0.bill = bill } }
                if case .sent = event { seen.withLock { $0.sentAt = $0.sentAt ?? loop.now } }
                report(event)
            }
            outcome = .success(page)
        } catch {
            outcome = .failure(error)
        }
        let (sentAt, bill) = seen.withLock { $0 }
        return (outcome, sentAt, bill)
    }
}
