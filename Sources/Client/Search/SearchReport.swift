import JSON
import RPC
import SearchModel

/// The final answer of a search, without its hits; pure.
struct SearchReport {
    /// What became of one source.
    struct Source {
        let name: String
        /// Nil for a word of a newer daemon.
        let status: SourceStatus?
        let cache: CacheUse?
        /// Seconds since it was fetched.
        let age: Double?
        let total: Int?
        let totalIsEstimate: Bool
        let error: ClientError?

        var isFine: Bool { status == .ok }

        /// Why it is not ok; also when the daemon gives no error.
        var trouble: ClientError? {
            let message: String
            switch status {
            case .ok: return nil
            case .late: message = "it did not answer before the timeout"
            case .partial: message = "only some of its pages arrived"
            case .skipped: message = "nothing of it is cached"
            case .failed, .queued, .retrying, nil: message = status?.rawValue ?? "its status is not known"
            }
            return error ?? ClientError(.init(rawValue: status?.rawValue ?? "unknown"), message)
        }

        init(_ source: JSONCursor) {
            name = source[.source]?.string ?? "?"
            status = source[.status]?.word()
            cache = source[.cache]?.word()
            age = source[.age]?.double
            total = source[.total]?.int
            totalIsEstimate = source[.totalIsEstimate]?.bool ?? false
            error = source[.error].map(RemoteFailure.read)
        }
    }

    private(set) var sources: [Source]
    private(set) var isComplete: Bool
    /// Milliseconds.
    private(set) var elapsed: Double?
    /// The cursor behind the last hit; nil at the end.
    private(set) var next: String?
    /// The ids in merged order; nil when the answer does not say.
    private(set) var order: [String]?
    /// By id, the other sources that have a hit, also where that was found out after it was told.
    private(set) var alsoFrom: [String: JSONValue]
    /// By id, the ids of other sources' hits that are the same.
    private(set) var sameAs: [String: [String]]
    /// What ended the list before its end: a page for which no source answered.
    private(set) var failure: ClientError?

    init(_ result: JSONCursor) {
        sources = (result[.sources]?.elements ?? []).map(Source.init)
        isComplete = result[.complete]?.bool ?? sources.allSatisfy(\.isFine)
        elapsed = result[.elapsed]?.double
        next = result[.next]?.string
        order = result[.order]?.elements.compactMap(\.string)
        let joined = (result[.alsoFrom]?.members ?? []).map { ($0.name, $0.value.value) }
        alsoFrom = Dictionary(joined, uniquingKeysWith: { first, _ in first })
        let same = (result[.sameAs]?.members ?? []).map { ($0.name, $0.value.elements.compactMap(\.string)) }
        sameAs = Dictionary(same, uniquingKeysWith: { first, _ in first })
    }

    var hasMore: Bool { next != nil }

    /// Takes the answer of the next page on top: a source that was in trouble once stays so.
    mutating func add(_ page: SearchReport) {
        let inTrouble = sources.filter { !$0.isFine }
        sources = page.sources.map { source in inTrouble.first { $0.name == source.name } ?? source }
        isComplete = isComplete && page.isComplete
        elapsed = elapsed.map { $0 + (page.elapsed ?? 0) } ?? page.elapsed
        next = page.next
        order = page.order
        alsoFrom = page.alsoFrom
        sameAs = page.sameAs
    }

    /// Notes that a page behind this one failed as a whole; the list ends here.
    mutating func end(with error: ClientError) {
        failure = error
        isComplete = false
        next = nil
    }

    /// Whether an error answer of the daemon says that the sources failed, and not that the request was wrong.
    static func isFailureOfSources(_ error: ClientError) -> Bool {
        let kinds: [SearchError.Kind] = [
            .rateLimited, .quotaExhausted, .unavailable, .badResponse, .timeout, .unauthorized, .notConfigured,
            .overloaded,
        ]
        return kinds.contains { ClientError.Code($0) == error.code }
    }

    /// The status of the whole: a partial answer is one, unless `isStrict`.
    func status(found: Int, isStrict: Bool) -> ExitStatus {
        if isStrict && !isComplete { return .sourceFailed }
        return found > 0 ? .found : .nothingFound
    }

    /// What to tell of the sources that are not fine: one warning for all that have the same trouble.
    var warnings: [ClientError] {
        var troubles: [(error: ClientError, names: [String])] = []
        func add(_ trouble: ClientError, of name: String?) {
            var error = trouble
            error.source = nil
            let index = troubles.firstIndex { $0.error == error } ?? troubles.endIndex
            if index == troubles.endIndex { troubles.append((error, [])) }
            if let name, !troubles[index].names.contains(name) { troubles[index].names.append(name) }
        }
        for source in sources {
            if let trouble = source.trouble { add(trouble, of: source.name) }
        }
        if let failure { add(failure, of: failure.source) }
        return troubles.map { trouble in
            var error = trouble.error
            error.source = trouble.names.isEmpty ? nil : FigureText.names(trouble.names)
            return error
        }
    }
}
