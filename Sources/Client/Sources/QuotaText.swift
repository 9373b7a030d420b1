import JSON
import RPC
import SearchModel

/// What is left of one quota; pure, and safe on a terminal.
struct QuotaText {
    let name: String
    /// `600 of 1,000 left; resets in 8 h`.
    let text: String
    let limit: Int
    let left: Int
    /// Seconds since 1970; nil when it is not known.
    let resetsAt: Int64?

    init(_ quota: JSONCursor, clock: LocalClock) {
        name = VisibleText.visible(quota[.name]?.string ?? "?")
        limit = quota[.limit]?.int ?? 0
        left = quota[.left]?.int ?? limit
        resetsAt = quota[.resetsAt]?.string.flatMap(RFC3339.epochSeconds)
        var text = quota[.limit] == nil ? name : FigureText.grouped(limit)
        if quota[.left]?.int != nil { text = "\(FigureText.grouped(left)) of \(text) left" }
        if let resetsAt {
            text += "; resets in \(clock.distance(to: resetsAt))"
        }
        if left > 0, let end = quota[.forecast]?.string.flatMap(RFC3339.epochSeconds) {
            text += "; used up in \(clock.distance(to: end)) at this pace"
        }
        self.text = text
        isUsedUp = (quota[.left]?.int ?? 1) <= 0
    }

    let isUsedUp: Bool
}
