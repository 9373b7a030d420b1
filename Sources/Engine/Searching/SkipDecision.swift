import SearchModel
import Upstream

/// Which sources a search leaves out for now, so that their limits don't hold it up; pure.
///
/// Sources that the caller named are never left out. Any other is when its call would not be made at all, or when its
/// rate limit would have the search wait noticeably longer than the other sources take.
enum SkipDecision {
    struct Candidate {
        let source: SourceName
        let isNamed: Bool
        let outlook: CallOutlook
    }

    /// A wait that is too short to notice.
    static let waitUnnoticed = Duration.milliseconds(50)
    /// How long a search waits for a rate limit when there is nothing else to answer.
    static let waitAloneMax = Duration.seconds(1)
    /// How much longer than the slowest of all sources the search may take.
    static let stretch = 1.1

    /// Decides which sources to leave out; a page of each is needed and not cached.
    ///
    /// - Parameters:
    ///   - candidates: The sources.
    ///   - hasOthers: Whether the search has something to answer without them.
    ///   - mayWait: Whether the caller can wait, as background work can.
    /// - Returns: Those to leave out, and why.
    static func skips(_ candidates: [Candidate], hasOthers: Bool, mayWait: Bool) -> [SourceName: Skip] {
        var skips: [SourceName: Skip] = [:]
        var held: [(candidate: Candidate, skip: Skip, wait: Duration)] = []
        // The latency of the slowest source that is searched, if any.
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
