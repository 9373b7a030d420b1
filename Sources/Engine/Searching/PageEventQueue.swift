import EventLoop
import SearchModel
import Upstream

/// What comes of the pages that a search waits for, in the order in which it happens; for one taker.
///
/// What happens on the way only informs: past `eventsMax` that wait to be taken it is dropped, outcomes never.
final class PageEventQueue: Sendable {
    static let eventsMax = 1024

    enum News: Sendable {
        case event(PageKey, CallEvent)
        case outcome(PageKey, PageOutcome)
        /// The taker wanted to look again.
        case wake
    }

    struct Arrival: Sendable {
        let at: Instant
        let news: News
    }

    private struct State {
        var waiting: [Arrival] = []
        var firstWaiting = 0
        var eventCount = 0
        var taker: CheckedContinuation<Arrival, Never>?
    }

    private let state = Locked(State())

    /// Whether nothing waits to be taken.
    var isEmpty: Bool { state.withLock { $0.firstWaiting == $0.waiting.count } }

    /// From any thread.
    func put(_ arrival: Arrival) {
        let taker: CheckedContinuation<Arrival, Never>? = state.withLock { state in
            if let taker = state.taker.take() { return taker }
            if case .event = arrival.news {
                guard state.eventCount < Self.eventsMax else { return nil }
                state.eventCount += 1
            }
            state.waiting.append(arrival)
            return nil
        }
        taker?.resume(returning: arrival)
    }

    /// What came next, as soon as there is something.
    ///
    /// It does not end by a cancellation: who puts outcomes must put every one.
    func next() async -> Arrival {
        await withCheckedContinuation { continuation in
            let arrival: Arrival? = state.withLock { state in
                guard let arrival = Self.take(&state) else {
                    state.taker = continuation
                    return nil
                }
                return arrival
            }
            if let arrival { continuation.resume(returning: arrival) }
        }
    }

    private static func take(_ state: inout State) -> Arrival? {
        guard state.firstWaiting < state.waiting.count else { return nil }
        let arrival = state.waiting[state.firstWaiting]
        state.firstWaiting += 1
        if case .event = arrival.news { state.eventCount -= 1 }
        if state.firstWaiting == state.waiting.count {
            state.waiting.removeAll()
            state.firstWaiting = 0
        }
        return arrival
    }
}
