import JSON
import RPC
import SearchModel

/// The last line of a search for people: how many, of how many, from where, how fast, without whom; pure.
enum SummaryText {
    static func line(_ report: SearchReport, found: Int, nextPage: Int?) -> String {
        let failed = report.sources.filter { !$0.isFine }.map(\.name)
        let parts = [
            count(report, found: found),
            cache(report),
            report.elapsed.map(FigureText.time(milliseconds:)),
            failed.isEmpty ? nil : "without \(FigureText.names(failed))",
            report.hasMore && found > 0 ? nextPage.map { "more with --page \($0)" } : nil,
        ]
        return VisibleText.visible(parts.compactMap(\.self).joined(separator: " · "))
    }

    private static func count(_ report: SearchReport, found: Int) -> String {
        guard found > 0 else { return "nothing found" }
        let counted = FigureText.count(found, "hit")
        let totals = report.sources.compactMap(\.total)
        let total = totals.reduce(0) { sum, next in
            let (result, overflow) = sum.addingReportingOverflow(next)
            return overflow ? .max : result
        }
        guard total > found else { return counted }
        // Several sources may have the same things.
        let isExact = totals.count == 1 && report.sources.count == 1 && report.sources[0].totalIsEstimate == false
        return "\(counted) of \(isExact ? "" : "about ")\(FigureText.grouped(total))"
    }

    private static func cache(_ report: SearchReport) -> String? {
        let states = report.sources.filter { $0.cache != nil }
        guard !states.isEmpty else { return nil }
        let cached = states.filter { $0.cache?.isCached == true }
        if cached.isEmpty { return nil }
        let oldest = cached.compactMap(\.age).max() ?? 0
        let age = oldest < 1 ? "" : " (\(FigureText.time(milliseconds: oldest * 1000)) old)"
        let stale = cached.contains { $0.cache == .stale } ? ", out of date" : ""
        if cached.count < states.count { return "\(cached.count) of \(states.count) sources cached\(stale)\(age)" }
        return "cached\(stale)\(age)"
    }
}

/// One step of how an answer came about, from the `trace` of `--explain`; pure.
enum TraceText {
    static func line(_ step: JSONCursor) -> String {
        let at = step[.at]?.double.map(FigureText.time(milliseconds:)) ?? ""
        var words = [step[.source]?.string, step[.event]?.string].compactMap(\.self)
        for member in step.members where ![Member.at, .source, .event].map(\.description).contains(member.name) {
            let value = member.value.string ?? String(decoding: member.value.text, as: UTF8.self)
            words.append("\(member.name)=\(value)")
        }
        return VisibleText.visible(DisplayWidth.padded(at, 9, toRight: true) + "  " + words.joined(separator: " "))
    }
}
