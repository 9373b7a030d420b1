import EventLoop
import RPC
import SearchModel
import Upstream

/// How many calls to sources a search may still make.
package final class CallBudget: Sendable {
    private let left: Locked<Int>

    package init(_ calls: Int) {
        left = Locked(calls)
    }

    /// Takes one call; false when none is left.
    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

extension Skip {
    /// For a source that is not asked since its search has made as many calls as it may.
    static func callsSpent(_ source: SourceName) -> Skip {
        Skip(
            reason: .maxCalls,
            error: SearchError(
                .notFound,
                "nothing of this is cached, and the search may make no more calls",
                source: source,
                retryable: false,
                hint: "Allow more calls with maxCalls."
            )
        )
    }
}
