import JSON
import RPC
import SearchModel

/// A client of `server/stats`, and what it is doing, in words; pure, and safe on a terminal.
struct ClientEntry {
    /// Who it is: the program as it announced itself or as the system knows it, its process, its user.
    let name: String
    let text: String
    let isWorking: Bool

    init(_ client: JSONCursor) {
        let process = client[.pid]?.int.map(String.init) ?? "?"
        let who = client[.program]?.string.map { "\($0), process \(process)" } ?? "process \(process)"
        name = VisibleText.visible(client[.uid]?.int.map { "\(who), user \($0)" } ?? who)
        let doing = (client[.doing]?.elements ?? []).map(Self.work)
        isWorking = !doing.isEmpty
        var parts = [doing.isEmpty ? "idle" : doing.joined(separator: ", ")]
        for (member, noun, least) in [
            (Member.connections, "connection", 2), (.streams, "stream", 1), (.channels, "channel", 1),
        ] {
            guard let count = client[member]?.int, count >= least else { continue }
            parts.append(FigureText.count(count, noun))
        }
        text = VisibleText.visible(parts.joined(separator: "; "))
    }

    static func all(in stats: JSONCursor) -> [ClientEntry] { (stats[.clients]?.elements ?? []).map(ClientEntry.init) }

    /// `search for 812 ms`, `3 search for 2.5 s`.
    private static func work(_ work: JSONCursor) -> String {
        let count = work[.count]?.int ?? 1
        let method = work[.method]?.string ?? "?"
        let age = work[.age]?.double.map { " for \(FigureText.time(milliseconds: $0))" } ?? ""
        return (count > 1 ? "\(FigureText.grouped(count)) " : "") + method + age
    }
}

/// Calls of one source that failed alike, from `server/stats`; pure, and safe on a terminal.
struct ErrorEntry: Equatable {
    let source: String
    let kind: String
    let count: Int
    /// When the last one was, in seconds since 1970; nil when it is not known.
    let last: Int64?
    /// How long ago that was.
    let age: String

    /// - Parameters:
    ///   - entry: An entry of `errors`.
    ///   - now: Seconds since 1970.
    init(_ entry: JSONCursor, now: Int64) {
        source = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = VisibleText.visible(entry[.kind]?.string ?? "?")
        count = entry[.count]?.int ?? 1
        last = entry[.last]?.string.flatMap(RFC3339.epochSeconds)
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
    var what: String { Self.what(kind, count) }

    /// The newest first, those of an account that failed alike on one line: how long ago, and whose calls failed how.
    static func lines(_ errors: [ErrorEntry], among sources: [SourceEntry]) -> [(name: String, text: String)] {
        var groups: [(key: [String], errors: [ErrorEntry])] = []
        for error in errors {
            let account = sources.first { $0.name == error.source }?.account ?? error.source
            let key = [account, error.kind]
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].errors.append(error)
            } else {
                groups.append((key, [error]))
            }
        }
        return groups.map { key, errors in
            let names = Set(errors.map(\.source))
            let entries = sources.filter { names.contains($0.name) }
            let who = entries.isEmpty ? errors[0].source : SourceTrouble.name(of: entries, among: sources)
            let newest = errors.max { $0.last ?? 0 < $1.last ?? 0 } ?? errors[0]
            return (newest.age, "\(who): \(what(key[1], errors.reduce(0) { $0 + $1.count }))")
        }
    }

    private static func what(_ kind: String, _ count: Int) -> String {
        count > 1 ? "\(kind) ×\(FigureText.grouped(count))" : kind
    }
}

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
        all(in: sources, clock: .system)
    }

    static func all(in sources: [JSONCursor], clock: LocalClock) -> [QuotaEntry] {
        var seen: Set<String> = []
        var entries: [QuotaEntry] = []
        for source in sources where source[.enabled]?.bool == true {
            let account = source[.account]?.string ?? ""
            for quota in source[.quota]?.elements ?? [] {
                let text = QuotaText(quota, clock: clock)
                let isPrefixed = text.name.utf8.starts(with: account.utf8)
                let name = isPrefixed ? text.name : VisibleText.visible("\(account) \(text.name)")
                guard seen.insert(name).inserted else { continue }
                entries.append(QuotaEntry(name: name, text: text.text, limit: text.limit, left: text.left))
            }
        }
        return entries
    }
}
