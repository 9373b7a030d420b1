import JSON
import RPC
import SearchModel

/// One quota, which the sources of an account may share; pure, and safe on a terminal.
struct QuotaEntry {
    /// The account's name, and the quota's unless it begins with that.
    let name: String
    let text: String
    let limit: Int
    let left: Int

    /// What is used, from 0 to 1.
    var usedShare: Double {
        limit > 0 ? min(1, max(0, Double(limit - left) / Double(limit))) : 1
    }

    /// Each quota once, in the order of the sources that it holds for.
    static func all(in sources: [JSONCursor]) -> [QuotaEntry] {
        var seen: Set<String> = []
        var entries: [QuotaEntry] = []
        for source in sources where source[.enabled]?.bool == true {
            let account = source[.account]?.string ?? ""
            for quota in source[.quota]?.elements ?? [] {
                let own = quota[.name]?.string ?? "?"
                let name = VisibleText.visible(own.hasPrefix(account) ? own : "\(account) \(own)")
                guard seen.insert(name).inserted else { continue }
                let limit = quota[.limit]?.int ?? 0
                entries.append(
                    QuotaEntry(
                        name: name,
                        text: SourceEntry.quota(quota),
                        limit: limit,
                        left: quota[.left]?.int ?? limit
                    )
                )
            }
        }
        return entries
    }
}
