import EventLoop
import SearchModel
import Upstream

/// Decides how long a search waits for the calls in flight.
///
/// The search waits longer if requested hits can come only from these calls.
struct WaitPolicy: Sendable {
    struct Call: Sendable {
        let need: PageNeed
        let askedAt: Instant
        /// The usual duration, including the delay by the rate limit; nil if the source has never responded.
        let usual: Duration?
    }

    /// How many of the requested hits can come only from the calls in flight.
    enum Need: Sendable {
        case none
        case rest
        case all
    }

    static let waitMin = Duration.milliseconds(150)
    static let waitMax = Duration.milliseconds(500)
    /// The wait after the latest response, if a source has never responded or no hit was found.
    static let neededWaitMax = Duration.seconds(3)
    /// A call may take this many times its usual duration, plus `slack`.
    static let tolerance = 1.5
    static let slack = Duration.milliseconds(50)
    static let neededTolerance = 3.0

    private(set) var calls: [Call] = []
    private var latestAnswer: Instant

    init(at now: Instant) {
        latestAnswer = now
    }

    mutating func began(_ need: PageNeed, _ outlook: CallPrediction?, at now: Instant) {
        let usual = outlook?.usual.map { $0 + (outlook?.wait ?? .zero) }
        calls.append(Call(need: need, askedAt: now, usual: usual))
    }

    mutating func ended(_ key: PageKey, at now: Instant) {
        calls.removeAll { $0.need.key == key }
        latestAnswer = max(latestAnswer, now)
    }

    func end(at now: Instant, _ need: Need) -> Instant? {
        calls.map { call in
            switch need {
            case .none: max(end(of: call), call.askedAt.advanced(by: Self.waitMin))
            case .rest: neededEnd(of: call)
            case .all: max(neededEnd(of: call), latestAnswer.advanced(by: Self.neededWaitMax))
            }
        }.filter { $0 > now }.max()
    }

    private func neededEnd(of call: Call) -> Instant {
        guard let usual = call.usual else { return latestAnswer.advanced(by: Self.neededWaitMax) }
        return call.askedAt.advanced(by: usual * Self.neededTolerance + Self.waitMax)
    }

    private func end(of call: Call) -> Instant {
        let latest = latestAnswer.advanced(by: Self.waitMax)
        guard let usual = call.usual else { return latest }
        guard call.askedAt.advanced(by: usual) <= latest else { return call.askedAt }
        return min(latest, call.askedAt.advanced(by: usual * Self.tolerance + Self.slack))
    }
}

/// Decides which sources a search skips because their limits would delay the search.
enum SkipDecision {
    typealias Candidate = (source: SourceName, isNamed: Bool, outlook: CallPrediction)

    /// A user hardly notices this wait.
    static let waitUnnoticed = Duration.milliseconds(150)
    static let waitAloneMax = Duration.seconds(1)
    /// A search may take this many times the usual latency of its slowest source.
    static let stretch = 1.1

    /// `hasOthers` is true if the search already has hits or pages; `mayWait` is true for a background search.
    static func skips(_ candidates: [Candidate], hasOthers: Bool, mayWait: Bool) -> [SourceName: Skip] {
        var skips: [SourceName: Skip] = [:]
        var held: [(candidate: Candidate, skip: Skip, wait: Duration)] = []
        // Nil until a source is searched.
        var slowest: Duration? = hasOthers ? .zero : nil
        for candidate in candidates {
            guard let skip = candidate.outlook.obstacle, !candidate.isNamed else {
                slowest = max(slowest ?? .zero, candidate.outlook.usual ?? .zero)
                continue
            }
            if let wait = candidate.outlook.wait {
                held.append((candidate, skip, wait))
            } else {
                skips[candidate.source] = skip
            }
        }
        guard !mayWait else { return skips }
        for (candidate, skip, wait) in held.sorted(by: { $0.wait < $1.wait }) {
            if isWorthwhile(wait, usual: candidate.outlook.usual, slowest) {
                slowest = max(slowest ?? .zero, wait + (candidate.outlook.usual ?? .zero))
            } else {
                skips[candidate.source] = skip
            }
        }
        return skips
    }

    private static func isWorthwhile(_ wait: Duration, usual: Duration?, _ slowest: Duration?) -> Bool {
        guard let slowest else { return wait <= waitAloneMax }
        if wait <= waitUnnoticed { return true }
        let own = usual ?? slowest
        return wait + own <= max(slowest, own) * stretch
    }
}
