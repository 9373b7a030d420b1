import JSON
import RPC
import SearchModel

/// Calls of one source that failed alike, from `server/stats`; pure, and safe on a terminal.
struct ErrorEntry: Equatable {
    let source: String
    let kind: String
    let count: Int
    /// How long ago the last one was.
    let age: String

    /// - Parameters:
    ///   - entry: An entry of `errors`.
    ///   - now: Seconds since 1970.
    init(_ entry: JSONCursor, now: Int64) {
        source = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = VisibleText.visible(entry[.kind]?.string ?? "?")
        count = entry[.count]?.int ?? 1
        let last = entry[.last]?.string.flatMap(RFC3339.epochSeconds)
        age =
            switch last.map({ now - $0 }) {
            case nil: ""
            case let seconds? where seconds < 1: "now"
            case let seconds?: FigureText.time(milliseconds: Double(seconds) * 1000) + " ago"
            }
    }

    /// The newest first.
    static func all(in stats: JSONCursor, now: Int64) -> [ErrorEntry] {
        (stats[.errors]?.elements ?? []).map { ErrorEntry($0, now: now) }
    }

    /// `timeout ×3`.
    var what: String { count > 1 ? "\(kind) ×\(FigureText.grouped(count))" : kind }
}
