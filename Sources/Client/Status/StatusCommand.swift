import Glibc
import Hangul
import JSON
import RPC
import SearchModel

/// The command `searchctl status`, which shows the health of the daemon on one screen.
enum StatusCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        try Connector(context, starting: .own).withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, clock: context.clock)
            let report = StatusReport(
                snapshot: snapshot,
                savedCount: try exchange.savedCount(),
                owner: DaemonOwner.text(daemonUser: snapshot.userID, path: exchange.path, userID: geteuid()),
                layout: context.layout,
                style: context.style
            )
            let lines = report.lines(all: context.arguments.has(.allFigures))
            try context.report(json: [snapshot.json[...]], or: lines)
            return snapshot.health.status
        }
    }
}

extension CommandOption {
    static let allFigures = CommandOption("all", help: "show all quotas, recent errors and active clients")

    static let ofStatus = [allFigures] + ofReport
}

struct StatusReport {
    let snapshot: DaemonSnapshot
    let savedCount: Int?
    let owner: String
    let layout: Layout
    let style: Style

    private static let linesMax = 23
    private static let rowsMax = 8
    private static let rowsMaxOfAll = 20

    func lines(all: Bool) -> [String] {
        let toDo = section(
            "To do",
            (snapshot.configuration + snapshot.ledger + snapshot.fleet + snapshot.library).map(\.rows),
            all ? 20 : 3
        )
        let figures = layout.table(
            [("Sources", sources), ("Library", saved), ("Cache", cache), ("Fleet", snapshot.fleetText ?? "")].filter {
                !$0.1.isEmpty
            }
        )
        let quotas = snapshot.quotas.filter { all ? $0.usedShare > 0 : $0.isShort }.map { [($0.label, $0.text)] }
        let room = Self.linesMax - headline.count - toDo.count - figures.count
        let quotaLines = section("Quotas", quotas, all ? Self.rowsMaxOfAll : max(1, min(Self.rowsMax, room / 2 - 2)))
        let rows = all ? Self.rowsMaxOfAll : max(1, min(Self.rowsMax, room - quotaLines.count - 2))
        return headline + section("In trouble", (snapshot.troubles + snapshot.wrongFiles).map(\.rows), rows) + toDo
            + quotaLines
            + figures + (all ? rest : [])
    }

    private var headline: [String] {
        let health = snapshot.health
        let word = health.status == .found ? style.green(health.sentence) : style.red(health.sentence)
        return layout.lines("\(word) · \(owner) searchd \(snapshot.version), \(snapshot.uptimeText)", indent: 2)
    }

    private var sources: String {
        let services = snapshot.sources
        let missing = services.count { $0.offReason == .notConfigured && !$0.needsAddress }
        let keys = missing > 0 ? ", \(missing) without a key: see “searchctl keys”" : ""
        let addresses = services.filter(\.needsAddress).map { ", \($0.name) needs an address" }
        return "\(snapshot.enabled.count) of \(services.count) enabled\(keys)\(addresses.joined())"
    }

    private var saved: String {
        snapshot.library.isEmpty ? savedCount.map { "\(NumberText.count($0, "item")) saved" } ?? "" : ""
    }

    private var cache: String {
        guard let cache = snapshot.stats?[.cache], let memory = CacheText.line(cache) else { return "" }
        let pages = cache[.disk]?[.entries]?.int ?? 0
        return memory + (pages > 0 ? "; \(NumberText.count(pages, "page")) on disk" : "")
    }

    private var rest: [String] {
        snapshot.activity.flatMap { title, rows in section(title, rows.map { [$0] }, Self.rowsMaxOfAll) }
    }

    private func section(_ title: String, _ groups: [[(name: String, text: String)]], _ rowsMax: Int) -> [String] {
        guard !groups.isEmpty else { return [] }
        let more = groups.count - rowsMax
        let rest = more > 0 ? ["  … \(NumberText.grouped(more)) more: “searchctl status --all”"] : []
        return [style.bold(title)] + layout.table(groups.prefix(rowsMax).flatMap(\.self), indent: 2) + rest
    }
}

enum CacheText {
    static func rows(_ cache: JSONCursor) -> [(name: String, text: String)] {
        [("memory", cache), ("disk", cache[.disk])].compactMap { name, figures in
            figures.flatMap(line).map { (name, $0) }
        }
    }

    static func line(_ tier: JSONCursor) -> String? {
        guard let entries = tier[.entries]?.int else { return nil }
        var parts = [NumberText.count(entries, "page")]
        if let bytes = tier[.bytes]?.int {
            parts.append(NumberText.bytes(bytes) + (tier[.limit]?.int.map { " of \(NumberText.bytes($0))" } ?? ""))
        }
        let hits = tier[.hits]?.int ?? 0
        let lookups = hits + (tier[.stale]?.int ?? 0) + (tier[.misses]?.int ?? 0)
        if lookups > 0 { parts.append("\(NumberText.percent(hits, of: lookups)) of lookups were hits") }
        for (member, words) in [(Member.evictions, "evicted"), (.dropped, "not written")] {
            if let count = tier[member]?.int, count > 0 { parts.append("\(NumberText.grouped(count)) \(words)") }
        }
        return parts.joined(separator: ", ")
    }
}
