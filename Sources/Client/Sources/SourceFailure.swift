import JSON
import RPC
import SearchModel

/// Why a source is failing or suspended, as `source/list` reports it; pure, and safe on a terminal.
struct SourceFailure {
    /// What the daemon's errors say while the machine has no network.
    static let offlineMessage = "This machine is offline"

    /// How many calls in a row have failed.
    let failures: Int
    /// What the latest call came to, in a word or two: `HTTP 503`, `timeout`.
    let what: String
    let message: String
    /// Until it is called again; nil when it is not suspended, or that is not known.
    let retryMilliseconds: Int?
    let isOffline: Bool

    /// Nil when the daemon does not tell.
    init?(_ failure: JSONCursor?) {
        guard let failure, failure.kind == .object else { return nil }
        failures = max(1, failure[.failures]?.int ?? 1)
        message = VisibleText.visible(failure[.message]?.string ?? "")
        retryMilliseconds = failure[.retryAfter]?.int
        isOffline = failure[.offline]?.bool == true || Self.isOffline(message)
        what = VisibleText.visible(Self.what(failure[.kind]?.string, status: failure[.status]?.int))
    }

    /// Whether an error's message says that the machine has no network.
    static func isOffline(_ message: String) -> Bool {
        message.utf8.starts(with: offlineMessage.utf8)
    }

    /// How often it failed, and how: `5 × HTTP 503`.
    var count: String { failures > 1 ? "\(FigureText.grouped(failures)) × \(what)" : what }

    private static func what(_ kind: String?, status: Int?) -> String {
        let known = kind.map(SearchError.Kind.init(rawValue:))
        if known == .unauthorized { return "key refused" }
        if let status, status >= 400 { return "HTTP \(status)" }
        return switch known {
        case .timeout: "timeout"
        case .unavailable: "no connection"
        case .badResponse: "unreadable answer"
        case .rateLimited: "rate limit reached"
        case .quotaExhausted: "quota used up"
        default: kind ?? "error"
        }
    }
}
