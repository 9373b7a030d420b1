package import JSON
package import RPC
import SearchModel

/// The final answer of a search, without its hits.
package struct SearchReport {
    package struct Source {
        package let name: String
        package let status: SourceStatus?
        package let cache: CacheUse?
        package let age: Double?
        package let count: Int?
        package let total: Int?
        package let totalIsEstimate: Bool
        /// How many of the hits a client can reach.
        let reachable: Int?
        /// The number of hits that the daemon sorted, or nil if the source sorted its hits.
        let sorted: Int?
        package let reason: SkipReason?
        /// If the source was skipped: the time until it can be called, if known.
        let retryMilliseconds: Int?
        package let error: ClientError?

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
            reachable = source[.reachable]?.int
            sorted = source[.sorted]?.int
            totalIsEstimate = source[.totalIsEstimate]?.bool ?? false
            reason = source[.reason]?.word()
            retryMilliseconds = source[.retryAfter]?.int
            error = source[.error].map(RemoteFailure.read)
        }
    }

    /// The query that was searched instead of the typed query, because the last typed syllable was incomplete.
    let completedQuery: String?
    package private(set) var sources: [Source]
    private(set) var elapsed: Double?
    package private(set) var next: String?
    package private(set) var order: [String]?
    private(set) var alsoFrom: [String: JSONValue]
    package private(set) var saved: Set<ExactText>
    package let didYouMean: [String]
    package private(set) var failure: ClientError?
    private(set) var looked: Int?
    private(set) var kept: Int
    private(set) var undated: Int

    package init(_ result: JSONCursor) {
        completedQuery = result[.completedQuery]?.string
        sources = (result[.sources]?.elements ?? []).map(Source.init)
        elapsed = result[.elapsed]?.double
        next = result[.next]?.string
        looked = result[.filtered]?[.looked]?.int
        kept = result[.filtered]?[.kept]?.int ?? 0
        undated = result[.filtered]?[.undated]?.int ?? 0
        order = result[.order]?.elements.compactMap(\.string)
        saved = Set((result[.saved]?.elements ?? []).compactMap(\.string).map { ExactText($0) })
        didYouMean = (result[.didYouMean]?.elements ?? []).compactMap(\.string)
        let joined = (result[.alsoFrom]?.members ?? []).map { ($0.name, $0.value.value) }
        alsoFrom = Dictionary(joined, uniquingKeysWith: { first, _ in first })
    }

    package var hasMore: Bool { next != nil }
    package var total: HitTotal? { HitTotal(sources) }

    var isUnasked: Bool { !sources.isEmpty && sources.allSatisfy { $0.status == .skipped } }

    /// A source that failed on an earlier page keeps its failure.
    package mutating func add(_ page: SearchReport) {
        let inTrouble = sources.filter { $0.trouble != nil }
        sources = page.sources.map { source in inTrouble.first { $0.name == source.name } ?? source }
        elapsed = elapsed.map { $0 + (page.elapsed ?? 0) } ?? page.elapsed
        next = page.next
        looked = looked.map { $0 + (page.looked ?? 0) }
        kept += page.kept
        undated += page.undated
        order = page.order
        alsoFrom = page.alsoFrom
        saved = page.saved
    }

    package mutating func end(with error: ClientError) {
        failure = error
        next = nil
    }

    package func age(of hit: JSONCursor, at now: Int64) -> Double? {
        if let fetchedAt = hit[.extra]?[.fetchedAt]?.string.flatMap({ RFC3339.epochSeconds($0) }) {
            return Double(max(0, now - fetchedAt))
        }
        let name = hit[.source]?.string ?? ""
        return sources.first { $0.cache == .offline && $0.name == name }?.age
    }

    /// A late source counts as failed only if the search waited for all sources.
    package func failed(waitedForAll: Bool) -> [Source] {
        sources.filter { $0.trouble != nil && ($0.status != .late || waitedForAll) }
    }

    var leftOut: [Source] {
        let reasons: [SkipReason?] = [.suspended, .quotaExhausted, .rateLimit]
        return sources.filter { $0.status == .skipped && reasons.contains($0.reason) }
    }

    static func isFailureOfSources(_ error: ClientError) -> Bool {
        let kinds: [SearchError.Kind] = [
            .rateLimited, .quotaExhausted, .unavailable, .badResponse, .timeout, .unauthorized, .notConfigured,
            .overloaded,
        ]
        return kinds.contains { ClientError.Code($0) == error.code }
    }
}

/// The number of hits that the sources report.
package struct HitTotal {
    package let count: Int
    package let isExact: Bool

    package init(count: Int, isExact: Bool) { (self.count, self.isExact) = (count, isExact) }

    package init?(_ sources: [SearchReport.Source]) {
        let totals = sources.compactMap(\.total)
        guard !totals.isEmpty else { return nil }
        count = totals.reduce(0) { min($0, .max - max(0, $1)) + max(0, $1) }
        isExact = sources.count == 1 && !sources[0].totalIsEstimate
    }

    package var text: String { "\(isExact ? "" : "about ")\(NumberText.grouped(count))" }
}
