import JSON
import RPC
import SearchModel

/// Sources of an account that are in trouble for the same cause, told as one; pure, and safe on a terminal.
struct SourceTrouble {
    /// Whom it concerns: a source, or `naver (8 sources)`.
    let name: String
    /// What is wrong, in a clause.
    let text: String

    /// More are counted and not named.
    private static let namesMax = 3

    /// One entry for each cause, in the order of the sources; what is offline is told once for all accounts.
    ///
    /// - Parameters:
    ///   - troubled: The sources in trouble.
    ///   - sources: All of them, to tell whether the whole account is concerned.
    /// - Returns: What to tell.
    static func grouped(_ troubled: [SourceEntry], among sources: [SourceEntry]) -> [SourceTrouble] {
        var groups: [(key: [String], entries: [SourceEntry])] = []
        for entry in troubled {
            let key = key(of: entry)
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].entries.append(entry)
            } else {
                groups.append((key, [entry]))
            }
        }
        return groups.map { key, entries in
            if key == offline { return SourceTrouble(name: FigureText.count(entries.count, "source"), text: "offline") }
            return SourceTrouble(name: name(of: entries, among: sources), text: text(of: entries))
        }
    }

    /// Whom some sources of one account are: one or few by name, more by their number.
    static func name(of entries: [SourceEntry], among sources: [SourceEntry]) -> String {
        guard let first = entries.first, entries.count > 1 else { return entries.first?.name ?? "" }
        let all = sources.count { $0.account == first.account && $0.isEnabled == first.isEnabled }
        if entries.count == all { return "\(first.account) (\(all) sources)" }
        if entries.count <= namesMax { return entries.map(\.name).joined(separator: ", ") }
        return "\(first.account) (\(entries.count) of \(all) sources)"
    }

    private static let offline = ["offline"]

    /// What sources must have in common to be one cause: how long it lasts and how often it failed need not agree.
    private static func key(of entry: SourceEntry) -> [String] {
        guard !entry.isUsedUp, entry.isEnabled, let failure = entry.failure else {
            return [entry.account, entry.state]
        }
        return failure.isOffline ? offline : [entry.account, entry.health?.rawValue ?? "", failure.what]
    }

    private static func text(of entries: [SourceEntry]) -> String {
        let states = Set(entries.map(\.state))
        let failures = entries.compactMap(\.failure)
        guard states.count > 1, let most = failures.max(by: { $0.failures < $1.failures }) else {
            return entries.first?.state ?? ""
        }
        guard entries.first?.health == .open else { return "failing: up to \(most.count)" }
        let retry = failures.compactMap(\.retryMilliseconds).min()
        return "suspended after up to \(most.count)\(SourceEntry.nextTry(inMilliseconds: retry))"
    }
}

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
