import SearchModel
import Upstream

/// Decides which sources a search skips because their limits would delay it.
///
/// A source that the caller named is not skipped. Any other source is skipped if its rate limit would delay the search
/// noticeably, or if another limit prevents its call.
enum SkipDecision {
    struct Candidate {
        let source: SourceName
        let isNamed: Bool
        let outlook: CallPrediction
    }

    /// The maximum wait that a user does not notice.
    static let waitUnnoticed = Duration.milliseconds(50)
    static let waitAloneMax = Duration.seconds(1)
    /// A search may take this many times the usual latency of its slowest source.
    static let stretch = 1.1

    /// Returns the sources to skip, with reasons; `candidates` are the sources that need a page that is not cached.
    ///
    /// `hasOthers` is true if the search already has hits or pages. `mayWait` is true for a background search.
    static func skips(_ candidates: [Candidate], hasOthers: Bool, mayWait: Bool) -> [SourceName: Skip] {
        var skips: [SourceName: Skip] = [:]
        var held: [(candidate: Candidate, skip: Skip, wait: Duration)] = []
        // The latency of the slowest source that is searched; nil if no source is searched.
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
