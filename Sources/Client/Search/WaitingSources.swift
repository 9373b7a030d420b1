import JSON
import SearchModel

/// Which sources of a search are still out, from its `search/source` notifications; pure.
struct WaitingSources {
    /// How many are asked, once that is known.
    var total: Int?
    private var done: Set<String> = []
    /// What the last of them said that told of waiting.
    private var waits: (source: String, text: String)?

    mutating func received(_ params: JSONCursor) {
        guard let source = params["source"]?.string else { return }
        switch params["status"]?.string {
        case "queued":
            let wait = params["wait"]?.double.map { " \(FigureText.time(milliseconds: $0))" } ?? ""
            waits = (source, "\(source) waits\(wait)\(Self.reason(params["reason"]?.string))")
        case "retrying":
            let attempt = params["attempt"]?.int.map { ", attempt \($0)" } ?? ""
            waits = (source, "\(source) is asked again\(attempt)")
        default:
            done.insert(source)
            if waits?.source == source { waits = nil }
        }
    }

    /// One line on how far things are; nil when nobody is known to be waited for.
    var line: String? {
        let count = total.flatMap { total in
            total > 1 && done.count < total ? "\(done.count) of \(total) sources" : nil
        }
        let parts = [count, waits?.text].compactMap(\.self)
        return parts.isEmpty ? nil : VisibleText.visible(parts.joined(separator: " · "))
    }

    /// How many sources a search asks, given the answer of `source/list`.
    static func count(_ list: JSONCursor, names: [String], kinds: [String]) -> Int {
        (list["sources"]?.elements ?? []).count { source in
            let name = source["source"]?.string ?? ""
            let isNamed =
                names.isEmpty ? source["default"]?.bool ?? false : names.contains { Glob.matches(name, $0) }
            let isOfKind = kinds.isEmpty || kinds.contains(source["kind"]?.string ?? "")
            return isNamed && isOfKind && (source["enabled"]?.bool ?? false || names.contains(name))
        }
    }

    private static func reason(_ reason: String?) -> String {
        switch reason {
        case nil: ""
        case "rateLimit": " for its rate"
        case "retryAfter": ", as it asked for"
        case "concurrency": " for a free place"
        case "fairness": " for other programs"
        case .some(let other): " (\(other))"
        }
    }
}
