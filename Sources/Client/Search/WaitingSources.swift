package import JSON
import RPC
import SearchModel

/// Which sources a search waits for, from its notifications; pure.
package struct WaitingSources {
    private var count: (answered: Int, asked: Int)?
    /// The last source that reported a wait.
    private var waits: (source: String, text: String)?

    /// Takes a `search/progress` notification.
    mutating func received(progress params: JSONCursor) {
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int else { return }
        count = (answered, asked)
    }

    /// Takes a `search/hits` notification.
    mutating func received(hits params: JSONCursor) {
        if waits?.source == params[.source]?.string { waits = nil }
    }

    /// Takes a `search/source` notification.
    mutating func received(source params: JSONCursor) {
        guard let source = params[.source]?.string else { return }
        switch params[.status]?.word(SourceStatus.self) {
        case .queued: waits = (source, "\(source): \(Self.reasonText(params))")
        case .retrying:
            let attempt = params[.attempt]?.int.map { " (attempt \($0))" } ?? ""
            waits = (source, "\(source): retrying\(attempt)")
        default: if waits?.source == source { waits = nil }
        }
    }

    /// `3 of 5 sources · kakao.blog: rate limit, waiting 800 ms`; nil when nothing is known.
    var line: String? {
        // A single source that says what it waits for need not be counted.
        let open = count.flatMap { $0.answered < $0.asked && ($0.asked > 1 || waits == nil) ? $0 : nil }
        let parts = [open.map { "\($0.answered) of \(FigureText.count($0.asked, "source"))" }, waits?.text]
        let text = parts.compactMap(\.self).joined(separator: " · ")
        return text.isEmpty ? nil : VisibleText.visible(text)
    }

    /// `rate limit, waiting 800 ms`, from a `search/source` notification with the status `queued`.
    package static func reasonText(_ params: JSONCursor) -> String {
        let wait = params[.wait]?.double.map { " \(FigureText.time(milliseconds: $0))" } ?? ""
        let reason =
            switch params[.reason]?.word(WaitReason.self) {
            case .rateLimit: "rate limit, "
            case .retryAfter: "told to back off, "
            case .concurrency: "too many calls at once, "
            case .fairness: "other programs come first, "
            case nil: params[.reason]?.string.map { "\($0), " } ?? ""
            }
        return "\(reason)waiting\(wait)"
    }
}
