import JSON
import RPC
import SearchModel

/// The figures of the cache for people; pure.
enum CacheText {
    /// One row for the pages in memory and one for those on disk, where there are any.
    static func rows(_ cache: JSONCursor) -> [(name: String, text: String)] {
        let tiers: [(name: String, figures: JSONCursor?)] = [("memory", cache), ("disk", cache[.disk])]
        return tiers.compactMap { tier in
            tier.figures.flatMap(line).map { (tier.name, $0) }
        }
    }

    /// `1,234 pages, 5.4 MiB of 64 MiB, 93 % of lookups were hits`; nil for what has no pages.
    static func line(_ tier: JSONCursor) -> String? {
        guard let entries = tier[.entries]?.int else { return nil }
        var parts = [FigureText.count(entries, "page")]
        if let bytes = tier[.bytes]?.int {
            parts.append(FigureText.bytes(bytes) + (tier[.limit]?.int.map { " of \(FigureText.bytes($0))" } ?? ""))
        }
        let hits = tier[.hits]?.int ?? 0
        let lookups = hits + (tier[.stale]?.int ?? 0) + (tier[.misses]?.int ?? 0)
        if lookups > 0 { parts.append("\(FigureText.percent(hits, of: lookups)) of lookups were hits") }
        for (member, words) in [(Member.evictions, "evicted"), (.dropped, "not written")] {
            if let count = tier[member]?.int, count > 0 { parts.append("\(FigureText.grouped(count)) \(words)") }
        }
        return parts.joined(separator: ", ")
    }
}
