import SearchModel

/// What sessions count together; exact, and never reset while the daemon runs.
///
/// Confined to the loop.
final class Counters {
    private(set) var requestsByMethod: [String: Int] = [:]
    /// Methods that work on one user's own data: to count them would tell other users of it.
    var uncounted: Set<String> = []
    /// Searches answered straight from their parameters' bytes; also counted as requests.
    private(set) var repeatedSearches = 0
    var unknownMethods = 0
    var notifications = 0
    var refusedLines = 0
    /// Requests that have been answered, by method and by `ok` or the kind of error.
    ///
    /// What is no request counts under `invalidLine`, a name that is no method under `unknownMethod`.
    private(set) var outcomes: [String: [String: Int]] = [:]
    var connectionsAccepted = 0
    var connectionsRefused = 0
    var connectionsStalled = 0
    /// Idle ones that were closed for others.
    var connectionsReplaced = 0
    var bytesIn = 0
    var bytesOut = 0

    static let ok = "ok"
    static let invalidLine = "invalid"
    static let unknownMethod = "unknown"

    /// A search is answered straight from its parameters' bytes.
    func repeatedSearch() {
        repeatedSearches += 1
    }

    /// A request of a method has come.
    func requested(_ method: String) {
        if !uncounted.contains(method) { requestsByMethod[method, default: 0] += 1 }
    }

    /// A request of a method, or one of the two that are none, is answered.
    func answered(_ method: String, _ reply: Reply) {
        guard !uncounted.contains(method) else { return }
        outcomes[method, default: [:]][reply.errorKind ?? Self.ok, default: 0] += 1
    }

    /// The outcomes of all methods together, those of repeated searches included.
    var answers: [String: Int] {
        var sums = [Self.ok: repeatedSearches]
        for counts in outcomes.values { sums.merge(counts) { $0 + $1 } }
        return sums
    }

    /// What was asked and answered, by method; repeated searches included.
    var outcomesByMethod: [String: [String: Int]] {
        var all = outcomes
        if repeatedSearches > 0 { all["search", default: [:]][Self.ok, default: 0] += repeatedSearches }
        return all
    }
}
