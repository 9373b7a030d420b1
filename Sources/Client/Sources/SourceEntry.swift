package import JSON
package import RPC
import SearchModel

/// A source of `source/list` in the words of a table; pure, and safe on a terminal.
///
/// What a newer or older daemon does not say is left out.
package struct SourceEntry {
    package let name: String
    let kind: String
    let title: String
    let account: String
    /// How it is doing, in a clause: `ok`, `off: no key`, `suspended after 5 × HTTP 503; next try in 40 s`.
    package let state: String
    let limits: String
    let quotas: [QuotaText]
    let attribution: String
    /// `ok` when the daemon does not tell; nil for a word of a newer daemon.
    package let health: HealthState?
    /// Why its calls fail.
    let failure: SourceFailure?
    package let isEnabled: Bool
    let isFailing: Bool
    /// Whether nothing is left of a quota.
    let isUsedUp: Bool
    /// Whether its file is wrong.
    let isWrong: Bool
    /// Off for want of a key.
    let lacksKey: Bool

    /// The entry as it is now, in the user's time zone.
    package init(_ entry: JSONCursor) {
        self.init(entry, clock: .system)
    }

    init(_ entry: JSONCursor, clock: LocalClock) {
        name = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = VisibleText.visible(entry[.kind]?.string ?? "")
        title = VisibleText.visible(entry[.title]?.string ?? "")
        account = VisibleText.visible(entry[.account]?.string ?? "")
        isEnabled = entry[.enabled]?.bool ?? false
        let condition = entry[.health]?.string ?? HealthState.ok.rawValue
        health = HealthState(exactly: condition)
        failure = SourceFailure(entry[.failure])
        quotas = (entry[.quota]?.elements ?? []).map { QuotaText($0, clock: clock) }
        isUsedUp = isEnabled && quotas.contains(where: \.isUsedUp)
        isWrong = !isEnabled && entry[.reason]?.word() == DisabledReason.invalid
        lacksKey = !isEnabled && entry[.reason]?.word() == DisabledReason.notConfigured
        isFailing = isEnabled && health != .ok
        limits = Self.limits(entry[.limits])
        attribution = VisibleText.visible(entry[.attribution]?.string ?? "")
        let since = entry[.since]?.string.flatMap(RFC3339.epochSeconds).map { " since \(clock.time($0))" } ?? ""
        if !isEnabled {
            state = "off: \(VisibleText.visible(Self.reason(entry[.reason])))"
        } else if let end = quotas.filter(\.isUsedUp).max(by: { $0.resetsAt ?? 0 < $1.resetsAt ?? 0 }) {
            state = "quota used up\(end.resetsAt.map { " until \(clock.time($0))" } ?? "")"
        } else {
            state =
                switch health {
                case .ok: "ok"
                case .waiting: "waiting for its rate limit"
                case .failing: Self.failing(failure, since: since)
                case .open: Self.suspended(failure)
                case nil: VisibleText.visible(condition)
                }
        }
    }

    /// The name without that of the account, which stands in front of most.
    var nameInAccount: String {
        let prefix = account + "."
        guard name.utf8.starts(with: prefix.utf8) else { return name }
        return String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
    }

    private static func failing(_ failure: SourceFailure?, since: String) -> String {
        guard let failure else { return "failing\(since)" }
        return failure.isOffline ? "offline" : "failing\(since): \(failure.count)"
    }

    static func suspended(_ failure: SourceFailure?) -> String {
        guard let failure else { return "suspended after repeated failures" }
        if failure.isOffline { return "offline" }
        return "suspended after \(failure.count)\(nextTry(inMilliseconds: failure.retryMilliseconds))"
    }

    /// When a suspended source is tried again: what has waited long enough is tried by the next search.
    static func nextTry(inMilliseconds milliseconds: Int?) -> String {
        let time = milliseconds.map { "in \(LocalClock.rounded(milliseconds: $0))" }
        return "; next try \(time ?? "with the next search")"
    }

    private static func reason(_ reason: JSONCursor?) -> String {
        switch reason?.word(DisabledReason.self) {
        case .notConfigured: "no key"
        case .disabled: "disabled"
        case .invalid: "its file is wrong"
        case nil: reason?.string ?? "for an unknown reason"
        }
    }

    private static func limits(_ limits: JSONCursor?) -> String {
        let parts = [
            limits?[.perSecond]?.double.map(rate),
            limits?[.perDay]?.int.map { "\(FigureText.grouped($0))/day" },
            limits?[.concurrency]?.int.map { "\(FigureText.grouped($0)) at once" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// `10/s`, and `20/min` where it is less than one a second.
    private static func rate(perSecond: Double) -> String {
        guard perSecond < 1 else { return "\(number(perSecond))/s" }
        return "\(number((perSecond * 60).rounded()))/min"
    }

    private static func number(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
