import JSON
package import RPC
import SearchModel

/// Formats the summary of a search.
package struct SummaryText {
    package let report: SearchReport
    package let found: Int
    package var filter = ""
    package var isCut = false
    /// Whether the hits before `--until` come after the newest hits, which were examined.
    var mayBeOlder = false
    var isOffline = false
    var isPrivate = false
    var nextPage: Int?
    package var page = 1
    /// The number of hits on earlier pages.
    var before = 0
    /// The number of hits on all pages.
    ///
    /// It is printed if this page has no hits.
    var total: HitTotal?

    package func lines(columns: Int? = nil) -> [String] {
        var lines: [String] = []
        for part in parts.map(VisibleText.visible) {
            let longer = lines.last.map { "\($0) · \(part)" } ?? part
            if let columns, !lines.isEmpty, Layout.width(longer) > columns {
                lines.append(part)
            } else {
                lines = lines.dropLast() + [longer]
            }
        }
        return lines
    }

    private var parts: [String] {
        [
            count,
            cache,
            report.elapsed.map(NumberText.time(milliseconds:)),
            found > 0 ? Self.sorted(report) : nil,
            report.undated > 0
                ? "\(NumberText.count(report.undated, "undated hit")) left out\(report.hasMore ? " so far" : "")" : nil,
            isCut && report.looked ?? 0 > 0 ? "examined the first \(lookedText); \(remedy)" : nil,
            found > 0 ? nextPage.map { "more: searchctl again --page \($0)" } : nil,
            found > 0 && isPrivate ? "private: “show” and “again” can't use these hits, so they have no numbers" : nil,
        ].compactMap(\.self)
    }

    private var nothing: String {
        if page > 1, report.kept > 0 {
            return "nothing on page \(page): \(NumberText.count(report.kept, "hit")) in all for \(filter)"
        }
        if let looked = report.looked, looked > 0 { return "\(filter) left out all of \(lookedText)" }
        if page > 1 {
            let all = total.map { "\($0.text) \($0.count == 1 ? "hit" : "hits") in all" }
            return "nothing on page \(page): \(all ?? "the list is shorter")"
        }
        if isOffline { return "nothing cached for this query" }
        return report.isUnasked ? "not searched" : "nothing found"
    }

    private var remedy: String {
        mayBeOlder ? "for older ones, use --sort relevance or --all" : "--all examines all"
    }

    private var lookedText: String { NumberText.count(report.looked ?? 0, "hit") }

    static func completed(_ report: SearchReport, typed: String) -> String? {
        report.completedQuery.map {
            VisibleText.visible("Showing hits for “\($0)”, because the last syllable of “\(typed)” is incomplete.")
        }
    }

    package static func late(_ report: SearchReport) -> String? {
        let names = report.sources.filter { $0.status == .late }.map(\.name)
        let time = report.elapsed.map { " (\(NumberText.time(milliseconds: $0)))" } ?? ""
        return names.isEmpty
            ? nil
            : VisibleText.visible(
                "slow, not waited for\(time): \(NumberText.names(names)); “searchctl again” waits for them"
            )
    }

    /// Names the sources that have more hits than a client can reach.
    static func unreachable(_ report: SearchReport) -> String? {
        let parts = report.sources.compactMap { source -> String? in
            guard let reachable = source.reachable, let total = HitTotal([source]), reachable < total.count else {
                return nil
            }
            return "\(source.name) gives only the first \(NumberText.grouped(reachable)) of \(total.text)"
        }
        return parts.isEmpty ? nil : VisibleText.visible(parts.joined(separator: "; "))
    }

    /// If `onlyForNow` is true, omits sources that were skipped because the query is too short.
    package static func skipped(
        _ sources: [SearchReport.Source],
        onlyForNow: Bool = false,
        isShort: Bool = false
    ) -> String? {
        let skipped = sources.compactMap { source -> (name: String, words: String)? in
            guard source.status == .skipped, let reason = source.reason, !onlyForNow || reason != .tooShort else {
                return nil
            }
            let wait = source.retryMilliseconds.map { ", \(NumberText.time(milliseconds: Double($0)))" } ?? ""
            return (source.name, shortWords(reason) + wait + (reason == .unfinished ? "; complete it to search" : ""))
        }
        guard !skipped.isEmpty else { return nil }
        let parts = skipped.grouped(by: \.words).map { words, sources in
            let names = sources.map(\.name)
            let isCounted = isShort && names.count > 1
            return "\(isCounted ? NumberText.count(names.count, "source") : NumberText.names(names)) (\(words))"
        }
        return VisibleText.visible("not asked: \(parts.joined(separator: ", "))")
    }

    package static func shortWords(_ reason: SkipReason) -> String {
        let words = [
            "unfinished": "the last syllable is incomplete", "tooShort": "the query is too short",
            "suspended": "suspended", "quotaExhausted": "quota used up", "rateLimit": "rate limit",
            "maxCalls": "no more calls allowed", "typing": "not while typing", "notConfigured": "not set up",
        ]
        return words[reason.rawValue] ?? reason.rawValue
    }

    private var count: String {
        guard found > 0 else { return nothing }
        let counted = NumberText.count(found, "hit")
        guard report.looked == nil else {
            return report.hasMore || report.kept <= found ? counted : "\(counted) of \(NumberText.grouped(report.kept))"
        }
        // Sources often only estimate their totals. At the end of the list, the number of found hits is exact.
        guard report.hasMore, let total = report.total, total.count > before + found else { return counted }
        let lacksSome =
            !report.leftOut.isEmpty
            || report.sources.contains { $0.trouble != nil || $0.status == .ok && $0.total == nil }
        return "\(counted) of \(lacksSome ? "more than \(NumberText.grouped(total.count))" : total.text)"
    }

    package static func sorted(_ report: SearchReport) -> String? {
        let sources = report.sources.filter { $0.sorted != nil && $0.total != nil }
        let sum = sources.compactMap(\.sorted).reduce(0, +)
        guard let total = HitTotal(sources), sum < total.count else { return nil }
        let names = sources.count < report.sources.count ? " of \(NumberText.names(sources.map(\.name)))" : ""
        return "sorted the first \(NumberText.grouped(sum)) of \(total.text)\(names)"
    }

    private var cache: String? {
        let states = report.sources.filter { $0.cache != nil }
        let cached = states.filter { $0.cache?.isCached == true }
        if cached.isEmpty || isOffline && found == 0 { return nil }
        let oldest = cached.filter { $0.count != 0 }.compactMap(\.age).max() ?? 0
        let age = oldest < 1 ? "" : " \(NumberText.age(seconds: oldest)) ago"
        let stale = cached.contains { $0.cache == .stale } ? ", being refreshed" : ""
        if cached.count < states.count { return "\(cached.count) of \(states.count) sources cached\(age)\(stale)" }
        return "cached\(age)\(stale)"
    }
}
