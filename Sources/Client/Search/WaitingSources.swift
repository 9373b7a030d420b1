import JSON

/// What a search waits for, from its notifications; pure.
struct WaitingSources {
    private var count: (answered: Int, asked: Int)?
    /// What the last of them said that told of waiting.
    private var waits: (source: String, text: String)?

    /// Takes a `search/progress` notification.
    mutating func received(progress params: JSONCursor) {
        guard let answered = params["answered"]?.int, let asked = params["asked"]?.int else { return }
        count = (answered, asked)
    }

    /// Takes a `search/hits` notification: who answers waits no longer.
    mutating func received(hits params: JSONCursor) {
        if waits?.source == params["source"]?.string { waits = nil }
    }

    /// Takes a `search/source` notification.
    mutating func received(source params: JSONCursor) {
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
    var line: String? {
        let out = count.flatMap { $0.answered < $0.asked ? $0 : nil }
        let parts = [out.map { "\($0.answered) of \(FigureText.count($0.asked, "source"))" }, waits?.text]
        let text = parts.compactMap(\.self).joined(separator: " · ")
        return text.isEmpty ? nil : VisibleText.visible(text)
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
