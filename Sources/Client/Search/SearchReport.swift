package import JSON
package import RPC
import SearchModel

/// The final answer of a search, without its hits; pure.
package struct SearchReport {
    /// What became of one source.
    package struct Source {
        package let name: String
        /// Nil for a word of a newer daemon.
        package let status: SourceStatus?
        package let cache: CacheUse?
        /// Seconds since it was fetched.
        package let age: Double?
        /// How many hits it has brought; nil when it does not say.
        package let count: Int?
        package let total: Int?
        package let totalIsEstimate: Bool
        /// How many of its hits the daemon has sorted, where it can't sort all of them.
        let sorted: Int?
        /// Why it was not asked.
        package let reason: SkipReason?
        package let error: ClientError?

        /// Why it is not ok, also when the daemon gives no error; nil for a source that was left out on purpose.
        package var trouble: ClientError? {
            let message: String
            switch status {
            case .ok, .skipped: return nil
            case .late: return ClientError(.init(.timeout), "no answer before the timeout")
            case .partial: message = "only some of its pages arrived"
            case .failed, .queued, .retrying, nil: message = status?.rawValue ?? "its status is not known"
            }
            return error ?? ClientError(.init(rawValue: status?.rawValue ?? "unknown"), message)
        }

        package init(_ source: JSONCursor) {
            name = source[.source]?.string ?? "?"
            status = source[.status]?.word()
            cache = source[.cache]?.word()
            age = source[.age]?.double
            count = source[.count]?.int
            total = source[.total]?.int
            sorted = source["sorted"]?.int
            totalIsEstimate = source[.totalIsEstimate]?.bool ?? false
            reason = source[.reason]?.word()
            error = source[.error].map(RemoteFailure.read)
        }
    }

    /// What the hits are of, when the query is unfinished and may become that.
    let completedQuery: String?
    package private(set) var sources: [Source]
    /// Milliseconds.
    private(set) var elapsed: Double?
    /// The cursor behind the last hit; nil at the end.
    package private(set) var next: String?
    /// The ids in merged order; nil when the answer does not say.
    package private(set) var order: [String]?
    /// By id, the other sources that have a hit, also where that was found out after it was told.
    private(set) var alsoFrom: [String: JSONValue]
    /// The ids of the hits that the user has saved.
    package private(set) var saved: Set<ExactText>
    /// What might have been meant by a query that finds nothing.
    package let didYouMean: [String]
    /// What ended the list before its end: a page for which no source answered.
    package private(set) var failure: ClientError?
    /// How many hits the filter has looked at; nil without one.
    private(set) var looked: Int?
    /// How many of them it left out only because they have no date.
    private(set) var undated: Int

    package init(_ result: JSONCursor) {
        completedQuery = result[.completedQuery]?.string
        sources = (result[.sources]?.elements ?? []).map(Source.init)
        elapsed = result[.elapsed]?.double
        next = result[.next]?.string
        looked = result[.filtered]?[.looked]?.int
        undated = result[.filtered]?[.undated]?.int ?? 0
        order = result[.order]?.elements.compactMap(\.string)
        saved = Set((result[.saved]?.elements ?? []).compactMap(\.string).map { ExactText($0) })
        didYouMean = (result[.didYouMean]?.elements ?? []).compactMap(\.string)
        let joined = (result[.alsoFrom]?.members ?? []).map { ($0.name, $0.value.value) }
        alsoFrom = Dictionary(joined, uniquingKeysWith: { first, _ in first })
    }

    package var hasMore: Bool { next != nil }

    /// Whether all sources were left out.
    var isUnasked: Bool { !sources.isEmpty && sources.allSatisfy { $0.status == .skipped } }

    /// Takes the answer of the next page on top: a source that was in trouble once stays so.
    package mutating func add(_ page: SearchReport) {
        let inTrouble = sources.filter { $0.trouble != nil }
        sources = page.sources.map { source in inTrouble.first { $0.name == source.name } ?? source }
        elapsed = elapsed.map { $0 + (page.elapsed ?? 0) } ?? page.elapsed
        next = page.next
        looked = looked.map { $0 + (page.looked ?? 0) }
        undated += page.undated
        order = page.order
        alsoFrom = page.alsoFrom
        saved = page.saved
    }

    /// Notes that a page behind this one failed as a whole; the list ends here.
    package mutating func end(with error: ClientError) {
        failure = error
        next = nil
    }

    /// How many seconds ago a hit was fetched: one of the user's own data, or of an answer without calls; else nil.
    package func age(of hit: JSONCursor, at now: Int64) -> Double? {
        if let fetchedAt = hit[.extra]?[.fetchedAt]?.string.flatMap({ RFC3339.epochSeconds($0) }) {
            return Double(max(0, now - fetchedAt))
        }
        let name = hit[.source]?.string ?? ""
        return sources.first { $0.cache == .offline && $0.name == name }?.age
    }

    /// The sources that failed, with why; those that are late too, when the search waited for them.
    package func failed(waitedForAll: Bool) -> [Source] {
        sources.filter { $0.trouble != nil && ($0.status != .late || waitedForAll) }
    }

    /// Whether an error answer of the daemon says that the sources failed, and not that the request was wrong.
    static func isFailureOfSources(_ error: ClientError) -> Bool {
        let kinds: [SearchError.Kind] = [
            .rateLimited, .quotaExhausted, .unavailable, .badResponse, .timeout, .unauthorized, .notConfigured,
            .overloaded,
        ]
        return kinds.contains { ClientError.Code($0) == error.code }
    }
}
