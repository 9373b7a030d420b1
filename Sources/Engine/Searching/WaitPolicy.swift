import EventLoop
import SearchModel
import Upstream

/// How long a search with enough hits waits for the remaining sources; pure.
///
/// If the window can be filled without them, the search waits for at most `waitMax` after the latest answer. A source
/// with a known latency gets little more than this latency, and no time at all if the latency exceeds the limit. So a
/// source that hangs delays the search by at most `waitMax`. If the window can't be filled without the remaining
/// sources, they get several times as long.
struct WaitPolicy: Sendable {
    /// A call in flight.
    struct Call: Sendable {
        let need: PageNeed
        let askedAt: Instant
        /// How long it usually takes, with the delay by its rate limit; nil for a source that has never answered.
        let usual: Duration?
    }

    /// How much of the window only the calls in flight can fill.
    enum Need: Sendable {
        case none
        case rest
        /// Nothing has been found yet.
        case all
    }

    static let waitMax = Duration.milliseconds(500)
    /// The maximum wait for a source that has never answered, if the window can't be filled without it.
    ///
    /// This is also the wait for every source while nothing has been found.
    static let neededWaitMax = Duration.seconds(3)
    /// How many times its usual time a call may take, plus `slack`.
    static let tolerance = 1.5
    static let slack = Duration.milliseconds(50)
    static let neededTolerance = 3.0

    /// The calls, in the order of their starts.
    private(set) var calls: [Call] = []
    private var latestAnswer: Instant

    init(at now: Instant) {
        latestAnswer = now
    }

    mutating func began(_ need: PageNeed, _ outlook: CallOutlook?, at now: Instant) {
        let usual = outlook?.usual.map { $0 + (outlook?.wait ?? .zero) }
        calls.append(Call(need: need, askedAt: now, usual: usual))
    }

    mutating func ended(_ key: PageKey, at now: Instant) {
        calls.removeAll { $0.need.key == key }
        latestAnswer = max(latestAnswer, now)
    }

    /// The end of the wait; nil if the calls are not worth waiting for.
    func end(at now: Instant, _ need: Need) -> Instant? {
        calls.compactMap { call in
            switch need {
            case .none: end(of: call)
            case .rest: neededEnd(of: call)
            case .all: max(neededEnd(of: call), latestAnswer.advanced(by: Self.neededWaitMax))
            }
        }.filter { $0 > now }.max()
    }

    private func neededEnd(of call: Call) -> Instant {
        guard let usual = call.usual else { return latestAnswer.advanced(by: Self.neededWaitMax) }
        return call.askedAt.advanced(by: usual * Self.neededTolerance + Self.waitMax)
    }

    private func end(of call: Call) -> Instant? {
        let latest = latestAnswer.advanced(by: Self.waitMax)
        guard let usual = call.usual else { return latest }
        guard call.askedAt.advanced(by: usual) <= latest else { return nil }
        return min(latest, call.askedAt.advanced(by: usual * Self.tolerance + Self.slack))
    }
}
