import SearchModel

/// What sessions count together; exact, and never reset while the daemon runs.
///
/// Confined to the loop.
final class Counters {
    private(set) var requestsByMethod: [String: Int] = [:]
    /// Methods that work on one user's own data: to count them would tell other users of it.
    var uncounted: Set<String> = []
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

    /// A request of a method has come.
    func requested(_ method: String) {
        if !uncounted.contains(method) { requestsByMethod[method, default: 0] += 1 }
    }

    /// A request of a method, or one of the two that are none, is answered.
    func answered(_ method: String, _ reply: Reply) {
        guard !uncounted.contains(method) else { return }
        outcomes[method, default: [:]][reply.errorKind ?? Self.ok, default: 0] += 1
    }

    /// The outcomes of all methods together.
    var answers: [String: Int] {
        outcomes.values.reduce(into: [Self.ok: 0]) { sums, counts in sums.merge(counts) { $0 + $1 } }
    }
}
