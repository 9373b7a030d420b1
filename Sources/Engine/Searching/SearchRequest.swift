package import Catalogue
import EventLoop
package import RPC
package import SearchModel
package import Upstream

/// A search with checked parameters and chosen sources.
package struct SearchRequest: Sendable {
    package var query: SearchQuery
    package var sort: Sort = .relevance
    /// In the order in which the answer lists them.
    package var sources: [SourceProfile]
    /// The sources that the caller named; they are searched even if little of a quota is left or the query is short.
    package var named: [SourceName] = []
    package var patterns: [String] = []
    package var options: [SourceName: [Option]] = [:]
    package var offset = 0
    package var limit = WireBounds.limitDefault
    package var cursor: Cursor?
    package var filter: HitFilter?
    package var raw = false
    package var maxAge: Duration?
    package var offline = false
    package var timeout = Duration.milliseconds(WireBounds.timeoutMillisecondsDefault)
    package var wait = WaitMode.all
    package var isPrivate = false
    package var client = ClientIdentity.daemon
    package var priority = Priority.interactive
    package var explain = false
    package var callBudget: CallBudget?

    /// If true, the query ends in an unfinished Korean syllable, and no source is called.
    package var isUnfinished = false
    /// Whether the client searches while the user types.
    package var isTyping = false

    /// The original query, if `query` is its completion.
    package private(set) var typed: SearchQuery?

    package func becoming(_ query: SearchQuery) -> SearchRequest {
        var request = self
        request.typed = self.query
        request.query = query
        return request
    }

    package var isNextPage: Bool { cursor != nil || offset > 0 }

    package var isLocal: Bool { offline || isUnfinished }

    var mayHaveEnough: Bool { wait == .enough && sources.count > 1 }

    var names: Set<SourceName> { Set(sources.map(\.name)) }

    /// Whether the list can start at any page instead of the first page.
    package var startsAtOffset: Bool {
        sources.count == 1 && sources[0].makes(sort) && filter == nil
    }

    var lookedLimit: Int {
        (cursor?.position ?? 0) + WireBounds.filterLookedMax + WireBounds.filterLookedPerOffset * offset
    }

    package var offsetLimit: Int { startsAtOffset ? WireBounds.offset.upperBound : WireBounds.mergedOffsetMax }

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

/// The number of calls that a search may still make (`maxCalls`).
package final class CallBudget: Sendable {
    private let left: Locked<Int>

    package init(_ calls: Int) {
        left = Locked(calls)
    }

    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

extension Skip {
    static func typing(_ source: SourceName) -> Skip {
        Skip(
            reason: .typing,
            error: SearchError(
                .notFound,
                "\(source) is not called while the user types",
                source: source,
                retryable: false,
                hint: "Search again without a channel."
            )
        )
    }

    static func callsSpent(_ source: SourceName) -> Skip {
        Skip(
            reason: .maxCalls,
            error: SearchError(
                .notFound,
                "the page is not cached, and the search has used all of its calls",
                source: source,
                retryable: false,
                hint: "Allow more calls with \"maxCalls\"."
            )
        )
    }
}
