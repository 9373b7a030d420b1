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

    package func fetch(_ key: PageKey, for ticket: CallTicket) async throws(SearchError) -> Page {
        var backoff = Backoff()
        var failure: SearchError?
        while true {
            let admission = try await admission(to: key.source, ticket, after: failure)
            let outcome = await call(key, ticket.attempt { limiter.sent(admission) })
            let verdict = ended(admission, outcome.failure, &backoff, ticket)
            guard case .again(let instant, let attempt) = verdict else { return try outcome.get() }
            failure = outcome.failure
            ticket.tell(.retrying(attempt: attempt, wait: max(loop.now.duration(to: instant), .zero)))
            do {
                try await loop.sleep(until: instant)
            } catch {
                throw .cancelled
            }
        }
    }

    /// At once: calls are made on the loop, where the limiter lives.
    private func ended(
        _ admission: RateLimiter.Admission,
        _ failure: SearchError?,
        _ backoff: inout Backoff,
        _ ticket: CallTicket
    ) -> Backoff.Verdict {
        limiter.onLoop { $0.ended(admission, failure, &backoff, for: ticket) }
    }

    /// - Throws: What the limits say; for a retry that they refuse, why the call before failed.
    private func admission(
        to source: SourceName,
        _ ticket: CallTicket,
        after failure: SearchError?
    ) async throws(SearchError) -> RateLimiter.Admission {
        do throws(SearchError) {
            return try await limiter.admit(source, for: ticket)
        } catch {
            throw error.kind == .cancelled ? error : failure ?? error
        }
    }

    private func call(_ key: PageKey, _ ticket: CallTicket) async -> Result<Page, SearchError> {
        do throws(SearchError) {
            return .success(try await fetcher.fetch(key, for: ticket))
        } catch {
            return .failure(error)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension CallTicket {
    /// A ticket for one attempt, which tells this one's callers all that it is told.
    fileprivate func attempt(whenSent: @escaping @Sendable () -> Void) -> CallTicket {
        let caller = Caller(client: client, priority: priority, hitsWanted: hitsWanted) { event in
            // `sent` tells that itself.
            if event != .sent { self.tell(event) }
        }
        let attempt = CallTicket(for: caller) {
            whenSent()
            self.sent()
        }
        attempt.join(caller, until: deadline)
        return attempt
    }
}
