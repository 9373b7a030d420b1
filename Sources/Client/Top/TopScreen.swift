import RPC

/// The screen of `top` at one moment: as many lines as there is room for, none wider than the terminal; pure.
///
/// What matters most comes first when there is little room: the figures, then sources in trouble, quotas, errors.
struct TopScreen {
    private static let troublesShownMax = 6
    private static let barColumns = 5...30

    private let history: TopHistory
    private let columns: Int
    private let rows: Int
    private var now: TopSnapshot { history.current }

    init(_ history: TopHistory, columns: Int, rows: Int) {
        self.history = history
        self.columns = columns
        self.rows = rows
    }

    func lines(_ style: Style) -> [String] {
        let head = [headline, requests, figures]
        let foot = [TopLine("q quits", .dim)]
        let room = rows - head.count - foot.count
        var body: [TopLine] = []
        // Each with an empty line and its title in front.
        let troubles = table("ERRORS", troubles, room: room / 4)
        let clients = table("CLIENTS", clients, room: (room - troubles.count) / 4)
        let quotas = table("QUOTAS", quotas, room: (room - troubles.count - clients.count) / 3)
        let others = quotas + clients + troubles
        body += table("", sources, room: room - others.count) + others
        body = Array(body.prefix(max(0, room)))
        body += Array(repeating: TopLine(), count: max(0, room - body.count))
        return (head + body + foot).prefix(max(0, rows)).map { $0.text(columns: columns, style) }
    }

    // MARK: Head

    private var headline: TopLine {
        let health = now.health
        var line = TopLine(health.sentence, health.status == .found ? .good : .bad)
        line.add(" · searchd \(now.version), up \(FigureText.time(milliseconds: now.uptime * 1000))")
        return line
    }

    private var requests: TopLine {
        let rate = Self.perSecond(history.rate(\.requests))
        var line = TopLine("requests ")
        line.add(DisplayWidth.padded(rate, 9, toRight: true), .bold)
        line.add(" ")
        line.add(Graph.sparkline(history.rates, columns: columns - line.columns), .accent)
        return line
    }

    private var figures: TopLine {
        let uses = history.grown(\.uses)
        let share =
            uses > 0
            ? FigureText.percent(history.grown(\.hits), of: uses) + " cached"
            : "\(FigureText.percent(now.hits, of: now.uses)) cached so far"
        var line = TopLine("hits ")
        line.add(Self.perSecond(history.rate(\.hits)), .bold)
        line.add(", \(share)")
        line.add(" · \(FigureText.count(now.clientCount, "client")), \(FigureText.grouped(now.working)) at work")
        line.add(" · \(FigureText.count(now.flights, "call")) for \(FigureText.grouped(now.waiters))")
        if now.memory > 0 { line.add(" · \(FigureText.bytes(now.memory))") }
        return line
    }

    // MARK: Tables

    /// A table with its title, cut to the room there is; nothing when there is no room for a row.
    private func table(_ title: String, _ rows: [TopLine], room: Int) -> [TopLine] {
        guard !rows.isEmpty, room >= 3 else { return [] }
        let shown = min(rows.count, room - 2)
        let head = title.isEmpty ? [TopLine()] : [TopLine(), TopLine(title, .dim)]
        guard shown < rows.count else { return head + rows }
        return head + rows.prefix(shown - 1) + [TopLine("… \(rows.count - shown + 1) more", .dim)]
    }

    private var sources: [TopLine] {
        let entries = now.sources.map { (entry: $0, rate: history.rate(calls(of: $0.name))) }
        let ordered = entries.sorted { left, right in
            let ranks = (rank(left.entry), rank(right.entry))
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
            return left.rate != right.rate ? left.rate > right.rate : left.entry.name < right.entry.name
        }
        let name = max(6, ordered.map { DisplayWidth.columns(of: $0.entry.name) }.max() ?? 0)
        let head = TopLine(
            DisplayWidth.padded("SOURCE", name) + "   CALLS  LATENCY  STATE",
            .dim
        )
        guard !ordered.isEmpty else { return [] }
        return [head]
            + ordered.map { entry, rate in
                let latency = history.latency(of: entry.name).map(FigureText.time(milliseconds:)) ?? "–"
                var line = TopLine(DisplayWidth.padded(entry.name, name))
                line.add(DisplayWidth.padded(Self.perSecond(rate), 8, toRight: true))
                line.add(DisplayWidth.padded(latency, 9, toRight: true) + "  ")
                line.add(entry.isUsedUp ? "quota used up" : entry.state, rank(entry) == 0 ? .bad : .plain)
                return line
            }
    }

    private var quotas: [TopLine] {
        let name = now.quotas.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0
        let bar = min(Self.barColumns.upperBound, max(Self.barColumns.lowerBound, columns / 5))
        return now.quotas.sorted { $0.usedShare > $1.usedShare }.map { quota in
            var line = TopLine(DisplayWidth.padded(quota.name, name) + " ")
            line.add(Graph.bar(quota.usedShare, columns: bar), quota.left <= 0 ? .bad : .accent)
            line.add(" \(quota.text)")
            return line
        }
    }

    /// Those that wait for something, and what for.
    private var clients: [TopLine] {
        let working = now.clients.filter(\.isWorking)
        let name = working.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0
        return working.map { TopLine(DisplayWidth.padded($0.name, name) + "  " + $0.text) }
    }

    private var troubles: [TopLine] {
        now.errors.prefix(Self.troublesShownMax).map { error in
            var line = TopLine(DisplayWidth.padded(error.age, 13))
            line.add("\(error.source) ")
            line.add(error.what, .bad)
            return line
        }
    }

    /// Those in trouble first, then those held back.
    private func rank(_ entry: SourceEntry) -> Int {
        if entry.isUsedUp || [.failing, .open].contains(entry.health) { return 0 }
        return entry.health == .waiting ? 1 : 2
    }

    private func calls(of source: String) -> (TopSnapshot) -> Int {
        { $0.upstream[source]?.calls ?? 0 }
    }

    /// `0/s`, `3.5/s`, `1,234/s`.
    private static func perSecond(_ rate: Double) -> String {
        guard rate < 9.95 else { return "\(FigureText.grouped(Int(rate.rounded())))/s" }
        let tenths = Int((rate * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)/s" : "\(tenths / 10).\(tenths % 10)/s"
    }
}
