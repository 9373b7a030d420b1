import EventLoop
package import SearchModel

/// Fetches in the order and at the rate that the throttle allows.
package struct ThrottledFetcher: PageFetcher {
    private let throttle: RequestThrottle
    private let next: any PageFetcher

    /// - Parameters:
    ///   - throttle: Says when a call may begin.
    ///   - next: Makes the calls.
    package init(_ throttle: RequestThrottle, before next: any PageFetcher) {
        self.throttle = throttle
        self.next = next
    }

    package func fetch(_ key: PageKey, for ticket: CallTicket) async throws(SearchError) -> Page {
        let place = try await throttle.enter(key.source, with: ticket)
        ticket.whenProgressed { [throttle] progress in
            // Progress is told on the loop, where the throttle lives.
            throttle.onLoop { $0.progressed(place, progress) }
        }
        let outcome: Result<Page, SearchError>
        do throws(SearchError) {
            outcome = .success(try await next.fetch(key, for: ticket))
        } catch {
            outcome = .failure(error)
        }
        ticket.whenProgressed(nil)
        leave(place)
        return try outcome.get()
    }

    /// At once: calls are made on the loop, where the throttle lives.
    private func leave(_ place: RequestThrottle.Place) {
        throttle.onLoop { $0.leave(place) }
    }
}
