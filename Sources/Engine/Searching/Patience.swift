import EventLoop
import SearchModel
import Upstream

/// How long a search that has enough waits for the sources that are still out; pure.
///
/// When they are not needed to fill the window, at most `waitMax` after the latest answer, and for a source that has
/// answered before no longer than it usually takes, and not at all when that is longer. So a hanging source delays the
/// search up for `waitMax`. When only they can fill the window, they have several times as long.
struct Patience: Sendable {
    /// A call that is still out.
    struct Call: Sendable {
        let need: PageNeed
        let askedAt: Instant
        /// How long it usually takes, with what its rate limit makes it wait; nil for a source that has yet to answer.
        let usual: Duration?
    }

    /// What of the window only the calls that are still out can fill.
    enum Need: Sendable {
        case none
        case rest
        /// Nothing has been found yet.
        case all
    }

    static let waitMax = Duration.milliseconds(250)
    /// The same for a source that has never answered while the window can't be filled without it, and for every source
    /// while nothing has been found.
    static let neededWaitMax = Duration.seconds(3)
    /// How many times its usual time a call may take, and `slack` beyond it, to be waited for.
    static let tolerance = 1.5
    static let slack = Duration.milliseconds(50)
    static let neededTolerance = 3.0

    /// In the order in which they began.
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
    ///
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
