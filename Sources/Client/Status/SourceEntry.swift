package import JSON
package import RPC
import SearchModel

/// A source in the result of `source/list`.
///
/// Its texts have no control characters.
package struct SourceEntry {
    let json: JSONCursor
    package let name: String
    package let kind: String
    package let title: String
    let account: String
    package let state: String
    let limits: String
    let quotas: [QuotaEntry]
    package let health: HealthState?
    let failure: SourceFailure?
    package let isEnabled: Bool
    package let offReason: DisabledReason?

    package init(_ entry: JSONCursor, clock: LocalClock = .system) {
        json = entry
        name = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = VisibleText.visible(entry[.kind]?.string ?? "")
        title = VisibleText.visible(entry[.title]?.string ?? "")
        account = VisibleText.visible(entry[.account]?.string ?? "")
        isEnabled = entry[.enabled]?.bool ?? false
        offReason = isEnabled ? nil : entry[.reason]?.word()
        let condition = entry[.health]?.string ?? HealthState.ok.rawValue
        health = HealthState(exactly: condition)
        failure = SourceFailure(entry[.failure])
        quotas = (entry[.quota]?.elements ?? []).map { [account] in QuotaEntry($0, of: account, clock: clock) }
        limits = Self.limits(entry[.limits])
        let usedUp = quotas.filter(\.isUsedUp).max { $0.resetsAt ?? 0 < $1.resetsAt ?? 0 }
        if !isEnabled {
            state = "off: \(Self.reason(entry, account))"
        } else if let stopped = entry[.stopped]?.string {
            state = VisibleText.visible(stopped)
        } else if let usedUp {
            state = "quota used up\(usedUp.resetsAt.map { " until \(clock.time($0))" } ?? "")"
        } else {
            let since = entry[.since]?.string.flatMap(RFC3339.epochSeconds).map { " since \(clock.time($0))" } ?? ""
            state = Self.state(health, failure, since: since) ?? VisibleText.visible(condition)
        }
    }

    var needsAddress: Bool { offReason == .notConfigured && json[.keyNeeded]?.bool == false }
    var isOwn: Bool { json[.local]?.bool == true }
    var isPaid: Bool { quotas.contains { $0.json[.unit] != nil } }
    /// Why tests skip the source, unless the user names its account.
    var whySpared: String? { isPaid ? "calls cost money" : quotas.contains(where: \.isSmall) ? "small quota" : nil }
    package var isUsedUp: Bool { isEnabled && quotas.contains(where: \.isUsedUp) }
    var isFailing: Bool { isEnabled && health != .ok }
    package var isTroubled: Bool {
        isEnabled && (health == .failing || health == .suspended || quotas.contains { $0.isUsedUp && !$0.endsSoon })
    }
    package var isWaiting: Bool { isEnabled && !isTroubled && (isUsedUp || health == .waiting) }

    var nameInAccount: String {
        let prefix = account + "."
        return name.utf8.starts(with: prefix.utf8) ? String(Substring(name.utf8.dropFirst(prefix.utf8.count))) : name
    }

    private static func state(_ health: HealthState?, _ failure: SourceFailure?, since: String) -> String? {
        switch health {
        case .ok: "ok"
        case .waiting: "waiting for its rate limit"
        case .failing: "failing\(since)" + (failure.map { ": \($0.count)\($0.nextTry)" } ?? "")
        case .suspended:
            failure.map { "suspended after \($0.count)\($0.nextTry)" } ?? "suspended after repeated failures"
        case nil: nil
        }
    }

    private static func reason(_ entry: JSONCursor, _ account: String) -> String {
        switch entry[.reason]?.word(DisabledReason.self) {
        case .notConfigured where entry[.keyNeeded]?.bool == false:
            "needs the address of your server: set accounts.\(account).baseURL"
        case .notConfigured: "no key"
        case .disabled: "disabled"
        case .invalid: "its file is wrong"
        case nil: VisibleText.visible(entry[.reason]?.string ?? "for an unknown reason")
        }
    }

    private static func limits(_ limits: JSONCursor?) -> String {
        let parts = [
            limits?[.perSecond]?.double.map { $0 < 1 ? "\(number(($0 * 60).rounded()))/min" : "\(number($0))/s" },
            limits?[.perDay]?.int.map { "\(NumberText.grouped($0))/day" },
            limits?[.concurrency]?.int.map { "\(NumberText.grouped($0)) at once" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func number(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

package struct SourceFailure {
    let failures: Int
    let isOfKey: Bool
    package let what: String
    package let message: String
    private let retryMilliseconds: Int?

    package init?(_ failure: JSONCursor?) {
        guard let failure, failure.kind == .object else { return nil }
        failures = max(1, failure[.failures]?.int ?? 1)
        message = VisibleText.visible(failure[.message]?.string ?? "")
        retryMilliseconds = failure[.retryAfter]?.int
        let (kind, status) = (failure[.kind]?.string, failure[.status]?.int ?? 0)
        isOfKey = kind == SearchError.Kind.unauthorized.rawValue
        what = status >= 400 && !isOfKey ? "HTTP \(status)" : Self.words(kind ?? "error")
    }

    package var count: String { failures > 1 ? "\(NumberText.grouped(failures)) × \(what)" : what }

    var nextTry: String {
        let time = retryMilliseconds.map { "in \(NumberText.age(seconds: max(1, Double($0) / 1000).rounded()))" }
        return "; next try \(time ?? "with the next search")"
    }

    static let noConnection = "no connection"

    package static func words(_ kind: String) -> String {
        switch SearchError.Kind(rawValue: kind) {
        case .unauthorized: "key refused"
        case .unavailable: noConnection
        case .badResponse: "unreadable answer"
        case .rateLimited: "rate limit reached"
        case .quotaExhausted: "quota used up"
        case .overloaded: "too many calls"
        default: VisibleText.visible(kind)
        }
    }
}

package struct QuotaEntry {
    let json: JSONCursor
    package let name: String
    package let label: String
    /// Such as `600 of 1,000 left; resets in 8 h`.
    package let text: String
    /// In seconds since 1970.
    let resetsAt: Int64?
    package let isUsedUp: Bool
    let endsSoon: Bool
    let isSmall: Bool
    /// True if the file with the counts was damaged.
    let isEstimated: Bool
    package let usedShare: Double
    private let hasForecast: Bool

    private static let shortShare = 0.9
    private static let soonSeconds: Int64 = 3600
    private static let smallLimit = 1000.0

    package init(_ quota: JSONCursor, of account: String, clock: LocalClock) {
        json = quota
        name = VisibleText.visible(quota[.name]?.string ?? "?")
        label = name.utf8.starts(with: account.utf8) ? name : "\(account) \(name)"
        let unit = quota[.unit]?.string.map { " \(VisibleText.visible($0))" } ?? ""
        let (limit, left) = (quota[.limit]?.double, quota[.left]?.double)
        resetsAt = quota[.resetsAt]?.string.flatMap(RFC3339.epochSeconds)
        isUsedUp = (left ?? 1) < quota[.cost]?.double ?? 1
        endsSoon = resetsAt.map { $0 < clock.now + Self.soonSeconds } ?? false
        isSmall = !endsSoon && limit.map { $0 <= Self.smallLimit } ?? false
        isEstimated = quota[.estimated]?.bool == true
        usedShare = limit.map { $0 > 0 ? min(1, max(0, ($0 - (left ?? $0)) / $0)) : 1 } ?? (isUsedUp ? 1 : 0)
        var text = quota[.limit].map { Self.amount($0) + unit } ?? name
        if let rest = quota[.left], rest.double != nil { text = "\(Self.amount(rest)) of \(text) left" }
        if !unit.isEmpty, let used = quota[.used] { text += ", \(Self.amount(used)) spent" }
        if let resetsAt {
            text += isUsedUp ? "; used up until \(clock.time(resetsAt))" : "; resets in \(clock.distance(to: resetsAt))"
        }
        let end = isUsedUp ? nil : quota[.forecast]?.string.flatMap(RFC3339.epochSeconds)
        if let end { text += "; used up by \(clock.day(end)) at this rate" }
        hasForecast = end != nil
        self.text = text
    }

    var isShort: Bool { usedShare >= Self.shortShare || hasForecast || isEstimated }

    private static func amount(_ amount: JSONCursor) -> String {
        amount.int.map(NumberText.grouped) ?? VisibleText.visible(String(decoding: amount.text, as: UTF8.self))
    }
}
