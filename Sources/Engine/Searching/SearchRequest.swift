package import Catalogue
import EventLoop
package import RPC
package import SearchModel
package import Upstream

/// A search as a caller means it: parameters checked, sources chosen.
package struct SearchRequest: Sendable {
    package static let limitMax = 1000
    package static let limitDefault = 10
    /// How deep one source can be entered, which costs no more calls than its beginning.
    package static let offsetMax = 100_000
    /// How deep a list can be entered that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    package static let timeoutDefault = Duration.seconds(10)
    package static let timeoutMax = Duration.seconds(120)

    package var query: SearchQuery
    package var sort: Sort = .relevance
    /// In the order in which the answer lists them.
    package var sources: [SourceProfile]
    /// Those of them that the caller named, and does not want to be left out.
    package var named: [SourceName] = []
    package var options: [SourceName: [Option]] = [:]
    package var offset = 0
    package var limit = Self.limitDefault
    package var cursor: Cursor?
    /// Leaves out hits of the merged list; nil when all are wanted.
    package var filter: HitFilter?
    package var raw = false
    package var maxAge: Duration?
    package var offline = false
    package var timeout = Self.timeoutDefault
    package var wait = WaitMode.all
    package var isPrivate = false
    package var client = ClientIdentity.daemon
    package var priority = Priority.interactive
    package var explain = false
    /// The calls it may make; nil for no limit.
    package var callBudget: CallBudget?

    /// Whether the query ends in a syllable that is still being typed, so that no call is spent on it.
    package var isUnfinished = false

    /// What was typed, when the query is what that may become: then it is answered from the cache alone, and only shown
    /// until more is typed.
    package private(set) var typed: SearchQuery?

    /// The same for a query that this one, which is unfinished, may become.
    package func becoming(_ query: SearchQuery) -> SearchRequest {
        var request = self
        request.typed = self.query
        request.query = query
        return request
    }

    /// Whether it continues the list of another search.
    package var isNextPage: Bool { cursor != nil || offset > 0 }

    /// Whether only cached pages are searched.
    package var isLocal: Bool { offline || isUnfinished }

    /// Whether it may end before every source has answered.
    var mayHaveEnough: Bool { wait == .enough && sources.count > 1 }

    var names: Set<SourceName> { Set(sources.map(\.name)) }

    /// Whether the list is one source's own and whole, which can be entered at any of its pages.
    package var entersAtOffset: Bool {
        sources.count == 1 && sources[0].makes(sort) && filter == nil
    }

    /// Up to where in the merged list its filter looks for the window.
    var lookedLimit: Int {
        (cursor?.position ?? 0) + WireBounds.filterLookedMax + WireBounds.filterLookedPerOffset * offset
    }

    /// How far from the beginning the window may begin; cursors reach further.
    package var offsetLimit: Int { entersAtOffset ? Self.offsetMax : Self.mergedOffsetMax }

    /// Searches the user's own data, too.
    package mutating func addOwnData() {
        for content in OwnSource.Content.allCases {
            let profile = OwnSource(content).profile
            if !sources.contains(where: { $0.name == profile.name }) { sources.append(profile) }
        }
    }

    package init(query: SearchQuery, sources: [SourceProfile]) {
        self.query = query
        self.sources = sources
    }
}

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
    /// For a source that is not asked because its search has made as many calls as it may.
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
