import JSON

/// The final answer of a search, without its hits; pure.
struct SearchReport {
    /// What became of one source.
    struct Source {
        let name: String
        let status: String
        let cache: String?
        /// Seconds since it was fetched.
        let age: Double?
        let total: Int?
        let totalIsEstimate: Bool
        let error: ClientError?

        var isFine: Bool { status == "ok" }

        init(_ source: JSONCursor) {
            name = source["source"]?.string ?? "?"
            status = source["status"]?.string ?? "?"
            cache = source["cache"]?.string
            age = source["age"]?.double
            total = source["total"]?.int
            totalIsEstimate = source["totalIsEstimate"]?.bool ?? false
            error = source["error"].map(RemoteFailure.read)
        }
    }

    let sources: [Source]
    let isComplete: Bool
    /// Milliseconds.
    let elapsed: Double?
    let hasMore: Bool
    /// The ids in merged order; nil when the answer does not say.
    let order: [String]?

    init(_ result: JSONCursor) {
        sources = (result["sources"]?.elements ?? []).map(Source.init)
        isComplete = result["complete"]?.bool ?? sources.allSatisfy(\.isFine)
        elapsed = result["elapsed"]?.double
        hasMore = result["next"]?.string != nil
        order = result["order"]?.elements.compactMap(\.string)
    }

    /// The status of the whole: a partial answer is one, unless `isStrict`.
    func status(found: Int, isStrict: Bool) -> ExitStatus {
        if isStrict && !isComplete { return .sourceFailed }
        return found > 0 ? .found : .nothingFound
    }

    /// What to tell of the sources that are not fine: one warning for all that have the same trouble.
    var warnings: [ClientError] {
        var troubles: [(error: ClientError, names: [String])] = []
        for source in sources where !source.isFine {
            var error = source.error ?? ClientError(.init(rawValue: source.status), Self.words(for: source.status))
            error.source = nil
            if let same = troubles.firstIndex(where: { $0.error == error }) {
                troubles[same].names.append(source.name)
            } else {
                troubles.append((error, [source.name]))
            }
        }
        return troubles.map { trouble in
            var error = trouble.error
            error.source = trouble.names.joined(separator: ", ")
            return error
        }
    }

    private static func words(for status: String) -> String {
        switch status {
        case "late": "it has not answered in time"
        case "partial": "only a part of what it has is here"
        case "skipped": "it was not asked"
        default: status
        }
    }
}
