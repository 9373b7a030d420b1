import JSON
import RPC
import SearchModel

/// A source of `source/list` in the words of a table; pure, and safe on a terminal.
///
/// What a newer or older daemon does not say is left out.
struct SourceEntry {
    let name: String
    let kind: String
    let state: String
    let limits: String
    /// One for each quota.
    let quotas: [String]
    let attribution: String
    let account: String
    /// `ok` when the daemon does not tell; nil for a word of a newer daemon.
    let health: HealthState?
    let isEnabled: Bool
    let isFailing: Bool
    /// Whether nothing is left of a quota.
    let isUsedUp: Bool
    /// Whether its file is wrong.
    let isWrong: Bool

    init(_ entry: JSONCursor) {
        name = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = VisibleText.visible(entry[.kind]?.string ?? "")
        isEnabled = entry[.enabled]?.bool ?? false
        let condition = entry[.health]?.string ?? HealthState.ok.rawValue
        health = HealthState(exactly: condition)
        account = VisibleText.visible(entry[.account]?.string ?? "")
        isUsedUp = isEnabled && (entry[.quota]?.elements ?? []).contains { ($0[.left]?.int ?? 1) <= 0 }
        isWrong = !isEnabled && entry[.reason]?.word() == DisabledReason.invalid
        isFailing = isEnabled && health != .ok
        let since = entry[.since]?.string.map { " since \(Self.time($0))" } ?? ""
        state = VisibleText.visible(isEnabled ? condition + since : "off: \(Self.reason(entry[.reason]))")
        limits = Self.limits(entry[.limits])
        quotas = (entry[.quota]?.elements ?? []).map(Self.quota)
        attribution = VisibleText.visible(entry[.attribution]?.string ?? "")
    }

    /// What is wrong with it, in a clause.
    var trouble: String {
        guard isUsedUp else { return state }
        return (["quota used up"] + quotas).joined(separator: ", ")
    }

    private static func reason(_ reason: JSONCursor?) -> String {
        switch reason?.word(DisabledReason.self) {
        case .notConfigured: "no key"
        case .disabled: "switched off"
        case .invalid: "its file is wrong"
        case nil: reason?.string ?? "not known why"
        }
    }

    private static func limits(_ limits: JSONCursor?) -> String {
        let parts = [
            limits?[.perSecond]?.double.map { "\(number($0))/s" },
            limits?[.perDay]?.int.map { "\(FigureText.grouped($0))/day" },
            limits?[.concurrency]?.int.map { "\(FigureText.grouped($0)) at once" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    static func quota(_ quota: JSONCursor) -> String {
        var text = quota[.limit]?.int.map(FigureText.grouped) ?? quota[.name]?.string ?? "?"
        if let left = quota[.left]?.int { text = "\(FigureText.grouped(left)) of \(text) left" }
        if let resetsAt = quota[.resetsAt]?.string { text += " until \(time(resetsAt))" }
        if quota[.left]?.int != 0, let forecast = quota[.forecast]?.string {
            text += " (at this pace used up \(time(forecast)))"
        }
        return VisibleText.visible(text)
    }

    /// `2026-11-22 01:00+09:00` of RFC 3339: no daemon begins anything in the middle of a minute.
    static func time(_ text: String) -> String {
        let characters = Array(text)
        guard characters.count >= 20, characters[10] == "T", characters[16] == ":" else { return text }
        return String(characters[..<10]) + " " + String(characters[11..<16]) + String(characters[19...])
    }

    private static func number(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
