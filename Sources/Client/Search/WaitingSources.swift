package import EventLoop
package import JSON
import RPC
import SearchModel

/// Which sources a search waits for, from its notifications; pure.
package struct WaitingSources {
    private var count: (answered: Int, asked: Int)?
    /// What the last of them said that told of waiting.
    private var waits: (source: String, text: String, end: Instant?)?

    /// No search takes as long; keeps what a daemon says within what an instant can tell.
    private static let waitSecondsMax = 86_400.0

    /// Takes a `search/progress` notification.
    package mutating func received(progress params: JSONCursor, at now: Instant) {
        forgetEndedWait(at: now)
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int else { return }
        count = (answered, asked)
    }

    /// Takes a `search/hits` notification: who answers waits no longer.
    package mutating func received(hits params: JSONCursor, at now: Instant) {
        forgetEndedWait(at: now)
        if waits?.source == params[.source]?.string { waits = nil }
    }

    /// Takes a `search/source` notification.
    package mutating func received(source params: JSONCursor, at now: Instant) {
        forgetEndedWait(at: now)
        guard let source = params[.source]?.string else { return }
        switch params[.status]?.word(SourceStatus.self) {
        case .queued:
            let milliseconds = params[.wait]?.double
            let text = "\(source): \(Self.reasonText(params))"
            waits = (source, text, milliseconds.map { Self.end(of: $0, from: now) })
        case .retrying:
            let attempt = params[.attempt]?.int.map { " (attempt \($0))" } ?? ""
            waits = (source, "\(source): retrying\(attempt)", nil)
        default:
            if waits?.source == source { waits = nil }
        }
    }

    /// One line on the sources that are waited for; nil when none is known.
    package var line: String? {
        // Of one source that says what it waits for there is nothing to count.
        let out = count.flatMap { $0.answered < $0.asked && ($0.asked > 1 || waits == nil) ? $0 : nil }
        let parts = [out.map { "\($0.answered) of \(FigureText.count($0.asked, "source"))" }, waits?.text]
        let text = parts.compactMap(\.self).joined(separator: " · ")
        return text.isEmpty ? nil : VisibleText.visible(text)
    }

    /// A source whose announced wait has passed has been called since, and no longer holds the search up.
    private mutating func forgetEndedWait(at now: Instant) {
        if let end = waits?.end, now >= end { waits = nil }
    }

    private static func end(of milliseconds: Double, from now: Instant) -> Instant {
        now.advanced(by: .seconds(min(max(milliseconds / 1000, 0), waitSecondsMax)))
    }

    /// `rate limit, waiting 800 ms`, of a `search/source` notification that says queued.
    package static func reasonText(_ params: JSONCursor) -> String {
        let wait = params[.wait]?.double.map { " \(FigureText.time(milliseconds: $0))" } ?? ""
        return "\(reason(params[.reason]))waiting\(wait)"
    }

    private static func reason(_ reason: JSONCursor?) -> String {
        switch reason?.word(WaitReason.self) {
        case .rateLimit: "rate limit, "
        case .retryAfter: "told to back off, "
        case .concurrency: "too many calls at once, "
        case .fairness: "other programs come first, "
        case nil: reason?.string.map { "\($0), " } ?? ""
        }
    }
}
