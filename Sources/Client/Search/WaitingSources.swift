import JSON

/// What keeps a search waiting, from its `search/source` notifications; pure.
struct WaitingSources {
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
            if waits?.source == source { waits = nil }
        }
    }

    /// One line on who is waited for; nil when nobody is known to be.
    var line: String? { waits.map { VisibleText.visible($0.text) } }

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
